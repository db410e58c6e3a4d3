/** A store that another process has locked delays an event by a second at most, and the event is still answered. */
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/stores/sqlite/database.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { createWorkspace } from '../../support/workspace.ts';

const CALL = { tool: 'Bash', input: { command: 'deploy' } };
/** The old wait for one lock. An event may wait for several locks, so it took a multiple of this. */
const ONE_OLD_WAIT_MS = 5000;

function locked(how: 'IMMEDIATE' | 'EXCLUSIVE') {
  const workspace = createWorkspace();
  const file = workspace.at('~/log.db');
  const lock = () => {
    const connection = connect(file);
    if (how === 'EXCLUSIVE') connection.exec('PRAGMA locking_mode = EXCLUSIVE');
    connection.exec(`BEGIN ${how}`);
    if (how === 'EXCLUSIVE') connection.exec('CREATE TABLE held (x)');
    onTestFinished(() => void connection.close());
    return connection;
  };
  return { workspace, file, lock };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const started = performance.now();
  return { value: await work(), ms: performance.now() - started };
}

test.each(['IMMEDIATE', 'EXCLUSIVE'] as const)('an event is decided while the log is locked (%s), and says so', async (how) => {
  const { workspace, file, lock } = locked(how);
  await openSqliteStore(file).close();
  lock();
  const hookline = await workspace.open({ store: `sqlite:${file}` });
  hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no' }));
  const { value, ms } = await timed(() => hookline.fire('tool.before', CALL));
  expect(value.decision).toBe('deny');
  expect(value.diagnostics.map(({ code }) => code)).toContain('log-failed');
  expect(ms).toBeLessThan(ONE_OLD_WAIT_MS);
});

test('an event that needs the store twice waits for it once', async () => {
  const { workspace, file, lock } = locked('IMMEDIATE');
  await openSqliteStore(file).close();
  const connection = lock();
  const hookline = await workspace.open({ store: `sqlite:${file}` });
  hookline.on('tool.before', () => ({ decision: 'ask', reason: 'a person must decide' }));
  const { value, ms } = await timed(() => hookline.fire('tool.before', CALL));
  expect(value.decision).toBe('deny');
  expect(ms).toBeLessThan(ONE_OLD_WAIT_MS);
  connection.exec('COMMIT');
  // The store is used again once it is free.
  await expect.poll(async () => (await hookline.fire('tool.before', CALL)).decision, { timeout: 60_000 }).toBe('hold');
});
