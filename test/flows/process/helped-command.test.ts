/** Hooks that a helper starts keep the contract of those that are started directly, and survive whatever becomes of the helper. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { sampleCall } from '../../../src/api/testing/describe-handler.ts';
import { describeHandler } from '../../../src/api/testing/index.ts';
import { createHelper } from '../../../src/handlers/command/helper.ts';
import { createCommandHandler } from '../../../src/handlers/command/index.ts';
import type { Starter } from '../../../src/handlers/command/run-process.ts';
import { shareStarter } from '../../../src/handlers/command/share-starter.ts';
import { commandIn, commandScenes } from '../../support/command-scenes.ts';
import { LONG_MS, until } from '../../support/patience.ts';
import { childrenWith, livingOf } from '../../support/processes.ts';
import { createWorkspace } from '../../support/workspace.ts';

const DIST = path.join(import.meta.dirname, '../../../dist');
const PROGRAM = path.join(DIST, 'cli/helper-main.js');
const folder = mkdtempSync(path.join(tmpdir(), 'hookline-helped-'));
const pids = path.join(folder, 'pids');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const command = (text: string) => commandIn(folder, text);
const shared = createHelper(PROGRAM);
afterAll(() => shared.close());

describeHandler(
  { describe, test, expect },
  () => createCommandHandler({ helped: 'always', helper: shared }),
  () => commandScenes(folder),
);

test('a helper brings back what a process of our own would, and says that it was one', async () => {
  const { ask, helper } = helped();
  const call = sampleCall('command', command('cat; printf é >&2; exit 3'), { cwd: folder });
  const direct = await createCommandHandler({ helped: 'never' }).handle(call);
  expect(direct).toMatchObject({ kind: 'process', exit: 3, stderr: 'é' });
  expect(await ask('cat; printf é >&2; exit 3')).toEqual({ ...direct, started: 'helper' });
  for (const broken of [{ script: folder }, { command: 'kill -9 $$' }]) {
    const bad = sampleCall('command', { handler: { type: 'command', config: broken } }, { cwd: folder });
    const said = await createCommandHandler({ helped: 'always', helper }).handle(bad);
    expect(said).toEqual({ ...(await createCommandHandler({ helped: 'never' }).handle(bad)), started: 'helper' });
  }
});

test('many hooks at once are told apart, with a megabyte each way', async () => {
  const { helper } = helped();
  const handler = createCommandHandler({ helped: 'always', helper });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      handler.handle({
        ...sampleCall('command', command('cat'), { cwd: folder }),
        payload: { i, text: 'é'.repeat(i % 4 === 0 ? 500_000 : 5) },
      }),
    ),
  );
  expect(answers.map((answer) => (answer.kind === 'process' ? JSON.parse(answer.stdout).i : answer))).toEqual([...Array(20).keys()]);
});

test('a helper that dies is fault `spawn`, leaves nothing running, and is started again', async () => {
  const { ask } = helped();
  await ask('true');
  const helperPid = await onlyHelper();
  const answer = ask('echo $$ >> "$FOLDER/pids"; sleep 300');
  await until(() => livingOf(pids).length > 0);
  process.kill(helperPid, 'SIGKILL');
  expect(await answer).toMatchObject({ kind: 'fault', fault: 'spawn', detail: expect.stringContaining('SIGKILL') });
  await until(() => livingOf(pids).length === 0);
  expect(await ask('echo again')).toMatchObject({ kind: 'process', stdout: 'again\n', started: 'helper' });
});

test('a helper that hangs does not hang the hook', async () => {
  const { ask } = helped();
  await ask('true');
  const helperPid = await onlyHelper();
  process.kill(helperPid, 'SIGSTOP');
  expect(await ask('true', 200)).toMatchObject({ kind: 'fault', fault: 'timeout' });
  expect(await ask('true')).toMatchObject({ kind: 'process', exit: 0 });
});

test('where no helper can be had the hook is started directly', async () => {
  const handler = createCommandHandler({ helped: 'always', helper: createHelper(undefined) });
  const answer = await handler.handle(sampleCall('command', command('exit 4'), {}));
  expect(answer).toMatchObject({ kind: 'process', exit: 4 });
  expect(answer).not.toHaveProperty('started');
});

test('a closed helper is gone, and so is what it ran', async () => {
  const { ask, helper } = helped();
  const answer = ask('echo $$ >> "$FOLDER/pids"; sleep 300');
  await until(() => livingOf(pids).length > 0);
  helper.close();
  expect(await answer).toMatchObject({ kind: 'fault', fault: 'spawn' });
  await until(() => livingOf(pids).length === 0);
  await until(() => running().length === 0);
});

test('a shared helper goes with the last engine that used it, and not while one of its hooks runs', async () => {
  shared.close();
  const share = shareStarter(() => createHelper(PROGRAM));
  const [one, two, idle] = [share(), share(), share()];
  const ask = (helper: Starter, text: string) =>
    createCommandHandler({ helped: 'always', helper }).handle(sampleCall('command', command(text), { cwd: folder }));
  expect([await ask(one, 'exit 3'), await ask(two, 'exit 4')]).toMatchObject([{ exit: 3 }, { exit: 4 }]);
  const helperPid = await onlyHelper();
  idle.close();
  one.close();
  one.close();
  expect(await ask(two, 'exit 4')).toMatchObject({ exit: 4 });
  expect(await onlyHelper()).toBe(helperPid);
  const late = ask(two, 'sleep 0.3; exit 5');
  two.close();
  expect(await late).toMatchObject({ kind: 'process', exit: 5, started: 'helper' });
  await until(() => running().length === 0);
  // Whoever is asked nevertheless leaves none behind either.
  expect(await ask(two, 'exit 6')).toMatchObject({ exit: 6 });
  await until(() => running().length === 0);
});

test('a large process uses a helper by itself, the trace says so, and it neither keeps it alive nor outlives it', async () => {
  expect(await inLargeProcess('')).toMatchObject([{ status: 'answered', exit: 0, started: 'helper' }]);
});

test('the helper goes when the engine is closed, while the large process lives on', async () => {
  const [, before, after] = await inLargeProcess(`
    const { readFileSync } = await import('node:fs');
    const children = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ').filter(Boolean).length;
    hooks.push(children());
    await engine.close();
    for (let i = 0; i < 60_000 && children() > 0; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    hooks.push(children());`);
  expect([before, after]).toEqual([1, 0]);
});

/** What a process of 400 MB says of the hooks of one firing, once it and all that holds its pipe have ended. */
async function inLargeProcess(more: string): Promise<unknown[]> {
  const { root, home } = createWorkspace({
    'hooks/gate/HOOK.toml': '[hook]\nname = "gate"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = "true"\n',
  });
  const program = `
    const ballast = Buffer.alloc(400 * 1024 * 1024, 1);
    const { createHookline } = await import(${JSON.stringify(path.join(DIST, 'index.js'))});
    const engine = await createHookline({ root: ${JSON.stringify(root)}, home: ${JSON.stringify(home)}, trust: 'all' });
    const hooks = [...(await engine.fire('tool.before', { tool: 'Bash', input: {} })).hooks];
    ${more}
    console.log(JSON.stringify(hooks), ballast.length);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  // Both its end and that of the pipe, which a helper that stays would hold.
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  return JSON.parse(out.slice(0, out.lastIndexOf(' ')));
}

function helped(): { readonly helper: Starter; ask(text: string, timeoutMs?: number): Promise<unknown> } {
  rmSync(pids, { force: true });
  shared.close();
  const helper = createHelper(PROGRAM);
  onTestFinished(() => helper.close());
  const handler = createCommandHandler({ helped: 'always', helper });
  return {
    helper,
    ask: async (text, timeoutMs = LONG_MS) => handler.handle({ ...sampleCall('command', command(text), { cwd: folder }), timeoutMs }),
  };
}

/** The one helper that is running, once those that were closed before are gone. */
async function onlyHelper(): Promise<number> {
  await until(() => running().length === 1);
  return running()[0] as number;
}

function running(): number[] {
  return childrenWith('helper-main');
}
