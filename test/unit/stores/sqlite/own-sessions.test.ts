/** Hookline's own entries in a long log. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROTECTION_SESSION } from '../../../../src/people/secret.ts';
import type { Chain } from '../../../../src/stores/sqlite/chain.ts';
import { Database, type Row, type SqlValue } from '../../../../src/stores/sqlite/database.ts';
import { openSqliteStore } from '../../../../src/stores/sqlite/index.ts';
import { createSqliteLog } from '../../../../src/stores/sqlite/log.ts';

class Watched extends Database {
  readonly asked: [string, SqlValue[]][] = [];

  override all(sql: string, ...values: SqlValue[]): Row[] {
    this.asked.push([sql, values]);
    return super.all(sql, ...values);
  }
}

test('whether a machine is protected is read from an index, not by a look at every entry', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-own-'));
  const file = path.join(folder, 'hookline.db');
  await openSqliteStore(file).close();
  const database = new Watched(file);
  await createSqliteLog(database, {} as Chain).list({ session: PROTECTION_SESSION, limit: 200 });
  const [[sql, values] = ['', []]] = database.asked;
  const plan = database.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((row) => String(row['detail']));
  expect(plan.join('\n')).toMatch(/^SEARCH audit USING INDEX audit_of_own_sessions/);
  database.close();
  rmSync(folder, { recursive: true, force: true });
});
