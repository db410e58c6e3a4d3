/** A caller that waits for a person waits no longer than it wants, and not for a store that is gone. */
import { rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { until } from '../../support/patience.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline as program } from '../cli/program.ts';
import { NOW, sampleTicket } from '../postgres/samples.ts';
import { sql, testDatabase } from '../postgres/server.ts';

const CALL = { tool: 'Bash', input: { command: 'deploy' } };
const HOLDS = `import { defineHook, hold } from 'hookline/hook';
export default defineHook({ on: 'tool.before', run: () => hold('A person decides.') });
`;

/** Collects garbage all the time, until the test is over. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const timer = setInterval(runInNewContext('gc'), 50);
  onTestFinished(() => clearInterval(timer));
}

test.each(['memory:', 'sqlite:'])('a wait ends at its own limit, however often garbage is collected (%s)', async (scheme) => {
  const workspace = createWorkspace();
  const store = scheme === 'sqlite:' ? `sqlite:${workspace.at('~/log.db')}` : 'memory:';
  const hookline = await workspace.open({ store });
  hookline.on('tool.before', () => ({ decision: 'hold', reason: 'A person decides.' }));
  collectGarbage();
  expect(await hookline.fire('tool.before', CALL, { wait: 1500 })).toMatchObject({ decision: 'hold' });
  const { ticket } = await hookline.fire('tool.before', CALL);
  expect(await hookline.waitFor(String(ticket?.id), { timeoutMs: 1000, signal: new AbortController().signal })).toBeUndefined();
});

test('a store that is deleted ends the wait with a named fault, and the command never exits with 0', async () => {
  const workspace = createWorkspace();
  workspace.write({ '.hookline/hooks/gate.ts': HOLDS });
  const store = `sqlite:${workspace.at('~/kept/log.db')}`;
  const fire = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"deploy"}', '--trust-all', '--store', store];
  const fired = program(workspace, [...fire, '--wait', '600']);
  const isHeld = async (): Promise<boolean> =>
    JSON.parse((await program(workspace, ['approvals', 'list', '--json', '--store', store])).stdout).tickets?.length === 1;
  await until(isHeld);
  rmSync(workspace.at('~/kept'), { recursive: true });
  const { exit, stderr } = await fired;
  expect(stderr).toContain('is gone: it was deleted or replaced while it was in use.');
  expect(exit).toBeGreaterThan(3);
});

test('a database whose tables are dropped ends the wait', async () => {
  const database = await testDatabase();
  const store = await openPostgresStore(database.url);
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  const { ticket } = await store.tickets.open(sampleTicket('t1'), NOW);
  const waited = store.tickets.waitFor(ticket.id, () => NOW, new AbortController().signal);
  await sql(database.url, 'DROP SCHEMA hookline CASCADE');
  await expect(waited).rejects.toMatchObject({ code: 'store-unavailable' });
});
