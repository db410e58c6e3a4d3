/** A JSON text as a tree that knows its offsets, and how the text is written: its line ends and its indentation. Comments are no obstacle. */
import { type Node, parseTree } from 'jsonc-parser';

export type JsonNode = Node;

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

/** What the line that an offset stands in begins with. */
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
