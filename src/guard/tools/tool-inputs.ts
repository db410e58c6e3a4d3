/** Finds the files in a tool's input. Paths are found under known keys, in lists and in patch headers. */
import { isObject, type Json } from '../../core/values/json.ts';
import { leaveOut } from '../limits.ts';
import { filesInPatch } from './patch-headers.ts';
import { MOST_NODES } from './tool-texts.ts';
import {
  ADDRESS_KEYS,
  CHANGE_KEYS,
  CONTENT_KEYS,
  type FileTool,
  type FileUse,
  normalizeName,
  PATCH_KEYS,
  PATH_KEYS,
  SOURCE_KEYS,
  TARGET_KEYS,
  wordsOf,
} from './tools.ts';

/** A file that a tool's input names. */
export interface NamedPath {
  readonly path: string;
  readonly use: FileUse;
}

/** Returns the files that the tool uses. Undefined: the files are unknown, or there are too many of them. */
export function pathsIn(input: Json, { use, looks, from }: FileTool): readonly NamedPath[] | undefined {
  if (typeof input === 'string') return [{ path: input, use }];
  const how = looks && isObject(input) && looks.words.includes(String(input[looks.key])) ? 'read' : use;
  const found = textsUnder(input, new Set([...PATH_KEYS, ...(from ? TARGET_KEYS : [])]))?.map((path) => ({ path, use: how }));
  const sources = from ? textsUnder(input, SOURCE_KEYS)?.map((path) => ({ path, use: from })) : [];
  if (!found || !sources) return undefined;
  return found.length === 0 && how !== 'read' ? undefined : [...sources, ...found];
}

export function pathsInPatch(input: Json): readonly NamedPath[] | undefined {
  const texts = typeof input === 'string' ? [input] : textsUnder(input, PATCH_KEYS);
  const changed = isObject(input)
    ? Object.entries(input).flatMap(([key, value]) => (CHANGE_KEYS.has(normalizeName(key)) ? changesIn(value) : []))
    : [];
  const listed = (typeof input === 'string' ? [] : textsUnder(input, PATH_KEYS))?.map((path): NamedPath => ({ path, use: 'write' }));
  if (!texts || !listed) return undefined;
  const found = [...texts.flatMap((text) => filesInPatch(text, MOST_PATHS)), ...changed, ...listed];
  return found.length === 0 || found.length > MOST_PATHS ? undefined : found;
}

/**
 * Returns the files in the input of an unknown tool. Its name, or the content in its input, shows whether it changes them. Undefined: there are
 * too many.
 */
export function pathsOfUnknown(tool: string, input: Json): readonly NamedPath[] | undefined {
  if (!isObject(input)) return [];
  const words = wordsOf(tool);
  const has = (some: ReadonlySet<string>): boolean => words.some((word) => some.has(word));
  const brings = Object.keys(input).some((key) => CONTENT_KEYS.has(normalizeName(key)));
  const from: FileUse | undefined = has(MOVES) ? 'delete' : has(COPIES) ? 'read' : undefined;
  const use: FileUse = has(DELETES) ? 'delete' : from !== undefined || has(WRITES) || brings ? 'write' : 'read';
  const found = textsUnder(input, new Set([...PATH_KEYS, ...(from ? TARGET_KEYS : [])]))?.map((path) => ({ path, use }));
  const sources = from ? textsUnder(input, SOURCE_KEYS)?.map((path): NamedPath => ({ path, use: from })) : [];
  if (!found || !sources) return undefined;
  // An address is no file.
  return [...sources, ...found].filter(({ path }) => path !== '' && !/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(path));
}

/** Returns the addresses in the input of a tool that may fetch them. */
export function addressesIn(input: Json): readonly string[] {
  const found = textsUnder(input, ADDRESS_KEYS);
  if (found === undefined) leaveOut(`the addresses in its input are more than ${MOST_PATHS}`);
  return (found ?? []).filter((text) => /^\s*(?:[a-z][a-z0-9+.-]*:|[\w.-]+[/:])/i.test(text)).map((text) => text.trim());
}

const MOVES: ReadonlySet<string> = new Set(['move', 'rename', 'mv']);
const COPIES: ReadonlySet<string> = new Set(['copy', 'cp', 'duplicate']);
const DELETES: ReadonlySet<string> = new Set(['delete', 'remove', 'unlink', 'trash', 'erase', 'rm', 'rmdir']);
const WRITES: ReadonlySet<string> = new Set(
  'write save create edit update append insert modify replace put overwrite patch store export download'.split(' '),
);

const MOST_PATHS = 1000;

/** Returns every text under one of the keys, including texts in lists and in maps within lists. Undefined: the input is too large. */
function textsUnder(input: Json, keys: ReadonlySet<string>): string[] | undefined {
  const found: string[] = [];
  const stack: { readonly value: Json; readonly counts: boolean }[] = [{ value: input, counts: false }];
  let seen = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, counts } = next;
    if (++seen > MOST_NODES || found.length > MOST_PATHS) return undefined;
    if (typeof value === 'string') {
      if (counts) found.push(value);
    } else if (Array.isArray(value)) for (const item of value) stack.push({ value: item, counts });
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (item !== undefined) stack.push({ value: item, counts: keys.has(normalizeName(key)) });
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
