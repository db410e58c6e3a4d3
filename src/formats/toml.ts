/** TOML: values by the library, positions by `toml-positions.ts`. Dates stay text. Never throws. */
import { parse, TomlDate, TomlError } from 'smol-toml';
import type { Document, Entry, Node } from '../core/document.ts';
import { isObject } from '../core/json.ts';
import { type Complaints, complaintsAbout } from '../core/loading.ts';
import { failed, finite, lineTable, MAX_DEPTH, refuse, sayTooDeep, withoutBom } from './intake.ts';
import { type Spot, tomlPositions } from './toml-positions.ts';

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
  const complaints = complaintsAbout(file);
  const root = convert(table, spots, complaints, 1);
  return { file, ...(complaints.list.length === 0 && { root }), diagnostics: complaints.list };
}

function sayTomlError(file: string, error: unknown): Document {
  if (!(error instanceof TomlError)) return failed(file, undefined, 'invalid-toml', 'This file can not be read as TOML.', 'Simplify it.');
  const detail =
    error.message
      .split('\n', 1)[0]
      ?.replace(/^Invalid TOML document: /, '')
      .replace(/\.$/, '') ?? '';
  const hint = detail.includes('escape')
    ? "Use single quotes, where a backslash is just a backslash: '\\.py$'."
    : detail.includes('redefine')
      ? 'Write each key and each table once.'
      : 'Text goes in quotes; one `key = value` to a line.';
  return failed(file, { line: error.line, column: error.column }, 'invalid-toml', `This is not valid TOML: ${detail}.`, hint);
}

function convert(value: unknown, spot: Spot, complaints: Complaints, depth: number): Node {
  const { at } = spot;
  if (depth > MAX_DEPTH) {
    if (complaints.list.length === 0) sayTooDeep(complaints, at);
    return { kind: 'scalar', at, value: null };
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => convert(item, spot.items[index] ?? nowhere(spot), complaints, depth + 1));
    return { kind: 'list', at, items };
  }
  if (value instanceof TomlDate) return { kind: 'scalar', at, value: value.toISOString() };
  if (isObject(value)) return { kind: 'map', at, entries: convertEntries(value, spot, complaints, depth) };
  return { kind: 'scalar', at, value: scalar(value) };
}

function convertEntries(table: Readonly<Record<string, unknown>>, spot: Spot, complaints: Complaints, depth: number): Entry[] {
  // In the order written: an object puts keys that look like numbers first.
  const keys = new Set([...spot.children.keys()].filter((key) => Object.hasOwn(table, key)));
  for (const key of Object.keys(table)) keys.add(key);
  return [...keys].map((key) => {
    const child = spot.children.get(key) ?? nowhere(spot);
    return { key, at: child.keyAt, value: convert(table[key], child, complaints, depth + 1) };
  });
}

function scalar(value: unknown): string | number | boolean {
  if (typeof value === 'number') return finite(value, String(value).replace('Infinity', 'inf').toLowerCase());
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'boolean' ? value : String(value);
}

/** For a value whose place was not found: the place of what holds it. */
function nowhere({ at, keyAt }: Spot): Spot {
  return { at, keyAt, children: new Map(), items: [] };
}
