/** Held actions and the log in Postgres, shared by many machines. */
import type { Store, StoreOptions } from '../../core/contracts/store.ts';
import { adopt, createChain } from './chain.ts';
import { openDatabase } from './database.ts';
import { createPostgresGrants } from './grants.ts';
import { createPostgresLog } from './log.ts';
import { createTickets } from './tickets.ts';
import { createWakeUps } from './wake-ups.ts';

export async function openPostgresStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const { ledger, lockMs } = options;
  const database = await openDatabase(url, options, async (query, from) => {
    if (from === 1) await adopt(query, ledger);
  });
  const wakeUps = createWakeUps(database);
  const chain = createChain(database, ledger, { lockMs, onSettled: wakeUps.tell });
  return {
    tickets: createTickets(database, chain, wakeUps),
    log: createPostgresLog(database, chain),
    grants: createPostgresGrants(database, chain),
    queue: { open: async (tasks) => (await import('./work-queue.ts')).createWorkQueue(url, tasks) },
    async close() {
      await wakeUps.close();
      await database.close();
    },
  };
}
