/**
 * Parses plain YAML: maps and lists by indentation, scalars on one line. Nearly all frontmatter is plain. For every text that this parser
 * accepts, the YAML library returns the same data at the same positions. It gives up on any other text, and the library decides.
 */
import type { Position } from '../../core/values/diagnostic.ts';
import type { Entry, MapNode, Node, ScalarNode } from '../../core/values/document.ts';

/** Without a root the text has only blanks and comments. Undefined means that the text is not plain. */
export function parsePlainYaml(source: string, firstLine: number): { readonly root?: Node } | undefined {
  if (UNUSUAL.test(source)) return undefined;
  const lines = contentLines(source, firstLine);
  if (lines.length === 0) return {};
  if (lines[0]?.indent !== 0) return undefined;
  const reading = { lines, next: 0 };
  const root = readBlock(reading, 0, 0);
  return root && reading.next === lines.length ? { root } : undefined;
}

interface Line {
  readonly number: number;
  readonly indent: number;
  /** Without indentation, line end and trailing spaces. */
  readonly text: string;
}

interface Reading {
  readonly lines: Line[];
  next: number;
}

const MAX_PLAIN_DEPTH = 40;
const MAX_SCALAR = 4096;
/** Tabs, control characters, lone carriage returns and surrogates, and line ends or marks that only some parsers know. */
const UNUSUAL = /[\0-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|\r(?!\n)/u;
const KEY = /^([A-Za-z_][\w.-]{0,99}):(?:( +)(.*))?$/;
const ITEM = /^(- +)([^ ].*)$/;
/** The only escapes that are plain: `\"` and `\\`. */
const QUOTED = /^(?:"((?:[^"\\]|\\["\\])*)"|'([^']*)')(?: +#.*)?$/;
/** Characters that cannot start a plain scalar, or start one only by rules that are left to the library. */
const INDICATOR = /^[-?:,[\]{}#&*!|>'"%@`]/;
const WORDS = new Map<string, boolean | null>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'Null', 'NULL', '~'].map((word) => [word, null] as const),
]);
const INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/;
/** Every other number of the core schema. */
const ODD_NUMBER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan)$/i;

function contentLines(source: string, firstLine: number): Line[] {
  const lines: Line[] = [];
  for (const [index, raw] of source.split('\n').entries()) {
    const text = withoutTrailingSpaces(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
    let indent = 0;
    while (text[indent] === ' ') indent++;
    if (indent < text.length && text[indent] !== '#') lines.push({ number: index + firstLine, indent, text: text.slice(indent) });
  }
  return lines;
}

/** Reads up to the first line with another indentation. If no outer block continues with that line, the text is not plain. */
function readBlock(reading: Reading, indent: number, depth: number): Node | undefined {
  if (depth > MAX_PLAIN_DEPTH) return undefined;
  return reading.lines[reading.next]?.text.startsWith('- ') ? readList(reading, indent, depth) : readMap(reading, indent, depth);
}

function readMap(reading: Reading, indent: number, depth: number): MapNode | undefined {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let line = reading.lines[reading.next];
  const at = line && start(line);
  while (line && line.indent === indent) {
    const entry = readEntry(reading, line, depth);
    if (!entry || seen.has(entry.key)) return undefined;
    seen.add(entry.key);
    entries.push(entry);
    line = reading.lines[reading.next];
  }
  return at && { kind: 'map', at, entries };
}

function readEntry(reading: Reading, line: Line, depth: number): Entry | undefined {
  const [, key, gap = '', rest = ''] = KEY.exec(line.text) ?? [];
  if (key === undefined || WORDS.has(key)) return undefined;
  reading.next++;
  const at = start(line);
  if (rest === '' || rest.startsWith('#')) {
    const value = readNested(reading, line.indent, at, depth);
    return value && { key, at, value };
  }
  const value = readScalar(rest, { line: line.number, column: at.column + key.length + 1 + gap.length });
  return value && { key, at, value };
}

/** Reads the lines below a key without a value: a deeper block, a list at the key's own indentation, or nothing. */
function readNested(reading: Reading, indent: number, keyAt: Position, depth: number): Node | undefined {
  const below = reading.lines[reading.next];
  if (below && (below.indent > indent || (below.indent === indent && below.text.startsWith('- '))))
    return readBlock(reading, below.indent, depth + 1);
  return { kind: 'scalar', at: keyAt, value: null };
}

function readList(reading: Reading, indent: number, depth: number): Node | undefined {
  const items: Node[] = [];
  let line = reading.lines[reading.next];
  const at = line && start(line);
  while (line && line.indent === indent) {
    const [, dash, content] = ITEM.exec(line.text) ?? [];
    if (dash === undefined || content === undefined) break;
    const inner = { number: line.number, indent: indent + dash.length, text: content };
    const item = readItem(reading, inner, depth);
    if (!item) return undefined;
    items.push(item);
    line = reading.lines[reading.next];
  }
  return at && items.length > 0 ? { kind: 'list', at, items } : undefined;
}

function readItem(reading: Reading, inner: Line, depth: number): Node | undefined {
  if (KEY.test(inner.text)) {
    if (depth > MAX_PLAIN_DEPTH) return undefined;
    // `- key: v` starts a map at the column of its first key.
    reading.lines[reading.next] = inner;
    return readMap(reading, inner.indent, depth + 1);
  }
  reading.next++;
  return readScalar(inner.text, start(inner));
}

function readScalar(text: string, at: Position): ScalarNode | undefined {
  if (text.length > MAX_SCALAR) return undefined;
  const quoted = QUOTED.exec(text);
  if (quoted) return { kind: 'scalar', at, value: quoted[1]?.replace(/\\(.)/g, '$1') ?? quoted[2] ?? '' };
  if (INDICATOR.test(text) && !/^-[0-9]/.test(text)) return undefined;
  const comment = text.indexOf(' #');
  const plain = comment < 0 ? text : withoutTrailingSpaces(text.slice(0, comment));
  if (plain.includes(': ') || plain.endsWith(':')) return undefined;
  const word = WORDS.get(plain);
  if (word !== undefined) return { kind: 'scalar', at, value: word };
  if (INTEGER.test(plain)) return { kind: 'scalar', at, value: Number(plain) };
  return ODD_NUMBER.test(plain) ? undefined : { kind: 'scalar', at, value: plain };
}

/** Removes trailing spaces. The pattern ` +$` would be quadratic on a line of spaces. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end);
}

function start(line: Line): Position {
  return { line: line.number, column: line.indent + 1 };
}
