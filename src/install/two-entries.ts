/**
 * Some agents also run the entries in another agent's files, and so call Hookline twice for one event. The entry in their own files answers.
 * The other one has no opinion, but only if the first is certain to be called: it is unchanged, and was called for this event in this session
 * before. An agent with one entry costs one lookup of a file that does not exist.
 */

import type { Host } from '../core/contracts/host.ts';
import { openSessionNotes, type SessionNotes } from '../stores/session-notes.ts';

export interface TwoEntries {
  /** Whether the entry in the caller's own files answers for this call, which came by another one. */
  isAnsweredByOther(call: EntryCall): Promise<boolean>;
}

export interface EntryCall {
  readonly host: Host;
  /** The host for which the entry was written. */
  readonly entry: Host;
  /** Native name. */
  readonly event: string;
  readonly session: string;
}

export interface TwoEntriesPlace {
  readonly stateFolder: string;
  readonly home: string;
  readonly root: string;
  /** The session of callers that name none: it tells nothing. */
  readonly nameless: string;
}

export function createTwoEntries({ stateFolder, home, root, nameless }: TwoEntriesPlace): TwoEntries {
  const open = (topic: string): SessionNotes => openSessionNotes({ stateFolder, topic, root: '', nameless });
  // Agents that have called by an entry of another, and sessions in which they called by their own.
  const [foreign, own] = [open('foreign-entries'), open('own-entries')];
  const noteOf = ({ id }: Host, event: string): string => `${id} ${event}`;
  const callsElsewhere = cacheNegative(({ id }: Host) => foreign.has(id, ''));
  return {
    async isAnsweredByOther({ host, entry, event, session }) {
      if (host === entry) {
        if (callsElsewhere(host)) own.add(session, noteOf(host, event));
        return false;
      }
      foreign.add(host.id, '');
      const { coveredBy, hasOwnEntry } = await import('./own-entry.ts');
      const name = coveredBy(host, event);
      if (name === undefined || session === nameless) return false;
      return own.has(session, noteOf(host, name)) && hasOwnEntry(host, name, { home, root });
    },
  };
}

/** Caches a negative lookup for one second, so that a burst of events does not read the disk each time. A late result costs one more call. */
function cacheNegative(look: (host: Host) => boolean): (host: Host) => boolean {
  const noes = new Map<Host, number>();
  return (host) => {
    const now = process.uptime() * 1000;
    if (now - (noes.get(host) ?? -LOOK_MS) < LOOK_MS) return false;
    const found = look(host);
    if (!found) noes.set(host, now);
    return found;
  };
}

const LOOK_MS = 1_000;
