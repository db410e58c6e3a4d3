/** The contract of the views on Postgres, with a real server and processes. */
import { onTestFinished } from 'vitest';
import type { Store } from '../../../src/core/contracts/store.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { openPostgresViews } from '../../../src/views/sql/postgres.ts';
import { createSqlViews } from '../../../src/views/sql/sql-views.ts';
import type { Views } from '../../../src/views/views.ts';
import { sql, testDatabase } from '../postgres/server.ts';
import { startFollower } from './child.ts';
import { describeBusy } from './describe-busy.ts';
import { describeFollower } from './describe-follower.ts';
import { describeViews } from './describe-views.ts';
import type { Scene } from './scene.ts';

const SCHEMA = 'hookline_views';

async function openScene(): Promise<Scene> {
  const database = await testDatabase();
  const store: Store = await openPostgresStore(database.url);
  const opened: Views[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map((one) => one.close().catch(() => undefined)));
    await store.close();
    await database.drop();
  });
  return {
    store,
    async open(batch) {
      const made = createSqlViews(await openPostgresViews(database.url), store.log, batch);
      opened.push(made);
      return made;
    },
    async exchangeLog() {
      await sql(database.url, 'DELETE FROM hookline.audit');
      await sql(database.url, "UPDATE hookline.audit_head SET seq = 0, hash = 'sha256:0', seal = NULL, origin = NULL");
      await sql(database.url, "UPDATE hookline.audit_anchor SET seq = 0, hash = 'sha256:0'");
    },
    change: async (statement) => void (await sql(database.url, statement.replaceAll('v.', `${SCHEMA}.`))),
    async dump() {
      const tables = await sql(database.url, `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${SCHEMA}'`);
      const rows = await Promise.all(tables.map(({ name }) => sql(database.url, `SELECT * FROM ${SCHEMA}.${String(name)}`)));
      return JSON.stringify(rows);
    },
    start: (what, batch) => startFollower(database.url, '', what, batch),
  };
}

describeFollower('Postgres', openScene);
describeViews('Postgres', openScene);
describeBusy('Postgres', openScene);
