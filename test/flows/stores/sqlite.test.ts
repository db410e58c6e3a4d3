/** The store in a file guards its file, and says what is wrong when it can't be used. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleTicket } from '../../../src/api/testing/sample-records.ts';
import type { Store } from '../../../src/core/contracts/store.ts';
import { HooklineError } from '../../../src/core/values/errors.ts';
import { type Connection, connect } from '../../../src/stores/sqlite/database.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { until } from '../../support/patience.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const folder = mkdtempSync(path.join(tmpdir(), 'hookline-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const newFile = (): string => path.join(folder, `${count++}`, 'hookline.db');
const files = new Map<Store, string>();

function makeStore(file = newFile()): Store {
  const store = openSqliteStore(file);
  files.set(store, file);
  return store;
}

const fileOf = (store: Store): string => files.get(store) ?? '';

function withConnection(file: string, work: (connection: Connection) => void): void {
  const connection = connect(file);
  try {
    work(connection);
  } finally {
    connection.close();
  }
}

describe('the file', () => {
  test('is its owner’s alone, as is a folder that was made for it', async () => {
    const file = newFile();
    const store = makeStore(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    await store.close();
  });

  test('keeps what was stored when it is opened again', async () => {
    const store = makeStore();
    await store.tickets.open(sampleTicket('a'), 1000);
    await store.close();
    const again = makeStore(fileOf(store));
    expect((await again.tickets.get('a', 1000))?.state).toBe('open');
    await again.close();
  });

  test('of a newer version is refused, and left as it is', async () => {
    const file = newFile();
    await makeStore(file).close();
    withConnection(file, (connection) => connection.exec('INSERT INTO hookline_migrations (version) VALUES (999)'));
    expect(whyNot(file)).toContain('was written by a newer version of Hookline');
    withConnection(file, (connection) => {
      expect(connection.prepare('SELECT max(version) AS version FROM hookline_migrations').get()).toMatchObject({ version: 999 });
    });
  });

  test('that cannot be opened or made is told with a way out, never as an error of SQLite', () => {
    const text = path.join(folder, 'text.db');
    writeFileSync(text, 'This is no database, and long enough to be taken for one.'.repeat(50));
    expect(whyNot(text)).toContain('cannot be used');
    expect(readFileSync(text, 'utf8')).toContain('This is no database');
    expect(whyNot(folder)).toContain('cannot be used');
    expect(whyNot(path.join(text, 'below', 'hookline.db'))).toContain('cannot be used');
  });

  test('a ticket id that is taken, for another action, is an error and changes nothing', async () => {
    const store = makeStore();
    await store.tickets.open(sampleTicket('a'), 1000);
    await expect(store.tickets.open(sampleTicket('a', { digest: 'other' }), 1000)).rejects.toThrow(HooklineError);
    expect((await store.tickets.list({}, 1000)).map(({ digest }) => digest)).toEqual(['sha256:a']);
    await store.close();
  });

  test('opening it tells nothing on stderr about Node’s own plans', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): unknown => warnings.push(warning.message);
    process.on('warning', listen);
    await makeStore().close();
    process.emitWarning('another warning');
    // Warnings arrive in order, so this is the last of them.
    await until(() => warnings.includes('another warning'));
    process.off('warning', listen);
    expect(warnings).toEqual(['another warning']);
  });
});

test('a column of the log that was changed apart from the body shows in the chain', async () => {
  const { verifyChain } = await import('../../../src/core/record/decision-record.ts');
  const { sampleRecord } = await import('../../../src/api/testing/sample-records.ts');
  for (const change of ["decision = 'allow'", "tool = 'Other'", 'tool = NULL', "session = 'x'", "id = 'x'", 'at = 1']) {
    const store = makeStore();
    await store.log.append(sampleRecord('a'), hash);
    withConnection(fileOf(store), (connection) => connection.exec(`UPDATE audit SET ${change}`));
    expect(verifyChain(await store.log.list({}), await store.log.anchor(), hash), change).toEqual({ seq: 1, problem: 'changed' });
    await store.close();
  }
});

function whyNot(file: string): string {
  try {
    openSqliteStore(file);
  } catch (error) {
    expect(error).toBeInstanceOf(HooklineError);
    const { code, hint, message } = error as HooklineError;
    expect(code).toBe('store-unavailable');
    expect(hint).toMatch(/\w/);
    return message;
  }
  return 'it was opened';
}
