/** `hookline ui` as a process: the link, for whom it is, a second link, and the end. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { isAlive } from '../../support/processes.ts';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { createGate } from '../cli/gate.ts';
import { hookline, WITHOUT_PERSON } from '../cli/program.ts';
import { askRaw } from './dashboard.ts';
import { listen } from './listener.ts';
import { openProgram, type Shown } from './program.ts';

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const filesOf = ({ at }: Workspace): string[] => {
  const folder = at('~/.local/state/hookline/ui');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
};

test('a link of a process that no person started leads to a page that can only look, and says why', async () => {
  const page = await openProgram(createWorkspace());
  expect(page.shown).toMatchObject({ may: 'read', because: expect.stringContaining('There is no terminal') });
  expect((await page.ask('/me')).json()).toMatchObject({ may: 'read', because: page.shown.because });
  const agents = await openProgram(permitScripts(createWorkspace()), [], { env: { CLAUDECODE: '1' } });
  expect(agents.shown).toMatchObject({ may: 'read', because: expect.stringContaining('An agent may not settle') });
});

test.skipIf(WITHOUT_PERSON || !has('script'))('a link on the terminal of a person may settle', async () => {
  const { shown } = await openProgram(createWorkspace(), ['--no-open'], { terminal: true });
  expect(shown).toMatchObject({ may: 'settle', because: null });
});

test('a second start gives another link to the dashboard that runs, and its file is its user’s alone', async () => {
  const workspace = permitScripts(createWorkspace());
  const first = await openProgram(workspace);
  const [file = ''] = filesOf(workspace);
  expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  const second: Shown = JSON.parse((await hookline(workspace, ['ui', '--json'])).stdout);
  expect(second).toMatchObject({ port: first.shown.port, pid: first.shown.pid, may: 'settle' });
  const code = second.url.split('#code=')[1];
  expect((await askRaw(`${first.origin}/v1/login`, { method: 'POST', body: { code } })).status).toBe(200);
  // Neither the code nor the token is kept anywhere.
  const kept = readFileSync(file, 'utf8');
  for (const secret of [code, first.token]) expect(kept).not.toContain(secret);
  // Another store has another dashboard.
  const other = await openProgram(workspace, ['--store', `sqlite:${workspace.at('~/other.db')}`]);
  expect(other.shown.port).not.toBe(first.shown.port);
  // An agent gets a link that can only look, from the dashboard of a person too.
  const agents: Shown = JSON.parse((await hookline(workspace, ['ui', '--json'], { env: { CLAUDECODE: '1' } })).stdout);
  expect(agents).toMatchObject({ may: 'read', because: expect.stringContaining('An agent may not settle') });
});

test('a process that reads the file and claims to be another one gets a link that can only look', async () => {
  const workspace = createWorkspace();
  const { origin } = await openProgram(workspace);
  const { secret } = JSON.parse(readFileSync(filesOf(workspace)[0] as string, 'utf8'));
  const headers = { 'x-hookline-ui': secret, 'x-hookline-pid': '1', origin };
  const answer = (await askRaw(`${origin}/code`, { method: 'POST', headers })).json();
  expect(answer).toMatchObject({ may: 'read', because: expect.stringContaining('which process asked for this link') });
});

test('a file that a killed dashboard left behind is replaced', async () => {
  const workspace = createWorkspace();
  const first = await openProgram(workspace);
  process.kill(first.shown.pid, 'SIGKILL');
  await first.ended;
  await until(() => !isAlive(first.shown.pid));
  expect(filesOf(workspace)).toHaveLength(1);
  const second = await openProgram(workspace);
  expect(second.shown.pid).not.toBe(first.shown.pid);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(`${signal} ends it with its streams, and nothing is left`, async () => {
    const workspace = createWorkspace();
    const page = await openProgram(workspace);
    const stream = await listen(page);
    process.kill(page.shown.pid, signal);
    expect(await page.ended).toBe(0);
    await until(stream.isOver);
    expect(filesOf(workspace)).toEqual([]);
  });

test('it prints its link in three lines, and ends by itself when no page was open for a while', async () => {
  // No page logs in: on a busy machine it would come when the dashboard is gone.
  const { exit, stdout } = await hookline(createWorkspace(), ['ui', '--idle', '1s']);
  expect(exit).toBe(0);
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^Dashboard: http:\/\/127\.0\.0\.1:\d+\/#code=\S+$/),
    '  Works once, for a minute: `hookline ui` prints another. Ctrl-C stops it, or 1s without a page.',
    expect.stringMatching(/^ {2}Its page can only look\. \S.*\.$/),
    'The dashboard stopped: no page was open.',
  ]);
});

test('an entry that another process writes is shown while it runs', async () => {
  const gate = createGate();
  const page = await openProgram(gate.workspace, ['--store', `sqlite:${gate.workspace.at('~/held.db')}`]);
  const stream = await listen(page);
  await gate.fire('rm -rf build', '--session', 'work');
  expect((await stream.hears('entry')).data).toMatchObject({ decision: 'deny', session: 'work', what: 'rm -rf build' });
});

test('options that cannot be used are errors of usage', async () => {
  const workspace = createWorkspace();
  for (const argv of [['--port', 'x'], ['--port', '70000'], ['--idle', 'soon'], ['--idle', '0m'], ['--idle', '48h'], ['more']])
    expect([argv, await hookline(workspace, ['ui', ...argv])]).toMatchObject([argv, { exit: 64, stderr: /`/ }]);
  expect(await hookline(workspace, ['ui', '--store', 'memory:'])).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('A store in memory has no views'),
  });
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const taken = await hookline(workspace, ['ui', '--port', String(port)]);
  other.close();
  expect(taken).toMatchObject({ exit: 64, stderr: expect.stringContaining(`Port ${port} is not available`) });
  expect(filesOf(workspace)).toEqual([]);
});
