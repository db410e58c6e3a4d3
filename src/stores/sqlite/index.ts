/** A store in one file, for one machine. Any number of processes may use it at once, and none loses an entry of another. */

import type { Store, StoreOptions, TicketStore } from '../../core/contracts/store.ts';
import type { GrantStore } from '../../core/record/grant.ts';
import { createChain } from './chain.ts';
import type { CheckpointThread } from './checkpoint-thread.ts';
import { Database } from './database.ts';
import { createSqliteGrants } from './grants.ts';
import { createSqliteLog } from './log.ts';
import { migrate } from './migrations.ts';
import { createSqliteTickets } from './tickets.ts';

/** Creates the file and its folder if they are missing. Throws `store-unavailable` if the file cannot be used. */
export function openSqliteStore(file: string, { lockMs, ledger }: StoreOptions = {}): Store {
  const database = new Database(file, lockMs);
  const checkpoints = createCheckpoints(database);
  const chain = createChain(database, ledger, checkpoints.wrote);
  try {
    migrate(database, (from) => from > 0 && chain.adopt());
    database.finishSetUp();
  } catch (error) {
    database.close();
    throw error;
  }
  const life = new AbortController();
  const close = async (): Promise<void> => {
    chain.flush();
    await checkpoints.close();
    database.close();
    life.abort();
  };
  // Most commands only append to the log.
  let tickets: TicketStore | undefined;
  let grants: GrantStore | undefined;
  return {
    get tickets() {
      tickets ??= createSqliteTickets(database, chain, life.signal);
      return tickets;
    },
    log: createSqliteLog(database, chain),
    get grants() {
      grants ??= createSqliteGrants(database, chain);
      return grants;
    },
    queue: null,
    close,
    async leave() {
      chain.flush();
      if (!database.canBeLeft()) await close();
    },
  };
}

/** A process that has written so many entries is there to stay, so a thread of its own pays for it. */
const LONG_LIVED = 2000;
/** About so many entries between two checkpoints. */
const EVERY = 250;

function createCheckpoints(database: Database): { wrote(entries: number): void; close(): Promise<void> } {
  let thread: Promise<CheckpointThread> | undefined;
  let [all, since] = [0, 0];
  return {
    wrote(entries) {
      all += entries;
      since += entries;
      if (all < LONG_LIVED || since < EVERY) return;
      since = 0;
      thread ??= import('./checkpoint-thread.ts').then(({ startCheckpointThread }) => startCheckpointThread(database));
      void thread.then((started) => started.request(), noThread);
    },
    async close() {
      await thread?.then((started) => started.close(), noThread);
    },
  };
}

/** No thread can be started here, so the thread of the events makes the checkpoints. */
function noThread(): void {}
