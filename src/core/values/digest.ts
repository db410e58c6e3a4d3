/** Writes a value as canonical JSON: keys are sorted, so equal values have equal digests. The hash function is handed in. */

export type Hash = (text: string) => string;

/** Every recorded decision calls this. `JSON.stringify` with a replacer takes four times as long. */
export function canonicalJson(value: unknown): string {
  // Collected and joined, because a text that grows by pieces is put together anew by each of its readers.
  const parts: string[] = [];
  write(value, parts);
  return parts.join('');
}

function write(value: unknown, parts: string[]): void {
  switch (typeof value) {
    case 'string':
      parts.push(PLAIN.test(value) ? `"${value}"` : JSON.stringify(value));
      return;
    case 'number':
      parts.push(Number.isFinite(value) ? String(value) : 'null');
      return;
    case 'boolean':
      parts.push(value ? 'true' : 'false');
      return;
    case 'object':
      if (value === null) parts.push('null');
      else if (Array.isArray(value)) writeList(value, parts);
      else writeObject(value as Readonly<Record<string, unknown>>, parts);
      return;
    default:
      parts.push('null');
  }
}

/** A text of these characters alone is the same in JSON, and most texts are. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/;

function writeList(list: readonly unknown[], parts: string[]): void {
  parts.push('[');
  for (let i = 0; i < list.length; i++) {
    if (i > 0) parts.push(',');
    write(list[i], parts);
  }
  parts.push(']');
}

function writeObject(object: Readonly<Record<string, unknown>>, parts: string[]): void {
  let before = '{';
  for (const key of sorted(Object.keys(object))) {
    const item = object[key];
    if (item === undefined || typeof item === 'function') continue;
    parts.push(before, quotedKey(key));
    write(item, parts);
    before = ',';
  }
  parts.push(before === '{' ? '{}' : '}');
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
