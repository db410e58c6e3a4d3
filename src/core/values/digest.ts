/** Writes a value as canonical JSON: keys are sorted, so equal values have equal digests. The hash function is handed in. */

export type Hash = (text: string) => string;

/** Every recorded decision calls this. `JSON.stringify` with a replacer takes four times as long. */
export function canonicalJson(value: unknown): string {
  const text = textOf(value);
  // A text of many pieces is put together when one of its characters is read. Otherwise each of its readers would do that anew.
  text.charCodeAt(0);
  return text;
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? textOfList(value) : textOfObject(value as Readonly<Record<string, unknown>>);
    default:
      return 'null';
  }
}

/** A text of these characters alone is the same in JSON, and most texts are. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/;

function textOfList(list: readonly unknown[]): string {
  if (list.length === 0) return '[]';
  let text = '[';
  for (let i = 0; i < list.length; i++) text += i === 0 ? textOf(list[i]) : `,${textOf(list[i])}`;
  return `${text}]`;
}

function textOfObject(object: Readonly<Record<string, unknown>>): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  let text = '';
  for (const key of sorted(Object.keys(object))) {
    const item = object[key];
    if (item === undefined || typeof item === 'function') continue;
    text += text === '' ? `{${quotedKey(key)}` : `,${quotedKey(key)}`;
    text += textOf(item);
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
