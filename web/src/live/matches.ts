/** Whether a new entry fits the conditions of the address. Mirrors the filter of the server for what an entry shows by itself. */
import type { ViewEntry } from '../../../src/ui/api.ts';
import type { Query } from '../data/address.ts';

const EQUAL = ['tool', 'kind', 'host', 'user', 'project', 'session', 'agent', 'sort'] as const;

/** An entry does not show which hooks it concerns, so the server must be asked. */
export function needsServer(query: Query): boolean {
  return query['hook'] !== undefined || query['until'] !== undefined;
}

export function matches(entry: ViewEntry, query: Query): boolean {
  if (query['decision'] && !query['decision'].split(',').includes(entry.decision)) return false;
  if (EQUAL.some((name) => query[name] !== undefined && entry[name] !== query[name])) return false;
  if (query['fault'] && entry.faults === 0) return false;
  if (query['since'] && entry.at < Number(query['since'])) return false;
  const text = query['text']?.toLowerCase();
  return text === undefined || `${entry.tool ?? ''}\n${entry.what}\n${entry.reason ?? ''}`.toLowerCase().includes(text);
}
