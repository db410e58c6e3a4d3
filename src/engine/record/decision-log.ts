/** Reads, verifies and prunes the record of decisions. */

import { type Anchor, type ChainProblem, type LogEntry, type LogFilter, verifyChain } from '../../core/contracts/decision-record.ts';
import type { Store } from '../../core/contracts/store.ts';
import type { Hash } from '../../core/values/digest.ts';

export interface DecisionLog {
  list(filter?: LogFilter): Promise<readonly LogEntry[]>;
  get(id: string): Promise<LogEntry | undefined>;
  /** Whether an entry was changed or removed. With an earlier `head`, also whether the newest entries were. */
  verify(head?: string): Promise<Verified>;
  /** Removes entries before this time (milliseconds). The rest still verifies. */
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
  /** The last entry. If its hash is kept elsewhere, it shows later whether the newest entries were removed. */
  readonly head: Anchor;
  readonly problem?: ChainProblem;
}

/** Reads page by page, because a log may be larger than memory. `head`: an earlier hash that must be in it. */
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
