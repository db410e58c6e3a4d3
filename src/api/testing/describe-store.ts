/** The contract of a store, as tests: one winner, one release, nothing forgotten, and a log that shows what was done to it. */
import type { LogEntry } from '../../core/contracts/decision-record.ts';
import type { Store } from '../../core/contracts/store.ts';
import type { Hash } from '../../core/values/digest.ts';
import { logLaws } from './store-log-laws.ts';
import { releaseLaws, waitingLaws } from './store-release-laws.ts';
import { ticketLaws } from './store-ticket-laws.ts';
import type { Suite } from './suite.ts';

export interface StoreOptions {
  readonly name: string;
  /** SHA-256, in hex. */
  readonly hash: Hash;
  /** Opens the place of this store a second time, as another process would. Absent if nobody else can get there. */
  readonly again?: (store: Store) => Store | Promise<Store>;
  /** Does to the stored log what nobody should, behind the store's back. Absent if there is no such way. */
  readonly tamper?: (store: Store, tampering: Tampering) => unknown;
}

/** Another reason in an entry, an entry taken out, or the contents of two entries exchanged, their numbers kept. */
export type Tampering =
  | { readonly kind: 'change'; readonly seq: number; readonly reason: string }
  | { readonly kind: 'remove'; readonly seq: number }
  | { readonly kind: 'swap'; readonly seq: number; readonly with: number };

/** What the laws work with. */
export interface Bench {
  readonly hash: Hash;
  /** A test on stores of its own: the same place twice, or the same store twice if it can't be opened again. */
  law(name: string, body: (store: Store, other: Store) => Promise<void>): void;
  /** The log after it was tampered with. */
  tampered(store: Store, tampering: Tampering): Promise<readonly LogEntry[]>;
}

/** `makeStore` opens a store at a new and empty place. */
export function describeStore(suite: Suite, makeStore: () => Store | Promise<Store>, options: StoreOptions): void {
  const { hash, again, tamper } = options;
  const bench: Bench = {
    hash,
    law(name, body) {
      suite.test(name, async () => {
        const store = await makeStore();
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
  };
  suite.describe(`store ${options.name}`, () => {
    ticketLaws(suite, bench);
    releaseLaws(suite, bench);
    waitingLaws(suite, bench);
    logLaws(suite, bench);
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
