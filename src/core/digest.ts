/** One text for one value: keys sorted, so that equal JSON has equal digests. The hash itself is handed in. */
export type Hash = (text: string) => string;

/** Written by hand: it is on the path of every decision that is recorded, and a replacer that sorts takes twice as long. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const item = object[key];
    if (item !== undefined && typeof item !== 'function') text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item)}`;
  }
  return `{${text}}`;
}

export function digestOf(value: unknown, hash: Hash): string {
  return `sha256:${hash(canonicalJson(value))}`;
}
