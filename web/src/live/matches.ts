/** Whether something new fits the conditions of the address. Mirrors the filter of the server for what an entry shows by itself. */
import type { FoldedItem, ViewEntry } from '../../../src/ui/api.ts';
import type { Query } from '../data/address.ts';

const EQUAL = ['tool', 'kind', 'host', 'user', 'project', 'session', 'agent', 'sort'] as const;

/**
 * Returns `unknown` if only the server can tell: an entry does not show which hooks it concerns, and passes that are folded show little.
 * @param isFolded the list shows passes folded
 */
export function fits(item: FoldedItem, query: Query, isFolded: boolean): boolean | 'unknown' {
  // A time that is over gets nothing new.
  if (query['until'] !== undefined) return false;
  if (query['hook'] !== undefined) return 'unknown';
  if ('entry' in item) return matches(item.entry, query);
  if (query['fault'] || (query['decision'] && isFolded)) return false;
  if (query['session'] !== undefined && query['session'] !== item.fold.session) return false;
  return Object.keys(query).every((name) => name === 'session') && isFolded ? true : 'unknown';
}

function matches(entry: ViewEntry, query: Query): boolean {
  if (query['decision'] && !query['decision'].split(',').includes(entry.decision)) return false;
  if (EQUAL.some((name) => query[name] !== undefined && entry[name] !== query[name])) return false;
  if (query['fault'] && entry.faults === 0) return false;
  if (query['since'] && entry.at < Number(query['since'])) return false;
  const text = query['text']?.toLowerCase();
  return text === undefined || `${entry.tool ?? ''}\n${entry.what}\n${entry.reason ?? ''}`.toLowerCase().includes(text);
}

/** Whether nothing happened but that the event went on. */
export function isPlainPass({ sort, decision, faults, isRewritten, isAlarm }: ViewEntry): boolean {
  return sort !== 'act' && decision === 'pass' && faults === 0 && !isRewritten && !isAlarm;
}
