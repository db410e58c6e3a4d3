/** The files that a tool's input names: under its keys, in lists, and in the headers of a patch. Bounded: what is too much is said to be. */
import { isObject, type Json } from '../core/json.ts';
import { filesInPatch } from './patch-headers.ts';
import { CHANGE_KEYS, type FileTool, type FileUse, PATCH_KEYS, PATH_KEYS, plain, SOURCE_KEYS, TARGET_KEYS } from './tools.ts';

export interface NamedPath {
  readonly path: string;
  readonly use: FileUse;
}

/** Undefined: there is no telling which files it is about. */
export function pathsIn(input: Json, { use, looks, from }: FileTool): readonly NamedPath[] | undefined {
  if (typeof input === 'string') return [{ path: input, use }];
  const how = looks && isObject(input) && looks.words.includes(String(input[looks.key])) ? 'read' : use;
  const found = named(input, new Set([...PATH_KEYS, ...(from ? TARGET_KEYS : [])]))?.map((path) => ({ path, use: how }));
  const sources = from ? named(input, SOURCE_KEYS)?.map((path) => ({ path, use: from })) : [];
  if (!found || !sources) return undefined;
  return found.length === 0 && how !== 'read' ? undefined : [...sources, ...found];
}

export function pathsInPatch(input: Json): readonly NamedPath[] | undefined {
  const texts = typeof input === 'string' ? [input] : named(input, PATCH_KEYS);
  const changed = isObject(input)
    ? Object.entries(input).flatMap(([key, value]) => (CHANGE_KEYS.has(plain(key)) ? changesIn(value) : []))
    : [];
  const listed = (typeof input === 'string' ? [] : named(input, PATH_KEYS))?.map((path): NamedPath => ({ path, use: 'write' }));
  if (!texts || !listed) return undefined;
  const found = [...texts.flatMap((text) => filesInPatch(text, MOST_PATHS)), ...changed, ...listed];
  return found.length === 0 || found.length > MOST_PATHS ? undefined : found;
}

const MOST_PATHS = 1000;
const MOST_NODES = 5000;
const DEEPEST = 4;

/** Every text under one of these keys, also in lists and in maps within lists. */
function named(input: Json, keys: ReadonlySet<string>): string[] | undefined {
  const found: string[] = [];
  const stack: { readonly value: Json; readonly counts: boolean; readonly depth: number }[] = [{ value: input, counts: false, depth: 0 }];
  let seen = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, counts, depth } = next;
    if (++seen > MOST_NODES || found.length > MOST_PATHS) return undefined;
    if (typeof value === 'string') {
      if (counts) found.push(value);
    } else if (depth > DEEPEST) continue;
    else if (Array.isArray(value)) for (const item of value) stack.push({ value: item, counts, depth: depth + 1 });
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (item !== undefined) stack.push({ value: item, counts: keys.has(plain(key)), depth: depth + 1 });
      }
    }
  }
  return found;
}

function changesIn(value: Json | undefined): NamedPath[] {
  if (!isObject(value)) return [];
  return Object.entries(value).map(([path, change]) => {
    const isDelete = change === 'delete' || (isObject(change) && (change['type'] === 'delete' || Object.hasOwn(change, 'delete')));
    return { path, use: isDelete ? 'delete' : 'write' };
  });
}
