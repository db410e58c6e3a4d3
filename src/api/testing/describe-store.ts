/** The contract of a store, as tests: one winner, one release, nothing lost, and a log in which tampering shows. */

import type { Store } from '../../core/contracts/store.ts';
import type { LogEntry } from '../../core/record/decision-record.ts';
import type { Hash } from '../../core/values/digest.ts';
import { grantLaws } from './store-grant-laws.ts';
import { ledgerLaws } from './store-ledger-laws.ts';
import { logLaws } from './store-log-laws.ts';
import { releaseLaws, waitingLaws } from './store-release-laws.ts';
import { ticketLaws } from './store-ticket-laws.ts';
import type { Suite } from './suite.ts';

export interface StoreOptions {
  readonly name: string;
  /** SHA-256, in hex. */
  readonly hash: Hash;
  /** Opens the same place a second time, as another process would. Absent if no other process can reach it. */
  readonly again?: (store: Store) => Store | Promise<Store>;
  /** Changes the stored log without using the store. Absent if there is no way to do that. */
  readonly tamper?: (store: Store, tampering: Tampering) => unknown;
  /** Opens a store with a ledger at a new, empty place. `again` then opens it with a ledger too. */
  readonly recording?: () => Store | Promise<Store>;
}

/** Changes the reason of an entry, removes an entry, or exchanges the contents of two entries and keeps their numbers. */
export type Tampering =
  | { readonly kind: 'change'; readonly seq: number; readonly reason: string }
  | { readonly kind: 'remove'; readonly seq: number }
  | { readonly kind: 'swap'; readonly seq: number; readonly with: number };

/** The tools of the laws. */
export interface Bench {
  readonly hash: Hash;
  /** Defines a test with new stores: the same place opened twice, or the same store twice if it cannot be opened again. */
  law(name: string, body: (store: Store, other: Store) => Promise<void>): void;
  /** Returns the log after tampering. */
  tampered(store: Store, tampering: Tampering): Promise<readonly LogEntry[]>;
}

/**
 * Defines the tests.
 * @param makeStore opens a store at a new, empty place
 */
export function describeStore(suite: Suite, makeStore: () => Store | Promise<Store>, options: StoreOptions): void {
  const { hash, again, tamper, recording } = options;
  const benchOf = (make: () => Store | Promise<Store>): Bench => ({
    hash,
    law(name, body) {
      suite.test(name, async () => {
        const store = await make();
        const other = again ? await again(store) : store;
        try {
          await body(store, other);
        } finally {
          await other.close();
          await store.close();
        }
      });
    },
    async tampered(store, tampering) {
      if (!tamper) return tamperedCopy(await store.log.list({}), tampering);
      await tamper(store, tampering);
      return store.log.list({});
    },
  });
  const bench = benchOf(makeStore);
  suite.describe(`store ${options.name}`, () => {
    ticketLaws(suite, bench);
    releaseLaws(suite, bench);
    waitingLaws(suite, bench);
    logLaws(suite, bench);
    grantLaws(suite, bench);
  });
  if (!recording) return;
  const ledgerBench = benchOf(recording);
  suite.describe(`store ${options.name} with a ledger`, () => {
    ticketLaws(suite, ledgerBench);
    releaseLaws(suite, ledgerBench);
    waitingLaws(suite, ledgerBench);
    ledgerLaws(suite, ledgerBench, tamper);
  });
}

function tamperedCopy(entries: readonly LogEntry[], tampering: Tampering): LogEntry[] {
  if (tampering.kind === 'remove') return entries.filter(({ seq }) => seq !== tampering.seq);
  if (tampering.kind === 'change') {
    return entries.map((entry) => (entry.seq === tampering.seq ? { ...entry, reason: tampering.reason } : entry));
  }
  const partner = (seq: number): number => (seq === tampering.seq ? tampering.with : seq === tampering.with ? tampering.seq : seq);
  return entries.map(({ seq }) => ({ ...(entries.find((entry) => entry.seq === partner(seq)) as LogEntry), seq }));
}
