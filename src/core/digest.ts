/** One text for one value: keys sorted, so that equal JSON has equal digests. The hash itself is handed in. */
import { isObject } from './json.ts';

export type Hash = (text: string) => string;

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : item,
  );
}

export function digestOf(value: unknown, hash: Hash): string {
  return `sha256:${hash(canonicalJson(value) ?? 'null')}`;
}
