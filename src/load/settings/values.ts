/** Single values of the settings: what has the wrong type is said, at its place, and left out. */
import { type Entry, kindName, type Node } from '../../core/values/document.ts';
import type { Problems } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';

export type Reader<T> = (entry: Entry, complaints: Problems) => T | undefined;
export type Readers<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], undefined>> };

/** A map whose keys are known; what is not known is said. */
export function readMap<T extends object>(readers: Readers<T>): Reader<T> {
  return (entry, complaints) => readEntries(entry.value, `\`${entry.key}\``, readers, complaints);
}

export function readEntries<T extends object>(node: Node, what: string, readers: Readers<T>, complaints: Problems): T {
  // Filled by readers that the type ties to their keys; a key that is missing or unusable stays out.
  const values: Record<string, unknown> = {};
  const table: Readonly<Record<string, Reader<unknown>>> = readers;
  if (node.kind !== 'map') {
    complaints.say('warning', 'wrong-type', node.at, `${what} must be a map, found ${kindName(node)}; it is ignored.`, 'Write `{ … }`.');
    return values as T;
  }
  const known = Object.keys(table);
  for (const entry of node.entries) {
    const value = Object.hasOwn(table, entry.key) ? table[entry.key]?.(entry, complaints) : sayUnknown(entry, known, complaints);
    if (value !== undefined) values[entry.key] = value;
  }
  return values as T;
}

function sayUnknown({ key, at }: Entry, known: readonly string[], complaints: Problems): undefined {
  const near = suggest(key, known);
  const hint = near ? `Did you mean \`${near}\`?` : `Known: ${known.join(', ')}.`;
  complaints.say('warning', 'unknown-key', at, `There is no setting \`${key}\`; it is ignored.`, hint);
}

export function readCount(entry: Entry, complaints: Problems): number | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && Number.isSafeInteger(value.value) && Number(value.value) > 0) return Number(value.value);
  wrongType(entry, 'a whole number above 0', complaints);
  return undefined;
}

export function readWord(entry: Entry, complaints: Problems): string | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'string') return value.value;
  wrongType(entry, 'text', complaints);
  return undefined;
}

export function readOneOf<const T extends string>(words: readonly T[]): Reader<T> {
  return (entry, complaints) => {
    const { value } = entry;
    const found = words.find((word) => value.kind === 'scalar' && value.value === word);
    if (!found) wrongType(entry, `one of ${words.map((word) => `\`${word}\``).join(', ')}`, complaints);
    return found;
  };
}

/** A list of texts; an item that is none is said and left out. */
export function readWords(entry: Entry, complaints: Problems): readonly string[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of texts', complaints);
    return undefined;
  }
  return entry.value.items.flatMap((value) => readWord({ ...entry, value }, complaints) ?? []);
}

export function readBoolean(entry: Entry, complaints: Problems): boolean | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
  wrongType(entry, '`true` or `false`', complaints);
  return undefined;
}

export function wrongType({ key, value }: Entry, wanted: string, complaints: Problems): void {
  complaints.say(
    'warning',
    'wrong-type',
    value.at,
    `\`${key}\` must be ${wanted}, found ${kindName(value)}; it is ignored.`,
    `Write ${wanted}.`,
  );
}
