/** The same random life, lived in memory, in SQLite and in Postgres: each store agrees with the model at every step. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { test } from 'vitest';
import type { Store } from '../../../src/core/contracts/store.ts';
import { createMemoryStore } from '../../../src/stores/memory.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { testDatabase } from '../postgres/server.ts';
import { compareAll, storeCommands } from './store-commands.ts';
import { StoreModel } from './store-model.ts';

interface Place {
  readonly name: string;
  readonly runs: number;
  /** Durable ones are used by way of two handles in turn. */
  open(): Promise<{ readonly handles: readonly [Store, ...Store[]]; remove(): Promise<void> | void }>;
}

const places: readonly Place[] = [
  { name: 'memory', runs: 100, open: async () => ({ handles: [createMemoryStore()], remove: () => undefined }) },
  {
    name: 'SQLite',
    runs: 100,
    async open() {
      const folder = await mkdtemp(path.join(tmpdir(), 'hookline-model-'));
      const file = path.join(folder, 'store.db');
      return { handles: [openSqliteStore(file), openSqliteStore(file)], remove: () => rmSync(folder, { recursive: true }) };
    },
  },
  {
    name: 'Postgres',
    runs: 40,
    async open() {
      const { url, drop } = await testDatabase();
      return { handles: [await openPostgresStore(url), await openPostgresStore(url)], remove: drop };
    },
  },
];

test.each(places)('whatever is done to it, $name keeps what the model keeps', async ({ runs, open }) => {
  await fc.assert(
    fc.asyncProperty(storeCommands(120), async (commands) => {
      const { handles, remove } = await open();
      const model = new StoreModel();
      try {
        await fc.asyncModelRun(() => ({ model, real: handles }), commands);
        for (const store of handles) await compareAll(model, store);
      } finally {
        await Promise.all(handles.map((store) => store.close()));
        await remove();
      }
    }),
    { numRuns: runs, interruptAfterTimeLimit: 60_000 },
  );
});
