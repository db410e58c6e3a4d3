/** Reads single values of the settings. A value of the wrong type is reported with its position and left out. */
import type { OnError } from '../../core/contracts/hook.ts';
import { type Entry, kindName, type Node } from '../../core/values/document.ts';
import type { Problems } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';

export type Reader<T> = (entry: Entry, problems: Problems) => T | undefined;
export type Readers<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], undefined>> };

/** Returns a reader for a map with these keys. It reports every other key. */
export function readMap<T extends object>(readers: Readers<T>): Reader<T> {
  return (entry, problems) => readEntries(entry.value, `\`${entry.key}\``, readers, problems);
}

export function readEntries<T extends object>(node: Node, what: string, readers: Readers<T>, problems: Problems): T {
  // The type ties each reader to its key. A key that is missing or unusable stays out.
  const values: Record<string, unknown> = {};
  const table: Readonly<Record<string, Reader<unknown>>> = readers;
  if (node.kind !== 'map') {
    problems.report('warning', 'wrong-type', node.at, `${what} must be a map, found ${kindName(node)}; it is ignored.`, 'Write `{ … }`.');
    return values as T;
  }
  const known = Object.keys(table);
  for (const entry of node.entries) {
    const value = Object.hasOwn(table, entry.key) ? table[entry.key]?.(entry, problems) : sayUnknown(entry, known, problems);
    if (value !== undefined) values[entry.key] = value;
  }
  return values as T;
}

function sayUnknown({ key, at }: Entry, known: readonly string[], problems: Problems): undefined {
  const near = suggest(key, known);
  const hint = near ? `Did you mean \`${near}\`?` : `Known: ${known.join(', ')}.`;
  problems.report('warning', 'unknown-key', at, `There is no setting \`${key}\`; it is ignored.`, hint);
}

export function readCount(entry: Entry, problems: Problems): number | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && Number.isSafeInteger(value.value) && Number(value.value) > 0) return Number(value.value);
  wrongType(entry, 'a whole number above 0', problems);
  return undefined;
}

export function readString(entry: Entry, problems: Problems): string | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'string') return value.value;
  wrongType(entry, 'text', problems);
  return undefined;
}

export function readOneOf<const T extends string>(words: readonly T[]): Reader<T> {
  return (entry, problems) => {
    const { value } = entry;
    const found = words.find((word) => value.kind === 'scalar' && value.value === word);
    if (!found) wrongType(entry, `one of ${words.map((word) => `\`${word}\``).join(', ')}`, problems);
    return found;
  };
}

/** Reads a list of strings. Any other item is reported and left out. */
export function readStrings(entry: Entry, problems: Problems): readonly string[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of texts', problems);
    return undefined;
  }
  return entry.value.items.flatMap((value) => readString({ ...entry, value }, problems) ?? []);
}

export function readBoolean(entry: Entry, problems: Problems): boolean | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
  wrongType(entry, '`true` or `false`', problems);
  return undefined;
}

export function wrongType({ key, value }: Entry, wanted: string, problems: Problems): void {
  problems.report(
    'warning',
    'wrong-type',
    value.at,
    `\`${key}\` must be ${wanted}, found ${kindName(value)}; it is ignored.`,
    `Write ${wanted}.`,
  );
}

/** The consequence of a fault, by the name or the file of a hook. */
export type OnErrorSettings = Readonly<Record<string, OnError>>;

export function readOnError(entry: Entry, problems: Problems): OnErrorSettings | undefined {
  if (entry.value.kind !== 'map') {
    wrongType(entry, 'a map from hooks to `pass`, `deny` or `ask`', problems);
    return undefined;
  }
  const read = readOneOf(['pass', 'deny', 'ask'] as const);
  return Object.fromEntries(
    entry.value.entries.flatMap((one) => {
      const value = read(one, problems);
      return value === undefined ? [] : [[one.key, value]];
    }),
  );
}
