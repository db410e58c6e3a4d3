/**
 * Remembers the hooks that were read from files, so that a cold start neither looks for hook files nor parses them. Bound to the folders, to the
 * choice of formats and to every path that the search looked at. Whether a hook may run is decided anew at every start.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../core/values/json.ts';
import { type Memory, plainKey } from '../memory.ts';
import { type Lookup, noteLookups, wouldFindTheSame } from './lookups.ts';

interface Kept<T> {
  /** The folders and the choice, in full. */
  readonly of: string;
  readonly lookups: readonly Lookup[];
  readonly loaded: T;
}

/**
 * Returns the result of an earlier search that would find the same now, or that of a new one.
 * @param now the current time, which a test moves on
 */
export async function loadOnce<T>(memory: Memory | undefined, about: unknown, load: () => Promise<T>, now = Date.now): Promise<T> {
  if (!memory) return load();
  const of = JSON.stringify([about, process.platform]);
  const key = plainKey('hooks', of);
  const kept = memory.read(key);
  if (isObject(kept) && kept['of'] === of) {
    const { lookups, loaded } = kept as unknown as Kept<T>;
    if (wouldFindTheSame(lookups)) return loaded;
  }
  const notes = noteLookups(now);
  const loaded = await load();
  const lookups = notes.finish();
  if (lookups && isData(loaded)) memory.write(key, { of, lookups, loaded } satisfies Kept<T>);
  return loaded;
}

/** Whether a text holds all of it. A timeout without end, for example, would become none. */
function isData(loaded: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(loaded)), loaded);
}
