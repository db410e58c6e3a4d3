/** Writes a value as canonical JSON: keys are sorted, so equal values have equal digests. The hash function is handed in. */

import { isObject, type Json } from './json.ts';

export type Hash = (text: string) => string;

/** Every recorded decision calls this. `JSON.stringify` with a replacer takes four times as long. */
export function canonicalJson(value: unknown): string {
  return inOnePiece(canonicalPart(value));
}

/** A text of many pieces is put together when one of its characters is read. Otherwise each of its readers would do that anew. */
export function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** Returns canonical JSON that becomes a part of a longer text. */
export function canonicalPart(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? listText(value) : objectText(value as Readonly<Record<string, unknown>>);
    default:
      return 'null';
  }
}

/** A text of these characters alone is the same in JSON, and most texts are. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/;

function listText(list: readonly unknown[]): string {
  if (list.length === 0) return '[]';
  let text = '[';
  for (let i = 0; i < list.length; i++) text += i === 0 ? canonicalPart(list[i]) : `,${canonicalPart(list[i])}`;
  return `${text}]`;
}

function objectText(object: Readonly<Record<string, unknown>>): string {
  if (object === last) return lastText;
  const known = texts.get(object);
  if (known !== undefined) return known;
  let text = '';
  for (const key of sorted(Object.keys(object))) {
    const item = object[key];
    if (item === undefined || typeof item === 'function') continue;
    text += text === '' ? `{${quotedKey(key)}` : `,${quotedKey(key)}`;
    text += canonicalPart(item);
  }
  return text === '' ? '{}' : `${text}}`;
}

/** The texts of objects that never change. */
const texts = new WeakMap<object, string>();

/** Freezes an object that is part of many values, so that its text is written once. */
export function unchanging<T extends object>(object: T): T {
  if (texts.has(object)) return object;
  texts.set(object, canonicalJson(object));
  return freezeDeep(object);
}

function freezeDeep<T extends object>(object: T): T {
  for (const item of Object.values(object)) if (typeof item === 'object' && item !== null) freezeDeep(item);
  return Object.freeze(object);
}

const FEW = 20;

/** Sorts in place. For a few keys, which are mostly in order, this takes a fraction of the time of `sort`. */
function sorted(names: string[]): string[] {
  if (names.length > FEW) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i] as string;
    let place = i;
    for (; place > 0 && (names[place - 1] as string) > name; place--) names[place] = names[place - 1] as string;
    names[place] = name;
  }
  return names;
}

/** Caches keys as they are written, because every record has the same few. */
const MOST_KEYS = 1000;
const keys = new Map<string, string>();

function quotedKey(key: string): string {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (keys.size < MOST_KEYS) keys.set(key, text);
  return text;
}

export function digestOf(value: unknown, hash: Hash): string {
  return `sha256:${hash(canonicalJson(value))}`;
}

/** The frozen object whose digest was computed last, and its text. */
let last: object | undefined;
let lastText = '';
/** A longer text would be kept in memory for little: a record holds only a part of it. */
const LONGEST_KEPT = 64 * 1024;

/**
 * Returns the digest of a value. If it is frozen, which it then is at every depth, its text is used again for the next value that contains it: an event contains its
 * input, and its record contains both.
 */
export function digestOfFrozen(value: Json, hash: Hash): string {
  const text = canonicalJson(value);
  if (isObject(value) && Object.isFrozen(value) && text.length <= LONGEST_KEPT) [last, lastText] = [value, text];
  return `sha256:${hash(text)}`;
}
