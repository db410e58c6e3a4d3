/** Finds the shell commands and the files in a tool's input. */
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { filesInPatch } from './patch-headers.ts';
import {
  CERTAIN_COMMAND_KEYS,
  CHANGE_KEYS,
  COMMAND_KEYS,
  type FileTool,
  type FileUse,
  looksLikeShell,
  normalizeName,
  PATCH_KEYS,
  PATH_KEYS,
  SOURCE_KEYS,
  TARGET_KEYS,
  type ToolKind,
} from './tools.ts';

/** Returns the shell texts in the input: one line, several lines or a list of words. Undefined: the tool runs a command that is unknown. */
export function shellTexts(tool: string, kind: ToolKind, input: Json): readonly string[] | undefined {
  if (kind.does === 'type') return typedTexts(input);
  if (kind.does !== 'run') return looksLikeShell(tool) ? deepTexts(input) : [];
  if (typeof input === 'string') return [input];
  if (Array.isArray(input)) return commandsInList(input, false);
  if (!isObject(input)) return undefined;
  const found: string[] = [];
  for (const [key, value] of Object.entries(input)) {
    if (!COMMAND_KEYS.has(normalizeName(key))) continue;
    const texts = textsOf(value, normalizeName(key) === 'commands', input);
    if (!texts) return undefined;
    found.push(...texts);
  }
  return found.length === 0 ? undefined : found;
}

function textsOf(value: Json | undefined, many: boolean, { args }: JsonObject): readonly string[] | undefined {
  if (typeof value === 'string') {
    if (typeof args === 'string') return [`${value} ${args}`];
    if (Array.isArray(args))
      return args.every((arg) => typeof arg === 'string') ? [`${value} ${args.map(quoteWord).join(' ')}`] : undefined;
    return [value];
  }
  if (Array.isArray(value)) return commandsInList(value, many);
  // For example `{ "action": { "command": […] } }`.
  return isObject(value) ? deepTexts(value) : undefined;
}

/** Joins a list of words to one command. With `many`, the list contains one command per item. */
function commandsInList(list: readonly Json[], many: boolean): readonly string[] | undefined {
  const texts = list.filter((item): item is string => typeof item === 'string');
  if (texts.length !== list.length || texts.length === 0) return undefined;
  const asWords = texts.map(quoteWord).join(' ');
  if (many) return texts;
  return texts.length === 1 ? [texts[0] ?? ''] : [asWords];
}

/** Returns the text that a tool types into a running program. */
function typedTexts(input: Json): readonly string[] {
  if (typeof input === 'string') return [input];
  if (!isObject(input)) return [];
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === 'string' && (TYPED_KEYS.has(normalizeName(key)) || COMMAND_KEYS.has(normalizeName(key))) ? [value] : [],
  );
}

const TYPED_KEYS: ReadonlySet<string> = new Set(['chars', 'text', 'input', 'keys', 'data']);
const MOST_NODES = 5000;

/** Returns every text under a command key at any depth, for a tool that is not known. */
function deepTexts(input: Json): readonly string[] {
  const found: string[] = [];
  const stack: Json[] = [input];
  let seen = 0;
  for (let next = stack.pop(); next !== undefined && ++seen < MOST_NODES; next = stack.pop()) {
    if (Array.isArray(next)) for (const item of next) stack.push(item);
    else if (isObject(next)) {
      for (const [key, value] of Object.entries(next)) {
        const texts = CERTAIN_COMMAND_KEYS.has(normalizeName(key))
          ? Array.isArray(value)
            ? commandsInList(value, normalizeName(key) === 'commands')
            : [value]
          : [];
        for (const text of texts ?? []) if (typeof text === 'string') found.push(text);
        if (typeof value === 'object' && value !== null) stack.push(value as Json);
      }
    }
  }
  return found;
}

function quoteWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A file that a tool's input names. Paths are found under known keys, in lists and in patch headers. */
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

const MOST_PATHS = 1000;
const DEEPEST = 4;

/** Returns every text under one of the keys, including texts in lists and in maps within lists. Undefined: the input is too large. */
function textsUnder(input: Json, keys: ReadonlySet<string>): string[] | undefined {
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
        if (item !== undefined) stack.push({ value: item, counts: keys.has(normalizeName(key)), depth: depth + 1 });
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
