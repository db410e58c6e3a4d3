/** On Postgres, notices and background hooks are done even if the engine that began them is gone. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { POLL } from '../../support/patience.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { testDatabase } from '../postgres/server.ts';
import { trustedProject } from '../trust/trusted-project.ts';

const HOOK = '---\nname: note\ndescription: Notes what happened.\ntrigger: before_tool\nasync: true\n---\n';

test('a background hook of an engine that ended is run by another one, once', async () => {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  const workspace = createWorkspace();
  workspace.write({
    '.agents/hooks/note/HOOK.md': HOOK,
    '.agents/hooks/note/scripts/run.sh': `#!/bin/sh\ncat >> ${workspace.at('seen.log')}\necho >> ${workspace.at('seen.log')}\n`,
  });
  const first = await workspace.open({ store: url, worker: 'add' });
  const outcome = await first.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
  expect(outcome.hooks).toMatchObject([{ name: 'note', status: 'detached' }]);
  expect(await first.close()).toEqual({ unsettled: [] });
  expect(existsSync(workspace.at('seen.log'))).toBe(false);

  const second = await workspace.open({ store: url, worker: 'run' });
  await vi.waitFor(() => expect(readFileSync(workspace.at('seen.log'), 'utf8')).toContain('"tool_name": "Bash"'), POLL);
  await second.close();
  expect(readFileSync(workspace.at('seen.log'), 'utf8').trim().split('\n')).toHaveLength(1);
});

test('the engine that runs a background hook logs that its files changed meanwhile', async () => {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  const workspace = await trustedProject({
    '.agents/hooks/note/HOOK.md': HOOK,
    '.agents/hooks/note/scripts/run.sh': '#!/bin/sh\nmv "$0" "$0.kept" && mv "$0.kept" "$0"\n',
  });
  const hookline = await workspace.open({ store: url, worker: 'run', trust: 'ask' });
  await hookline.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
  const faults = async () => (await hookline.log.list({})).map(({ outcome }) => outcome);
  await vi.waitFor(async () => {
    expect(await faults()).toMatchObject([
      { hooks: [{ status: 'detached' }] },
      { hooks: [{ name: 'note', status: 'faulted', fault: { kind: 'changed' } }] },
    ]);
  }, POLL);
});

test('people are told of a held action by whichever engine works, again if they could not be reached, and once if they could', async () => {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  const told: string[] = [];
  let tries = 0;
  const server = createServer((request, response) => {
    tries++;
    if (tries > 1) told.push(String(request.headers['webhook-id']));
    response.writeHead(tries > 1 ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const notify = [{ type: 'webhook' as const, url: `http://127.0.0.1:${port}/` }];

  const workspace = createWorkspace();
  const first = await workspace.open({ store: url, worker: 'add', notify });
  first.on('tool.before', () => ({ decision: 'hold', reason: 'Ask Ann.' }));
  const { ticket } = await first.fire('tool.before', { tool: 'Deploy', input: {} });
  await first.close();
  expect(tries).toBe(0);

  const second = await workspace.open({ store: url, worker: 'run', notify });
  await vi.waitFor(() => expect(told).toEqual([`${ticket?.id}:opened`]), POLL);
  await second.close();
  expect(told).toHaveLength(1);
});
