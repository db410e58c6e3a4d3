/** Held actions and the log in Postgres, shared by many machines. */
import type { Store, StoreOptions } from '../../core/contracts/store.ts';
import { openDatabase } from './database.ts';
import { createPostgresGrants } from './grants.ts';
import { createPostgresLog } from './log.ts';
import { createTickets } from './tickets.ts';
import { createWakeUps } from './wake-ups.ts';

export async function openPostgresStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const database = await openDatabase(url, options);
  const wakeUps = createWakeUps(database);
  return {
    tickets: createTickets(database, wakeUps),
    log: createPostgresLog(database),
    grants: createPostgresGrants(database, options.ledger),
    queue: { open: async (tasks) => (await import('./work-queue.ts')).createWorkQueue(url, tasks) },
    async close() {
      await wakeUps.close();
      await database.close();
    },
  };
}
