/**
 * Which events an agent would really ask Hookline about, by its file: each entry stands where the agent looks for it, and is as an installation
 * writes it. A matcher, another place or a changed value narrows an entry without removing it, so its line alone shows nothing.
 */
import type { OwnLine } from '../core/contracts/entry-line.ts';
import type { FileReading } from '../core/contracts/file-reading.ts';
import type { Host } from '../core/contracts/host.ts';
import { toJson } from '../core/values/document.ts';
import { isObject, type Json, type JsonObject } from '../core/values/json.ts';
import { parseJson } from '../load/formats/json.ts';
import { parseToml } from '../load/formats/toml.ts';
import { asHttp } from './host-files.ts';
import type { InstalledFile } from './installed.ts';

export interface EntryFlaws {
  /** Events whose entry is not where the agent looks for it. */
  readonly misplaced: readonly string[];
  /** Events whose entry differs from what an installation writes, each with the keys that differ. */
  readonly changed: readonly { readonly event: string; readonly keys: readonly string[] }[];
}

const NONE: EntryFlaws = { misplaced: [], changed: [] };

export function flawsOf(host: Host, { file, lines, config, missing }: InstalledFile): EntryFlaws {
  const { reads, entry, events } = host.entry;
  const text = config?.text;
  if (lines.length === 0 || text === undefined) return NONE;
  const [first] = lines as readonly [OwnLine];
  if (reads === null) {
    const event = first.event ?? events[0] ?? '';
    return String(entry(event, first.text).value) === text.replaceAll('\r\n', '\n')
      ? NONE
      : { ...NONE, changed: [{ event, keys: ['text'] }] };
  }
  const { root } = (file.endsWith('.toml') ? parseToml : parseJson)(file, text);
  const values = root ? toJson(root) : {};
  const there = events.filter((event) => !missing.includes(event));
  const judged = there.map((event) => ({ event, keys: differencesAt(host, event, lines, values, reads) }));
  return {
    misplaced: judged.flatMap(({ event, keys }) => (keys === undefined ? [event] : [])),
    changed: judged.flatMap(({ event, keys = [] }) => (keys.length > 0 ? [{ event, keys }] : [])),
  };
}

/** Returns the keys in which the best entry of an event differs; undefined if there is none at its place. */
function differencesAt(host: Host, event: string, lines: readonly OwnLine[], root: Json, reads: FileReading): string[] | undefined {
  const found = lines
    .filter((line) => (line.event ?? event) === event)
    .flatMap((line) => {
      const { path, value } = host.entry.entry(event, line.text);
      const items = listAt(root, path).filter((item) => holds(item, line.text));
      const wanted = Array.isArray(value) ? value : [value];
      if (items.length === 0) return [];
      // An installation may need several entries for one event.
      return [
        wanted.flatMap((one) => {
          const expected = line.via === 'http' ? asHttp(one, line.text, {}) : one;
          return shortest(items.map((item) => differences(expected, item, line.text, reads)));
        }),
      ];
    });
  return found.length === 0 ? undefined : [...new Set(shortest(found))];
}

function shortest(lists: readonly string[][]): string[] {
  return lists.reduce((best, list) => (list.length < best.length ? list : best));
}

/** Returns the keys in which an item differs from the expected one. In a list only the item with the line counts. */
function differences(expected: unknown, found: Json | undefined, line: string, reads: FileReading, name = ''): string[] {
  if (Array.isArray(expected)) {
    const own = Array.isArray(found) ? found.find((item) => holds(item, line)) : undefined;
    return differences(expected[0], own, line, reads, name);
  }
  if (!isObject(expected)) return expected === found ? [] : [name];
  if (!isObject(found)) return [name];
  const added = Object.keys(found).filter((key) => !Object.hasOwn(expected, key) && !isHarmless(reads, key, found));
  const inner = Object.entries(expected)
    .filter(([key]) => key !== 'headers')
    .flatMap(([key, value]) => differences(value, found[key], line, reads, key));
  return [...added, ...inner];
}

function isHarmless({ harmless }: FileReading, key: string, found: JsonObject): boolean {
  const values = Object.hasOwn(harmless, key) ? harmless[key] : undefined;
  return values === true || (values?.includes(found[key] as Json) ?? false);
}

function listAt(root: Json, path: readonly string[]): readonly Json[] {
  const list = path.reduce<Json | undefined>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), root);
  return Array.isArray(list) ? list : [];
}

function holds(value: Json | undefined, line: string): boolean {
  if (typeof value === 'string') return value === line;
  if (Array.isArray(value)) return value.some((item) => holds(item, line));
  return isObject(value) && Object.values(value).some((item) => holds(item, line));
}
