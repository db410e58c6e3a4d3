/** Writes a value as canonical JSON: keys are sorted, so equal values have equal digests. The hash function is handed in. */

export type Hash = (text: string) => string;

/** Every recorded decision calls this. `JSON.stringify` with a replacer takes four times as long. */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : canonicalObject(value as Readonly<Record<string, unknown>>);
    default:
      return 'null';
  }
}

function canonicalObject(object: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const item = object[key];
    if (item === undefined || typeof item === 'function') continue;
    text += `${text === '' ? '{' : ','}${quoted(key)}:${canonicalJson(item)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Caches quoted keys, because every record has the same few. */
const MOST_KEYS = 1000;
const keys = new Map<string, string>();

function quoted(key: string): string {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(key);
  if (keys.size < MOST_KEYS) keys.set(key, text);
  return text;
}

export function digestOf(value: unknown, hash: Hash): string {
  return `sha256:${hash(canonicalJson(value))}`;
}
