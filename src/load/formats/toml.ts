/**
 * Parses TOML: the library returns the values, and the first part of this file finds their positions. The library has accepted the text
 * before, so the positions need no validation. If the search fails it stops, and the values after it get the position of their parent.
 */
import { parse, TomlDate, TomlError } from 'smol-toml';
import type { Position } from '../../core/values/diagnostic.ts';
import type { Document, Entry, Node } from '../../core/values/document.ts';
import { isObject } from '../../core/values/json.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { failed, finite, lineTable, MAX_DEPTH, refuse, sayTooDeep, withoutBom } from './intake.ts';

export interface Spot {
  /** The position of the value; of a table, that of its first header or key. */
  readonly at: Position;
  readonly keyAt: Position;
  readonly children: Map<string, Spot>;
  readonly items: Spot[];
}

export function tomlPositions(text: string, positionOf: (offset: number) => Position): Spot {
  const scan: Scan = { text, next: 0, positionOf };
  const root = spotAt({ line: 1, column: 1 });
  let table = root;
  for (;;) {
    skipBlank(scan);
    if (scan.next >= text.length) return root;
    const before = scan.next;
    if (text[before] === '[') table = readHeader(scan, root);
    else readEntry(scan, table, 0);
    if (scan.next <= before) return root;
  }
}

interface Scan {
  readonly text: string;
  next: number;
  readonly positionOf: (offset: number) => Position;
}

interface Segment {
  readonly key: string;
  readonly at: Position;
}

/** `[a.b]` or `[[a.b]]`: the table that the keys below it belong to. */
function readHeader(scan: Scan, root: Spot): Spot {
  const list = scan.text[scan.next + 1] === '[';
  const at = scan.positionOf(scan.next);
  scan.next += list ? 2 : 1;
  const path = readPath(scan);
  scan.next = Math.min(scan.text.length, scan.next + (list ? 2 : 1));
  const last = path.at(-1);
  if (!last) return root;
  const parent = path.slice(0, -1).reduce((spot, segment) => latest(childOf(spot, segment, at)), root);
  const child = childOf(parent, last, at);
  if (!list) return latest(child);
  const item = spotAt(at);
  child.items.push(item);
  return item;
}

function readEntry(scan: Scan, table: Spot, depth: number): void {
  const path = readPath(scan);
  const last = path.at(-1);
  skipSpaces(scan);
  if (!last || scan.text[scan.next] !== '=') return;
  scan.next++;
  skipSpaces(scan);
  const parent = path.slice(0, -1).reduce((spot, segment) => childOf(spot, segment, segment.at), table);
  const spot = childOf(parent, last, scan.positionOf(scan.next));
  readValue(scan, spot, depth);
}

function readPath(scan: Scan): Segment[] {
  const path: Segment[] = [];
  for (;;) {
    skipSpaces(scan);
    const start = scan.next;
    const quote = scan.text[start];
    if (quote === '"' || quote === "'") skipText(scan);
    else while (/[\w-]/.test(scan.text[scan.next] ?? '')) scan.next++;
    if (scan.next === start) return path;
    path.push({ key: unquote(scan.text.slice(start, scan.next)), at: scan.positionOf(start) });
    skipSpaces(scan);
    if (scan.text[scan.next] !== '.') return path;
    scan.next++;
  }
}

function readValue(scan: Scan, spot: Spot, depth: number): void {
  const first = scan.text[scan.next];
  if (first === '"' || first === "'") skipText(scan);
  else if (first === '[') readInner(scan, ']', depth, () => readItem(scan, spot, depth));
  else if (first === '{') readInner(scan, '}', depth, () => readEntry(scan, spot, depth + 1));
  else while (scan.next < scan.text.length && !',]}#\n'.includes(scan.text[scan.next] as string)) scan.next++;
}

function readItem(scan: Scan, list: Spot, depth: number): void {
  const item = spotAt(scan.positionOf(scan.next));
  list.items.push(item);
  readValue(scan, item, depth + 1);
}

/** Skips an array or inline table, up to and including the closing bracket. */
function readInner(scan: Scan, closing: ']' | '}', depth: number, readOne: () => void): void {
  scan.next++;
  while (scan.next < scan.text.length && depth < 1000) {
    skipBlank(scan);
    const before = scan.next;
    if (scan.text[before] === closing) {
      scan.next++;
      return;
    }
    if (scan.text[before] === ',') scan.next++;
    else readOne();
    if (scan.next <= before) return;
  }
}

