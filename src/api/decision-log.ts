/** The record of decisions, to be read and checked. */
import { type AuditEntry, type AuditFilter, type ChainProblem, verifyChain } from '../core/audit.ts';
import type { Store } from '../core/store.ts';
import { sha256 } from './sha256.ts';

export interface DecisionLog {
  list(filter?: AuditFilter): Promise<readonly AuditEntry[]>;
  get(id: string): Promise<AuditEntry | undefined>;
  /** Whether any entry was changed or removed. */
  verify(): Promise<{ readonly ok: boolean; readonly entries: number; readonly problem?: ChainProblem }>;
  /** Removes entries before this time (milliseconds); the rest still verifies. */
  prune(before: number): Promise<number>;
  /** How many decisions of this engine could not be written. */
  readonly failures: number;
}

const PAGE = 1000;

export function createLog(store: () => Promise<Store>, failures: () => number): DecisionLog {
  return {
    list: async (filter = {}) => (await store()).audit.list(filter),
    get: async (id) => (await store()).audit.get(id),
    prune: async (before) => (await store()).audit.prune(before),
    verify: async () => verifyLog(await store()),
    get failures() {
      return failures();
    },
  };
}

/** Page by page: a log may be longer than memory. */
export async function verifyLog(
  { audit }: Store,
  onPage?: (entries: number) => void,
): Promise<{ readonly ok: boolean; readonly entries: number; readonly problem?: ChainProblem }> {
  let at = await audit.anchor();
  let entries = 0;
  for (;;) {
    const page = await audit.list({ after: at.seq, limit: PAGE });
    const problem = verifyChain(page, at, sha256);
    if (problem) return { ok: false, entries, problem };
    entries += page.length;
    onPage?.(entries);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return { ok: true, entries };
    at = { seq: last.seq, hash: last.hash };
  }
}
