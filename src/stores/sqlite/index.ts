/** A store in one file, for one machine. Any number of processes may use it at once, and none loses an entry of another. */

import type { Store, StoreOptions, TicketStore } from '../../core/contracts/store.ts';
import type { GrantStore } from '../../core/record/grant.ts';
import { createChain } from './chain.ts';
import { Database } from './database.ts';
import { createSqliteGrants } from './grants.ts';
import { createSqliteLog } from './log.ts';
import { migrate } from './migrations.ts';
import { createSqliteTickets } from './tickets.ts';

/** Creates the file and its folder if they are missing. Throws `store-unavailable` if the file cannot be used. */
export function openSqliteStore(file: string, { lockMs, ledger }: StoreOptions = {}): Store {
  const database = new Database(file, lockMs);
  const chain = createChain(database, ledger);
  try {
    migrate(database, (from) => from > 0 && chain.adopt());
    database.finishSetUp();
  } catch (error) {
    database.close();
    throw error;
  }
  const life = new AbortController();
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
    async close() {
      chain.flush();
      database.close();
      life.abort();
    },
  };
}
