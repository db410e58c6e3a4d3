/**
 * Inserts values into a JSON text and removes them again, without changing any other byte. A value is inserted where its removal restores the text:
 * after the comma, and after the comment that belongs to the value before it.
 */
import { type Node, parseTree } from 'jsonc-parser';

export type JsonNode = Node;

/** A JSON text as a tree that knows its offsets, and how the text is written: its line ends and its indentation. Comments are no obstacle. */
export interface Written {
  readonly text: string;
  /** Undefined if there is nothing but space and comments. */
  readonly root: JsonNode | undefined;
  readonly eol: string;
  /** One step of indentation. */
  readonly step: string;
}

/** Of a text that is known to be well formed and not nested too deep. */
export function readWritten(text: string): Written {
  const root = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  return { text, root, eol: /\r?\n/.exec(text)?.[0] ?? '\n', step: stepOf(text) };
}

/** The value of a key; of a key written twice the last one, which is the one that counts. */
export function propertyOf(node: JsonNode, key: string): JsonNode | undefined {
  return node.type === 'object' ? node.children?.findLast((property) => property.children?.[0]?.value === key) : undefined;
}

export function valueIn(property: JsonNode | undefined): JsonNode | undefined {
  return property?.children?.[1];
}

export function nodeAt(root: JsonNode | undefined, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, key) => node && valueIn(propertyOf(node, key)), root);
}

export function endOf(node: JsonNode): number {
  return node.offset + node.length;
}

/** Returns the indentation of the line at an offset. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** The first offset from here on that is neither space nor comment. */
export function skipBlank(text: string, from: number): number {
  const blank = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  return from + (blank.exec(text)?.[0].length ?? 0);
}

