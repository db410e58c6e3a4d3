/** Single values of the settings: what has the wrong type is said, at its place, and left out. */
import { type Entry, kindName } from '../core/document.ts';
import type { Complaints } from '../core/loading.ts';

export function readCount(entry: Entry, complaints: Complaints): number | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && Number.isSafeInteger(value.value) && Number(value.value) > 0) return Number(value.value);
  wrongType(entry, 'a whole number above 0', complaints);
  return undefined;
}

export function readWord(entry: Entry, complaints: Complaints): string | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'string') return value.value;
  wrongType(entry, 'text', complaints);
  return undefined;
}

export function readOneOf<T extends string>(entry: Entry, words: readonly T[], complaints: Complaints): T | undefined {
  const { value } = entry;
  const found = words.find((word) => value.kind === 'scalar' && value.value === word);
  if (!found) wrongType(entry, `one of ${words.map((word) => `\`${word}\``).join(', ')}`, complaints);
  return found;
}

export function readBoolean(entry: Entry, complaints: Complaints): boolean | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
  wrongType(entry, '`true` or `false`', complaints);
  return undefined;
}

export function wrongType({ key, value }: Entry, wanted: string, complaints: Complaints): void {
  complaints.say(
    'warning',
    'wrong-type',
    value.at,
    `\`${key}\` must be ${wanted}, found ${kindName(value)}; it is ignored.`,
    `Write ${wanted}.`,
  );
}
