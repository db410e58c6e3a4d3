/** Hooks that the launcher starts see what hooks of this process see, byte for byte, and survive whatever becomes of the launcher. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { sampleCall } from '../../../src/api/testing/describe-handler.ts';
import { describeHandler } from '../../../src/api/testing/index.ts';
import type { Call } from '../../../src/core/contracts/handler.ts';
import { createCommandHandler } from '../../../src/handlers/command/index.ts';
import { createLauncher } from '../../../src/handlers/command/launcher.ts';
import type { Starter } from '../../../src/handlers/command/run-process.ts';
import { shareStarter } from '../../../src/handlers/command/share-starter.ts';
import { commandIn, commandScenes } from '../../support/command-scenes.ts';
import { LONG_MS, until } from '../../support/patience.ts';
import { childrenWith, isAlive, livingOf } from '../../support/processes.ts';
import { readyLauncher } from '../../unit/handlers/command/way.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hookline-launched-'));
const pids = path.join(folder, 'pids');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NONE: Starter = { run: () => undefined, close() {} };
const shared = await readyLauncher();
afterAll(() => shared.close());

const command = (text: string) => commandIn(folder, text);

describeHandler(
  { describe, test, expect },
  () => createCommandHandler({ helped: 'never', launcher: { run: only(shared), close() {} } }),
  () => commandScenes(folder),
);

test.each([
  ['its environment', 'env -0'],
  ['its descriptors', 'ls /proc/self/fd'],
  ['the kinds of its descriptors', 'for n in 0 1 2; do stat -Lc %F /proc/self/fd/$n; done'],
  ['its signals', 'grep ^Sig /proc/self/status | grep -v SigQ; grep -c . /dev/stdin'],
  ['its umask and its limits', 'umask; ulimit -a'],
  ['its name and arguments', 'tr "\\0" "\\n" < /proc/$$/cmdline; echo "$0"'],
  ['its folder', 'pwd -P; readlink /proc/$$/cwd'],
  ['no controlling terminal', 'cut -d" " -f7 /proc/$$/stat; (: < /dev/tty) 2>&1; true'],
  ['that it leads its own group', '[ $$ = "$(cut -d" " -f5 /proc/$$/stat)" ] && echo leads'],
  ['exit code 137 as what it is', 'exit 137'],
  ['the death by signal 9', 'kill -9 $$'],
  ['the death by TERM', 'kill -TERM $$'],
  ['exit code 126 and 127', 'echo x; exit 126'],
])('it sees %s as a hook of this process does', async (_, text) => {
  const call = sampleCall('command', command(text), { cwd: folder });
  const direct = await createCommandHandler({ helped: 'never', launcher: NONE }).handle(call);
  expect(await launched().handle(call)).toEqual(direct);
});

test('commands, variables and folders of any bytes reach it as they are', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((one) => one.replaceAll('\0', '').replace(/[\uD800-\uDFFF]/g, ''));
  const handler = launched();
  await fc.assert(
    fc.asyncProperty(text, text, text, async (value, word, name) => {
      const cwd = path.join(folder, `of ${name.replaceAll('/', '').slice(0, 20)}\n'"$(x)`);
      mkdirSync(cwd, { recursive: true });
      const quoted = `'${word.replaceAll("'", "'\\''")}'`;
      const hook = { ...command(`printf '%s|%s|%s' "$VALUE" ${quoted} "$(pwd; echo x)"`), env: { VALUE: value, LC_ALL: 'C' } };
      const answer = await handler.handle(sampleCall('command', hook, { cwd }));
      expect(answer).toMatchObject({ kind: 'process', exit: 0, stdout: `${value}|${word}|${cwd}\nx` });
    }),
    { numRuns: 60 },
  );
});

test('64 hooks at once are told apart', async () => {
  const handler = launched();
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      handler.handle({ ...sampleCall('command', command(`cat; echo ${i} >&2; exit ${i}`), { cwd: folder }), payload: { i } }),
    ),
  );
  expect(answers).toEqual(Array.from({ length: 64 }, (_, i) => ({ kind: 'process', exit: i, stdout: `{"i":${i}}`, stderr: `${i}\n` })));
});

test('a process waits for the next hook', async () => {
  const { ask, launcherPid } = await own();
  await ask('true');
  for (let n = 0; n < 3; n++) {
    const spare = await spareOf(launcherPid());
    expect(await ask('echo $$')).toMatchObject({ kind: 'process', stdout: `${spare}\n` });
  }
});

test.each(['killed', 'closed'])('the process that waits for a hook goes with a launcher that is %s', async (how) => {
  const { ask, launcherPid, launcher } = await own();
  await ask('true');
  const spare = await spareOf(launcherPid());
  if (how === 'killed') process.kill(launcherPid(), 'SIGKILL');
  else launcher.close();
  await until(() => !isAlive(spare));
});

test('a process that waits for a hook and is killed costs no hook its answer', async () => {
  const { ask, launcherPid } = await own();
  await ask('true');
  for (let n = 0; n < 5; n++) {
    const spare = await spareOf(launcherPid());
    process.kill(spare, 'SIGKILL');
    await until(() => !isAlive(spare));
    expect(await ask(`echo ${n}`)).toMatchObject({ kind: 'process', exit: 0, stdout: `${n}\n` });
  }
});

test('a hook sees the variables of its own call alone, however many bytes they have', async () => {
  const handler = launched();
  const ask = (env: Record<string, string>) =>
    handler.handle(sampleCall('command', { ...command('echo "$ONE,$TWO,$(printf %s "$LONG" | wc -c)"'), env }, { cwd: folder }));
  const LONG = 'x'.repeat(100_000);
  for (let n = 0; n < 3; n++) {
    expect(await ask({ ONE: 'a' })).toMatchObject({ stdout: 'a,,0\n' });
    expect(await ask({ TWO: 'b', LONG })).toMatchObject({ stdout: ',b,100000\n' });
    expect(await ask({})).toMatchObject({ stdout: ',,0\n' });
  }
});

test('a launcher that dies is fault `spawn`, leaves nothing running, and is started again', async () => {
  const { ask, launcherPid, launcher } = await own();
  const answer = ask('echo $$ >> "$FOLDER/pids"; sleep 300');
  await until(() => livingOf(pids).length > 0);
  // Its number is reported after an instant.
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.kill(launcherPid(), 'SIGKILL');
  expect(await answer).toMatchObject({ kind: 'fault', fault: 'spawn', detail: expect.stringContaining('SIGKILL') });
  await until(() => livingOf(pids).length === 0);
  expect(await ask('echo again')).toMatchObject({ kind: 'process', stdout: 'again\n' });
  await until(() => launcher.run(SPEC, PATIENCE) !== undefined);
});

test('a launcher that hangs does not hang the hook, and the next one does not need it', async () => {
  const { ask, launcherPid } = await own();
  process.kill(launcherPid(), 'SIGSTOP');
  expect(await ask('true', 200)).toMatchObject({ kind: 'fault', fault: 'timeout' });
  expect(await ask('true')).toMatchObject({ kind: 'process', exit: 0 });
});

test('a launcher that hangs after the start is not believed to be running a hook that has ended', async () => {
  const { ask, launcherPid } = await own();
  const answer = ask('echo $$ >> "$FOLDER/pids"; until [ -e "$FOLDER/go" ]; do sleep 0.05; done', 2000);
  await until(() => livingOf(pids).length > 0);
  process.kill(launcherPid(), 'SIGSTOP');
  writeFileSync(path.join(folder, 'go'), '');
  expect(await answer).toMatchObject({ kind: 'fault', fault: 'timeout' });
  await until(() => running().length === 1);
});

test('a closed launcher is gone, and so is its hook', async () => {
  const { ask, launcher } = await own();
  const answer = ask('echo $$ >> "$FOLDER/pids"; sleep 300');
  await until(() => livingOf(pids).length > 0);
  launcher.close();
  expect(await answer).toMatchObject({ kind: 'fault', fault: 'spawn' });
  await until(() => livingOf(pids).length === 0);
  await until(() => running().length === 1);
});

test.each([
  ['no Perl', '/nonexistent/perl'],
  ['a Perl that is none', '/bin/false'],
  ['a Perl that says nothing', '/bin/cat'],
])('with %s the hook is started here', async (_, perl) => {
  const launcher = createLauncher({ after: 0, perl });
  onTestFinished(() => launcher.close());
  const handler = createCommandHandler({ helped: 'never', launcher });
  for (let n = 0; n < 6; n++)
    expect(await handler.handle(sampleCall('command', command('exit 4'), {}))).toMatchObject({ kind: 'process', exit: 4 });
});

test('the first hooks of a process are started without one', async () => {
  const before = running().length;
  const launcher = createLauncher();
  onTestFinished(() => launcher.close());
  const handler = createCommandHandler({ helped: 'never', launcher });
  for (let n = 0; n < 3; n++) await handler.handle(sampleCall('command', command('true'), {}));
  expect(running().length).toBe(before);
  await handler.handle(sampleCall('command', command('true'), {}));
  expect(running().length).toBe(before + 1);
});

test('a shared launcher goes with the last engine that used it', async () => {
  const before = running().length;
  const share = shareStarter(() => createLauncher({ after: 0 }));
  const [one, two] = [share(), share()];
  await until(() => one.run(SPEC, PATIENCE) !== undefined);
  await two.run(SPEC, PATIENCE);
  one.close();
  expect(await two.run(SPEC, PATIENCE)).toMatchObject({ exit: 0 });
  two.close();
  await until(() => running().length === before);
});

const SPEC = { launch: { file: '/bin/true', args: [] }, cwd: '/', env: {}, stdin: undefined, capture: 'split', outputBytes: 10 } as const;
const PATIENCE = { timeoutMs: LONG_MS, signal: undefined };

/** Fails if the hook is not started by it. */
function only(starter: Starter): Starter['run'] {
  return (spec, patience) => {
    const answer = starter.run(spec, patience);
    if (answer === undefined) throw new Error('the launcher did not start the hook');
    return answer;
  };
}

function launched() {
  return createCommandHandler({ helped: 'never', launcher: { run: only(shared), close() {} } });
}

interface Own {
  readonly launcher: Starter;
  launcherPid(): number;
  ask(text: string, timeoutMs?: number): ReturnType<ReturnType<typeof launched>['handle']>;
}

async function own(): Promise<Own> {
  rmSync(pids, { force: true });
  const others = running();
  const launcher = await readyLauncher();
  onTestFinished(() => launcher.close());
  const handler = createCommandHandler({ helped: 'never', launcher });
  return {
    launcher,
    launcherPid: () => running().find((pid) => !others.includes(pid)) as number,
    ask: (text, timeoutMs = LONG_MS) =>
      handler.handle({ ...(sampleCall('command', command(text), { cwd: folder }) satisfies Call), timeoutMs }),
  };
}

/** The process that waits for the next hook: the only child of the launcher that has its name, once no hook is about to start. */
async function spareOf(launcher: number): Promise<number> {
  const children = () => readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  const isSpare = (pid: number) => isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('hookline-launcher');
  await until(() => children().length === 1 && children().every(isSpare));
  return children()[0] as number;
}

function running(): number[] {
  return childrenWith('hookline-launcher');
}
