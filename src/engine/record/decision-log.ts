/** Reads, verifies and prunes the record of decisions. */

import type { Store } from '../../core/contracts/store.ts';
import type { LogEntry, LogFilter } from '../../core/record/decision-record.ts';
import type { Actor } from '../../core/record/who.ts';
import type { Hash } from '../../core/values/digest.ts';
import type { Verified, VerifyOptions, Witness } from './verify-log.ts';

export type { Verified } from './verify-log.ts';

export interface DecisionLog {
  list(filter?: LogFilter): Promise<readonly LogEntry[]>;
  get(id: string): Promise<LogEntry | undefined>;
  /** Whether an entry was changed or removed, also at the end of the log. With an earlier `head`, also whether that entry is still there. */
  verify(head?: string): Promise<Verified>;
  /** Removes entries before this time (milliseconds). The rest still verifies. */
  prune(before: number): Promise<number>;
  /** How many decisions of this engine could not be written. */
  readonly failures: number;
}

export interface DecisionLogParts {
  store(): Promise<Store>;
  readonly hash: Hash;
  failures(): number;
  /** The knowledge of this machine about the log, apart from the log; undefined if nothing outlives the process. */
  witness(): Witness | undefined;
}

export function createLog(parts: DecisionLogParts): DecisionLog {
  const { store } = parts;
  return {
    list: async (filter = {}) => (await store()).log.list(filter),
    get: async (id) => (await store()).log.get(id),
    prune: async (before) => (await store()).log.prune(before, { actor: EMBEDDING }),
    verify: (head) => verify(parts, { head }),
    get failures() {
      return parts.failures();
    },
  };
}

/** Loaded when somebody verifies, because no event does. */
export async function verify({ store, hash, witness }: Omit<DecisionLogParts, 'failures'>, options: VerifyOptions): Promise<Verified> {
  const open = await store();
  const known = witness();
  const { verifyLog } = await import('./verify-log.ts');
  return verifyLog(open, hash, { ...options, ...(known && { witness: known }) });
}

const EMBEDDING: Actor = { finding: 'unclear', evidence: ['A program has embedded Hookline.'], via: 'api', by: 'embedding' };