/** By the first line that is indented at all: that of the first key, as people write it. */
function stepOf(text: string): string {
  const lines = text.split('\n').map((line) => /^([ \t]+)["{}[\]]/.exec(line)?.[1]);
  return lines.find((indent) => indent !== undefined) ?? '  ';
}

/** Why a value cannot be inserted, and at which offset. */
export interface Unfit {
  readonly unfit: string;
  readonly at: number;
}

/** Adds an item to the list at a path. Missing containers on the way are created. */
export function addItem(text: string, path: readonly string[], value: unknown): string | Unfit {
  const written = readWritten(text);
  if (!written.root) return withRoot(written, nested(path, [value]), path.length + 1);
  let node = written.root;
  for (const [depth, key] of path.entries()) {
    if (node.type !== 'object') return { unfit: `${nameOf(path.slice(0, depth))} must be a map, found ${node.type}`, at: node.offset };
    const next = valueIn(propertyOf(node, key));
    if (!next) {
      const rest = path.slice(depth + 1);
      return put(written, node, (indent) => `${JSON.stringify(key)}: ${shown(nested(rest, [value]), written, indent, rest.length + 1)}`);
    }
    node = next;
  }
  if (node.type !== 'array') return { unfit: `${nameOf(path)} must be a list, found ${node.type}`, at: node.offset };
  return put(written, node, (indent) => shown(value, written, indent, 0));
}

/** Sets the value at a path of keys that is not there yet. Missing containers on the way are created. */
export function addValue(text: string, path: readonly string[], value: unknown): string | Unfit {
  const written = readWritten(text);
  if (!written.root) return withRoot(written, nested(path, value), path.length);
  let node = written.root;
  for (const [depth, key] of path.entries()) {
    if (node.type !== 'object') return { unfit: `${nameOf(path.slice(0, depth))} must be a map, found ${node.type}`, at: node.offset };
    const next = valueIn(propertyOf(node, key));
    const rest = path.slice(depth + 1);
    if (!next) return put(written, node, (indent) => `${JSON.stringify(key)}: ${shown(nested(rest, value), written, indent, rest.length)}`);
    node = next;
  }
  return { unfit: `${nameOf(path)} is there already`, at: node.offset };
}

/** Sets a key at the root that is not there yet. */
export function addKey(text: string, key: string, value: unknown): string | Unfit {
  const written = readWritten(text);
  if (!written.root) return withRoot(written, { [key]: value }, 1);
  if (written.root.type !== 'object') return { unfit: `The file must hold a map, found ${written.root.type}`, at: written.root.offset };
  if (propertyOf(written.root, key)) return text;
  return put(written, written.root, (indent) => `${JSON.stringify(key)}: ${shown(value, written, indent, 0)}`);
}

/** Replaces a value. */
export function replaceNode(text: string, node: JsonNode, value: unknown): string {
  return text.slice(0, node.offset) + onOneLine(value, spaceIn(readWritten(text))) + text.slice(endOf(node));
}

/** Removes a child from its list or map. */
export function takeOut(text: string, child: JsonNode): string {
  const container = child.parent as JsonNode;
  const siblings = container.children as JsonNode[];
  const before = siblings[siblings.indexOf(child) - 1];
  const start = blankBefore(text, child.offset);
  const comma = skipBlank(text, endOf(child));
  if (text[comma] === ',') return text.slice(0, start) + text.slice(endOf(child), comma) + text.slice(comma + 1);
  const rest = text.slice(endOf(child));
  if (before) {
    const joint = skipBlank(text, endOf(before));
    return text.slice(0, joint) + text.slice(joint + 1, start) + rest;
  }
  return text.slice(0, start) + rest;
}

/** Returns the text with the (empty) container at a path replaced. */
export function restoreEmpty(text: string, path: readonly string[], original: string): string {
  const node = nodeAt(readWritten(text).root, path);
  return node ? text.slice(0, node.offset) + original + text.slice(endOf(node)) : text;
}

function put(written: Written, container: JsonNode, body: (indent: string) => string): string {
  const { text, eol, step } = written;
  const last = container.children?.at(-1);
  const own = indentAt(text, container.offset);
  const space = spaceIn(written);
  if (!last) {
    const at = trimmedEnd(text, container.offset + 1, skipBlank(text, container.offset + 1));
    if (isOneLine(written)) return `${text.slice(0, at)}${inlined(body(''), space)}${text.slice(at)}`;
    const close = text.slice(at, endOf(container) - 1).includes('\n') ? '' : `${eol}${own}`;
    return `${text.slice(0, at)}${eol}${own}${step}${body(own + step)}${close}${text.slice(at)}`;
  }
  const first = container.children?.[0] as JsonNode;
  const isBlock = text.slice(container.offset, first.offset).includes('\n');
  const indent = isBlock ? indentAt(text, first.offset) : own;
  const child = isBlock ? body(indent) : inlined(body(''), space);
  const lead = isBlock ? `${eol}${indent}` : space;
  const comma = skipBlank(text, endOf(last));
  const hasComma = text[comma] === ',';
  const after = hasComma ? comma + 1 : endOf(last);
  const at = isBlock ? endOfRemark(text, after) : after;
  const head = hasComma ? text.slice(0, at) : `${text.slice(0, endOf(last))},${text.slice(endOf(last), at)}`;
  return `${head}${lead}${child}${hasComma ? ',' : ''}${text.slice(at)}`;
}

function isOneLine({ text, root }: Written): boolean {
  return root !== undefined && (root.children?.length ?? 0) > 0 && !text.slice(root.offset, endOf(root)).includes('\n');
}

/** Returns the space after a colon or comma within a line. A text without examples is written with a space. */
function spaceIn({ text }: Written): '' | ' ' {
  const [joint] = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/"":\s?/) ?? [': '];
  return joint.endsWith(':') ? '' : ' ';
}

/** Returns the offset after a comment on the same line, because the comment belongs to the value before it. */
function endOfRemark(text: string, from: number): number {
  const remark = /(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?(?=[ \t]*\r?\n)/y;
  remark.lastIndex = from;
  const found = remark.exec(text)?.[0] ?? '';
  return trimmedEnd(text, from, from + found.length);
}

function trimmedEnd(text: string, from: number, to: number): number {
  return from + text.slice(from, to).trimEnd().length;
}

function blankBefore(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

function withRoot(written: Written, value: unknown, levels: number): string {
  const { text, eol } = written;
  const lead = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${lead}${shown(value, written, '', levels)}${eol}`;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** The outer levels each on lines of their own, what is within them on one line: an entry is small and should look so. */
function shown(value: unknown, written: Written, indent: string, levels: number): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return onOneLine(value, spaceIn(written));
  const inner = indent + written.step;
  const items = Array.isArray(value)
    ? value.map((item) => shown(item, written, inner, levels - 1))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${shown(item, written, inner, levels - 1)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [open, ...items.map((item, i) => `${inner}${item}${i < items.length - 1 ? ',' : ''}`), `${indent}${close}`].join(written.eol);
}

function onOneLine(value: unknown, space: '' | ' '): string {
  return inlined(JSON.stringify(value, null, 1), space);
}

/** On one line: a line break in JSON is never within a text. */
function inlined(block: string, space: string): string {
  const line = block.replace(/(,?)\r?\n\s*/g, (_, comma: string) => (comma === '' ? '' : `,${space}`));
  return space === '' ? withoutSpaces(line) : line;
}

/** Removes the space after colons outside of strings. */
function withoutSpaces(line: string): string {
  return line.replace(/("(?:[^"\\]|\\.)*")(: )?/g, (_, text: string, colon: string | undefined) => (colon ? `${text}:` : text));
}

function nameOf(path: readonly string[]): string {
  return path.length === 0 ? 'The file' : `\`${path.join('.')}\``;
}
