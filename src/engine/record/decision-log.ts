/** The record of decisions, to be read and checked. */

import { type Anchor, type ChainProblem, type LogEntry, type LogFilter, verifyChain } from '../../core/contracts/decision-record.ts';
import type { Store } from '../../core/contracts/store.ts';
import type { Hash } from '../../core/values/digest.ts';

export interface DecisionLog {
  list(filter?: LogFilter): Promise<readonly LogEntry[]>;
  get(id: string): Promise<LogEntry | undefined>;
  /** Whether any entry was changed or removed. With the `head` of an earlier time, also whether the newest were. */
  verify(head?: string): Promise<Verified>;
  /** Removes entries before this time (milliseconds); the rest still verifies. */
  prune(before: number): Promise<number>;
  /** How many decisions of this engine could not be written. */
  readonly failures: number;
}

const PAGE = 1000;

export function createLog(store: () => Promise<Store>, hash: Hash, failures: () => number): DecisionLog {
  return {
    list: async (filter = {}) => (await store()).log.list(filter),
    get: async (id) => (await store()).log.get(id),
    prune: async (before) => (await store()).log.prune(before),
    verify: async (head) => verifyLog(await store(), hash, head),
    get failures() {
      return failures();
    },
  };
}

export interface Verified {
  readonly ok: boolean;
  readonly entries: number;
  /** The last entry. Kept somewhere else, its hash shows later whether the newest entries were removed. */
  readonly head: Anchor;
  readonly problem?: ChainProblem;
}

/** Page by page: a log may be longer than memory. `head`: a hash that must be in it, from an earlier time. */
export async function verifyLog({ log }: Store, hash: Hash, head?: string, onPage?: (entries: number) => void): Promise<Verified> {
  let at = await log.anchor();
  let entries = 0;
  let seen = head === undefined || head === at.hash;
  for (;;) {
    const page = await log.list({ after: at.seq, limit: PAGE });
    const problem = verifyChain(page, at, hash);
    if (problem) return { ok: false, entries, head: at, problem };
    entries += page.length;
    seen ||= page.some((entry) => entry.hash === head);
    onPage?.(entries);
    const last = page.at(-1);
    if (last) at = { seq: last.seq, hash: last.hash };
    if (page.length < PAGE) break;
  }
  return seen ? { ok: true, entries, head: at } : { ok: false, entries, head: at, problem: { seq: at.seq + 1, problem: 'missing' } };
}
