/** Held actions and the log in Postgres, shared by many machines. */
import type { Store } from '../../core/contracts/store.ts';
import { openDatabase } from './database.ts';
import { createAudit } from './log.ts';
import { createTickets } from './tickets.ts';
import { createWakeUps } from './wake-ups.ts';

export async function openPostgresStore(url: string): Promise<Store> {
  const database = await openDatabase(url);
  const wakeUps = createWakeUps(database);
  return {
    tickets: createTickets(database, wakeUps),
    audit: createAudit(database),
    async close() {
      await wakeUps.close();
      await database.close();
    },
  };
}