/** Skips a quoted text, on one line or between triple quotes. */
function skipText(scan: Scan): void {
  const { text } = scan;
  const quote = text[scan.next] as string;
  const fence = text.startsWith(quote.repeat(3), scan.next) ? quote.repeat(3) : quote;
  scan.next += fence.length;
  while (scan.next < text.length && !text.startsWith(fence, scan.next)) scan.next += quote === '"' && text[scan.next] === '\\' ? 2 : 1;
  scan.next = Math.min(text.length, scan.next + fence.length);
  // The text may end in up to two quotes before the closing three.
  if (fence.length === 3) while (text[scan.next] === quote) scan.next++;
}

function skipSpaces(scan: Scan): void {
  while (scan.text[scan.next] === ' ' || scan.text[scan.next] === '\t') scan.next++;
}

/** Skips spaces, line ends and comments. */
function skipBlank(scan: Scan): void {
  for (;;) {
    const char = scan.text[scan.next];
    if (char === '#') {
      const end = scan.text.indexOf('\n', scan.next);
      scan.next = end < 0 ? scan.text.length : end;
    } else if (char === ' ' || char === '\t' || char === '\n' || char === '\r') scan.next++;
    else return;
  }
}

function unquote(raw: string): string {
  if (!raw.startsWith('"') && !raw.startsWith("'")) return raw;
  return raw.startsWith('"') && raw.includes('\\') ? (Object.keys(parse(`${raw} = 1`))[0] ?? raw) : raw.slice(1, -1);
}

function childOf(spot: Spot, { key, at: keyAt }: Segment, at: Position): Spot {
  let child = spot.children.get(key);
  if (!child) {
    child = { at, keyAt, children: new Map(), items: [] };
    spot.children.set(key, child);
  }
  return child;
}

/** A header below `[[list]]` continues in the last table of the list. */
function latest(spot: Spot): Spot {
  return spot.items.at(-1) ?? spot;
}

function spotAt(at: Position): Spot {
  return { at, keyAt: at, children: new Map(), items: [] };
}

/** Parses a text into a document. Dates stay text. Never throws. */
export function parseToml(file: string, text: string): Document {
  const refused = refuse(file, text);
  if (refused) return refused;
  const source = withoutBom(text);
  let table: unknown;
  try {
    table = parse(source, { integersAsBigInt: 'asNeeded', maxDepth: MAX_DEPTH });
  } catch (error) {
    return sayTomlError(file, error);
  }
  const spots = tomlPositions(source, lineTable(source));
  if (spots.children.size === 0) return { file, diagnostics: [] };
  const problems = problemsIn(file);
  const root = convert(table, spots, problems, 1);
  return { file, ...(problems.list.length === 0 && { root }), diagnostics: problems.list };
}

function sayTomlError(file: string, error: unknown): Document {
  if (!(error instanceof TomlError)) return failed(file, undefined, 'invalid-toml', 'This file cannot be read as TOML.', 'Simplify it.');
  const detail =
    error.message
      .split('\n', 1)[0]
      ?.replace(/^Invalid TOML document: /, '')
      .replace(/\.$/, '') ?? '';
  const hint = detail.includes('escape')
    ? "Use single quotes, where a backslash is just a backslash: '\\.py$'."
    : detail.includes('redefine')
      ? 'Write each key and each table once.'
      : 'Write text in quotes, and one `key = value` to a line.';
  return failed(file, { line: error.line, column: error.column }, 'invalid-toml', `This is not valid TOML: ${detail}.`, hint);
}

function convert(value: unknown, spot: Spot, problems: Problems, depth: number): Node {
  const { at } = spot;
  if (depth > MAX_DEPTH) {
    if (problems.list.length === 0) sayTooDeep(problems, at);
    return { kind: 'scalar', at, value: null };
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => convert(item, spot.items[index] ?? nowhere(spot), problems, depth + 1));
    return { kind: 'list', at, items };
  }
  if (value instanceof TomlDate) return { kind: 'scalar', at, value: value.toISOString() };
  if (isObject(value)) return { kind: 'map', at, entries: convertEntries(value, spot, problems, depth) };
  return { kind: 'scalar', at, value: scalar(value) };
}

function convertEntries(table: Readonly<Record<string, unknown>>, spot: Spot, problems: Problems, depth: number): Entry[] {
  // In the order of the file, because an object puts keys that look like numbers first.
  const keys = new Set([...spot.children.keys()].filter((key) => Object.hasOwn(table, key)));
  for (const key of Object.keys(table)) keys.add(key);
  return [...keys].map((key) => {
    const child = spot.children.get(key) ?? nowhere(spot);
    return { key, at: child.keyAt, value: convert(table[key], child, problems, depth + 1) };
  });
}

function scalar(value: unknown): string | number | boolean {
  if (typeof value === 'number') return finite(value, String(value).replace('Infinity', 'inf').toLowerCase());
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'boolean' ? value : String(value);
}

/** Returns the position of the parent if the position of the value was not found. */
function nowhere({ at, keyAt }: Spot): Spot {
  return { at, keyAt, children: new Map(), items: [] };
}
