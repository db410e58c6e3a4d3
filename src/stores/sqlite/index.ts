/** A store in one file, for one machine: any number of processes may use it at once, and none of them loses what another wrote. */
import type { Store } from '../../core/contracts/store.ts';
import { Database } from './database.ts';
import { createSqliteLog } from './log.ts';
import { migrate } from './migrations.ts';
import { createSqliteTickets } from './tickets.ts';

/** Makes the file, and its folder, if it is not there. Throws `store-unavailable` if it can't be used. */
export function openSqliteStore(file: string): Store {
  const database = new Database(file);
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const life = new AbortController();
  return {
    tickets: createSqliteTickets(database, life.signal),
    log: createSqliteLog(database),
    async close() {
      database.close();
      life.abort();
    },
  };
}
