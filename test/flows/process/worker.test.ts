/** Hooks in a worker, with real processes: they are kept, replaced and ended, and whatever happens to one is never consent. */
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { POLL, until } from '../../support/patience.ts';
import { isAlive, livingOf } from '../../support/processes.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { trustedProject } from '../trust/trusted-project.ts';

const BASH = { tool: 'Bash', input: { command: 'ls' } } as const;
const hook = (run: string, more = '', head = ''): string =>
  `import { context, defineHook, deny, rewrite } from 'hookline/hook';\n${head}\nexport default defineHook({ on: 'tool.before', ${more} ${run} });\n`;
/** Denies with the number of its process. */
const PID = hook("run() { return deny('pid ' + process.pid); }");

describe('a worker is kept', () => {
  test('for the next event, and it is ended with the engine', async () => {
    const { open } = createWorkspace({ '.hookline/hooks/pid.ts': PID });
    const hookline = await open();
    const first = await hookline.fire('tool.before', BASH);
    expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: first.reason });
    const pid = Number(first.reason?.slice('pid '.length));
    expect(isAlive(pid)).toBe(true);
    await hookline.close();
    await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);
  });

  test('one-at-a-time: events at the same time get workers of their own, and a hang takes no other with it', async () => {
    const text = hook(
      "async run(event) { if (event.data.input.command === 'hang') for (;;); return deny('pid ' + process.pid); }",
      'timeoutMs: 3000,',
    );
    const { open } = createWorkspace({ '.hookline/hooks/gate.ts': text });
    const hookline = await open();
    const fire = (command: string) => hookline.fire('tool.before', { tool: 'Bash', input: { command } });
    const [hung, ...others] = await Promise.all([fire('hang'), fire('ls'), fire('ls'), fire('ls')]);
    expect(hung).toMatchObject({ decision: 'deny', hooks: [{ status: 'faulted', fault: { kind: 'timeout' } }] });
    for (const other of others) expect(other).toMatchObject({ decision: 'deny', reason: expect.stringMatching(/^pid \d+$/) });
    expect(await fire('ls')).toMatchObject({ reason: expect.stringMatching(/^pid \d+$/) });
  });

  test('and replaced once a file of the hook changes, an import too', async () => {
    const workspace = createWorkspace({
      '.hookline/hooks/gate.ts': hook('run: () => deny(WORDS)', '', "import { WORDS } from './lib/words.ts';"),
      '.hookline/hooks/lib/words.ts': "export const WORDS: string = 'one';\n",
    });
    const hookline = await workspace.open();
    expect(await hookline.fire('tool.before', BASH)).toMatchObject({ reason: 'one' });
    workspace.write({ '.hookline/hooks/lib/words.ts': "export const WORDS: string = 'two';\n" });
    expect(await hookline.fire('tool.before', BASH)).toMatchObject({ reason: 'two' });
  });

  test('and replaced by a change that hides its time and its size', async () => {
    const workspace = createWorkspace({ '.hookline/hooks/gate.ts': hook("run: () => deny('one')") });
    const file = workspace.at('.hookline/hooks/gate.ts');
    const old = new Date('2020-02-02');
    utimesSync(file, old, old);
    const hookline = await workspace.open();
    // The file is old enough to be believed.
    vi.setSystemTime(Date.now() + 60_000);
    onTestFinished(() => void vi.useRealTimers());
    for (let i = 0; i < 2; i++) expect(await hookline.fire('tool.before', BASH)).toMatchObject({ reason: 'one' });
    writeFileSync(file, hook("run: () => deny('two')"));
    utimesSync(file, old, old);
    expect(await hookline.fire('tool.before', BASH)).toMatchObject({ reason: 'two' });
  });

  test('unless it ends itself: then the next event starts another', async () => {
    const once =
      '#!/bin/sh\n# hookline: { on: tool.before }\nread -r line <&3\necho \'{"answer":{"decision":"deny","reason":"once"}}\' >&3\n';
    const { open } = createWorkspace({ '.hookline/hooks/once.sh': once });
    const hookline = await open();
    for (let i = 0; i < 5; i++) expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'once' });
  });
});

describe('a failure is a fault, and denies', () => {
  test.each([
    ['it throws', "run() { throw new Error('broken'); }", 'threw', /broken \(.*gate\.ts:3:\d+\)/],
    ['it rejects', "async run() { await null; throw 'text'; }", 'threw', /text/],
    ['its module throws', 'run() {} });\nthrow new Error("at the start"); ({', 'threw', /at the start/],
    ['it exits', 'run() { process.exit(0); }', 'exit', /exit code 0/],
    ['it is killed', "run() { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); }", 'signal', /SIGKILL/],
    ['it changes the event', "run(event) { event.data.input.command = 'x'; }", 'threw', /read only|Cannot assign/],
    ['it returns an instance', 'run: () => new Error("x")', 'threw', /an instance of Error/],
    ['it returns no answer', 'run: () => true', 'malformed', /returned true/],
    ['it returns a function', 'run: () => () => {}', 'threw', /a function/],
  ])('%s', async (_, run, kind, detail) => {
    const { open } = createWorkspace({ '.hookline/hooks/gate.ts': hook(run) });
    const hookline = await open();
    const outcome = await hookline.fire('tool.before', BASH);
    expect(outcome).toMatchObject({
      decision: 'deny',
      hooks: [{ status: 'faulted', fault: { kind, detail: expect.stringMatching(detail) } }],
    });
  });

  test('but `onError: pass` lets the action pass, and the fault is recorded', async () => {
    const { open } = createWorkspace({ '.hookline/hooks/gate.ts': hook("run() { throw new Error('x'); }", "onError: 'pass',") });
    const outcome = await (await open()).fire('tool.before', BASH);
    expect(outcome).toMatchObject({ decision: 'pass', hooks: [{ status: 'faulted', fault: { kind: 'threw' } }] });
  });

  test('a hook that hangs in a worker that is kept is ended within its own time, and not within that of another', async () => {
    const patient = hook("run() { return { context: ['pid ' + process.pid] }; }", 'timeoutMs: 600_000,');
    const hasty = hook("run(event) { if (event.data.input.command === 'hang') for (;;); }", 'timeoutMs: 3000,');
    const { open } = createWorkspace({ '.hookline/hooks/a.ts': patient, '.hookline/hooks/b.ts': hasty });
    const hookline = await open();
    const fire = (command: string) => hookline.fire('tool.before', { tool: 'Bash', input: { command } });
    const { context } = await fire('ls');
    const outcome = await fire('hang');
    expect(outcome).toMatchObject({ context, decision: 'deny', hooks: [{ status: 'answered' }, { fault: { kind: 'timeout' } }] });
    await expect.poll(() => isAlive(Number(context[0]?.slice('pid '.length))), POLL).toBe(false);
    expect((await fire('ls')).context).not.toEqual(context);
  });

  test('a hook that hangs is ended with everything it started', async () => {
    const workspace = createWorkspace();
    const pids = workspace.at('pids');
    const run = `run() { const { pid } = spawn('sh', ['-c', 'trap "" TERM; sleep 300'], { stdio: 'ignore' }); appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n' + pid + '\\n'); for (;;); }`;
    const head = "import { spawn } from 'node:child_process';\nimport { appendFileSync } from 'node:fs';";
    workspace.write({ '.hookline/hooks/gate.ts': hook(run, 'timeoutMs: 4000,', head) });
    const outcome = await (await workspace.open()).fire('tool.before', BASH);
    expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'timeout' } }] });
    expect(readFileSync(pids, 'utf8').split('\n')).toHaveLength(3);
    expect(livingOf(pids)).toEqual([]);
  });
});

describe('an error that no code catches', () => {
  test.each([
    ['a timer', 'setTimeout(() => { throw new Error("late"); }, 20);'],
    ['a promise', 'void new Promise((done) => setTimeout(done, 20)).then(() => { throw new Error("late"); });'],
  ])('in %s that a hook left behind is no fault of another hook', async (_, late) => {
    const { open } = createWorkspace({
      '.hookline/hooks/careless.ts': hook(`run() { ${late} }`, "match: { tool: 'Write' },"),
      '.hookline/hooks/slow.ts': hook(
        "async run() { await new Promise((done) => setTimeout(done, 200)); return deny('slow'); }",
        "match: { tool: 'Bash' },",
      ),
    });
    const hookline = await open();
    for (let i = 0; i < 3; i += 1) {
      const careless = await hookline.fire('tool.before', { tool: 'Write', input: { file_path: 'a', content: '' } });
      expect(careless).toMatchObject({ decision: 'pass', hooks: [{ status: 'answered' }] });
      expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'slow' });
    }
  });

  test('is a fault of the event that it belongs to, with its place', async () => {
    const text = hook('run() { return new Promise(() => { setTimeout(() => {\nthrow new Error("late"); }, 20); }); }');
    const { open, at } = createWorkspace({ '.hookline/hooks/gate.ts': text });
    const outcome = await (await open()).fire('tool.before', BASH);
    const detail = `late (${at('.hookline/hooks/gate.ts')}:4:7)`;
    expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'threw', detail } }] });
  });
});

test('a hook that uses up the memory is a fault that says so, and no stack of Node', async () => {
  const text = hook("async run(event) { process.stderr.write('FATAL ERROR: heap out of memory\\n' + 'x'.repeat(900)); process.abort(); }");
  const { open } = createWorkspace({ '.hookline/hooks/gate.ts': text });
  const outcome = await (await open()).fire('tool.before', BASH);
  const detail = 'its worker was ended by SIGABRT before it answered: FATAL ERROR: heap out of memory';
  expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'signal', detail } }] });
});

test('the place of an error is in a file of the hook, and never in Hookline', async () => {
  const { open, at } = createWorkspace({
    '.hookline/hooks/state.ts': hook(
      "async run(event) {\nawait event.session.state.set('k', 'x'.repeat(70_000)); }",
      "match: { tool: 'Bash' },",
    ),
    '.hookline/hooks/link.ts': hook('run() { return missing; }', "match: { tool: 'Read' },", "import { missing } from './lib/empty.ts';"),
    '.hookline/hooks/lib/empty.ts': 'export {};\n',
  });
  const hookline = await open();
  const state = await hookline.fire('tool.before', BASH);
  expect(state.reason).toContain(`(${at('.hookline/hooks/state.ts')}:4:27)`);
  const link = await hookline.fire('tool.before', { tool: 'Read', input: { file_path: 'a' } });
  expect(link.reason).toMatch(/does not provide an export named 'missing'\.$/);
});

describe('a hook in a worker', () => {
  test('has its output kept, and the output has no meaning', async () => {
    const { open } = createWorkspace({
      '.hookline/hooks/gate.ts': hook('run() { console.log(\'{"decision":"deny"}\'); console.error(\'careful\'); }'),
    });
    const outcome = await (await open()).fire('tool.before', BASH);
    expect(outcome).toMatchObject({ decision: 'pass', hooks: [{ status: 'answered', stdout: '{"decision":"deny"}', stderr: 'careful' }] });
  });

  test('has nothing on its stderr that it did not write: no warning of Node about the way in which it is loaded', async () => {
    const run = `async run(event) {
      const { default: lazy } = await import('./lib/lazy.ts');
      await event.session.state.set('k', lazy);
      await event.exec('true');
      return deny(basename(import.meta.filename));
    }`;
    const { open } = createWorkspace({
      '.hookline/hooks/gate.ts': hook(run, '', "import { basename } from 'node:path';"),
      '.hookline/hooks/lib/lazy.ts': "export default 'lazy' as string;\n",
    });
    const { reason, hooks } = await (await open()).fire('tool.before', BASH);
    expect([reason, hooks[0]?.stdout, hooks[0]?.stderr]).toEqual(['gate.ts', undefined, undefined]);
  });

  test('has the output of each event with that event, also in a worker that is kept', async () => {
    const run = `run(event) {
      const { command } = event.data.input;
      if (command === 'quiet') return;
      process.stdout.write(command);
      execFileSync('sh', ['-c', 'printf "%s" "$1" >&2', 'sh', command.slice(0, 9)], { stdio: 'inherit' });
    }`;
    const { open } = createWorkspace({ '.hookline/hooks/gate.ts': hook(run, '', "import { execFileSync } from 'node:child_process';") });
    const hookline = await open();
    // One of them writes more than a pipe holds. A report has the first part of it.
    const words = ['first', 'quiet', 'second', 'x'.repeat(150_000), 'quiet', 'last'];
    for (const command of words) {
      const { hooks } = await hookline.fire('tool.before', { tool: 'Bash', input: { command } });
      const said = command === 'quiet' ? '' : command;
      const { status, stdout = '', stderr = '' } = hooks[0] ?? {};
      expect([status, stdout.slice(0, 99), stderr]).toEqual(['answered', said.slice(0, 99), said.slice(0, 9)]);
    }
  });

  test('has its output also if its answer is read first', async () => {
    const workspace = createWorkspace();
    const mark = workspace.at('mark');
    // Its question makes the channel readable before the pipe is.
    const run = `run(event) {
      if (event.data.input.command !== 'write') return;
      void event.session.state.get('k');
      console.log('said');
      writeFileSync(${JSON.stringify(mark)}, '');
    }`;
    workspace.write({ '.hookline/hooks/gate.ts': hook(run, '', "import { writeFileSync } from 'node:fs';") });
    const hookline = await workspace.open();
    await hookline.fire('tool.before', BASH);
    const firing = hookline.fire('tool.before', { tool: 'Bash', input: { command: 'write' } });
    await turnOfTheLoop();
    // Nothing is read meanwhile.
    const pause = new Int32Array(new SharedArrayBuffer(4));
    do Atomics.wait(pause, 0, 0, 50);
    while (!existsSync(mark));
    Atomics.wait(pause, 0, 0, 50);
    expect(await firing).toMatchObject({ hooks: [{ status: 'answered', stdout: 'said' }] });
  });

  test('that writes after its answer has written for no event', async () => {
    const workspace = createWorkspace();
    const mark = workspace.at('mark');
    const run = `run(event) {
      if (event.data.input.command === 'late') setTimeout(() => { console.log('late'); writeFileSync(${JSON.stringify(mark)}, ''); }, 0);
    }`;
    workspace.write({ '.hookline/hooks/gate.ts': hook(run, '', "import { writeFileSync } from 'node:fs';") });
    const hookline = await workspace.open();
    for (const command of ['ls', 'late']) await hookline.fire('tool.before', { tool: 'Bash', input: { command } });
    await until(() => existsSync(mark));
    await turnOfTheLoop();
    expect((await hookline.fire('tool.before', BASH)).hooks[0]?.stdout).toBeUndefined();
  });

  test('that writes more than a pipe holds still answers', async () => {
    const { open } = createWorkspace({
      '.hookline/hooks/gate.ts': hook("run() { console.log('x'.repeat(1_000_000)); return deny('done'); }"),
    });
    expect(await (await open()).fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'done' });
  });

  test('sees the filtered environment, and runs in the root of the project', async () => {
    const workspace = createWorkspace({
      '.hookline/hooks/gate.ts': hook(
        'run: () => deny(JSON.stringify([process.cwd(), Object.keys(process.env).filter((name) => /SECRET|NODE_/.test(name))]))',
      ),
    });
    const hookline = await workspace.open();
    const outcome = await hookline.fire('tool.before', BASH, { env: { MY_SECRET: 'x', NODE_OPTIONS: '--no-warnings' } });
    expect(outcome).toMatchObject({ reason: JSON.stringify([workspace.root, []]) });
  });

  test('imports modules of Node and packages that Node finds from its folder', async () => {
    const { open } = createWorkspace({
      '.hookline/hooks/gate.ts': hook(
        "async run() { const { default: lazy } = await import('./lib/lazy.ts'); return deny([basename('/a/b'), word, lazy, import.meta.filename].join(' ')); }",
        '',
        "import { basename } from 'node:path';\nimport { word } from 'words';",
      ),
      '.hookline/hooks/lib/lazy.ts': "export default 'lazy' as string;\n",
      'node_modules/words/package.json': '{"name":"words","type":"module","exports":{"import":"./index.js"}}',
      'node_modules/words/index.js': "export const word = 'word';\n",
    });
    expect(await (await open()).fire('tool.before', BASH)).toMatchObject({ reason: expect.stringMatching(/^b word lazy .*gate\.ts$/) });
  });

  test('loses no update of its state, however many events happen at once', async () => {
    const run = "async run(event) { return context('n' + (await event.session.state.update('n', (n) => Number(n ?? 0) + 1))); }";
    const { open } = createWorkspace({ '.hookline/hooks/count.ts': hook(run) });
    const engines = [await open(), await open()];
    const fired = Array.from({ length: 20 }, (_, i) => engines[i % 2]?.fire('tool.before', BASH, { session: 's' }));
    const outcomes = await Promise.all(fired);
    expect(outcomes.map((outcome) => outcome?.context[0]).sort()).toEqual(Array.from({ length: 20 }, (_, i) => `n${i + 1}`).sort());
    expect(await engines[0]?.fire('tool.before', BASH, { session: 'other' })).toMatchObject({ context: ['n1'] });
  });

  test('is told if its state grows too large', async () => {
    const { open } = createWorkspace({
      '.hookline/hooks/gate.ts': hook("async run(event) { await event.session.state.set('k', 'x'.repeat(70_000)); }"),
    });
    const outcome = await (await open()).fire('tool.before', BASH);
    expect(outcome).toMatchObject({
      decision: 'deny',
      hooks: [{ fault: { kind: 'threw', detail: expect.stringContaining('65536 bytes') } }],
    });
  });

  test('runs a command only if the guard permits it', async () => {
    const run =
      'async run(event) { const { exit, stdout } = await event.exec(event.data.input.command); return deny(exit + stdout.trim()); }';
    const { open } = createWorkspace({ '.hookline/hooks/gate.ts': hook(run) });
    const hookline = await open();
    const fire = (command: string) => hookline.fire('tool.before', { tool: 'Bash', input: { command } });
    expect(await fire('echo hello; exit 3')).toMatchObject({ reason: '3hello' });
    const denied = await fire('rm -rf /');
    expect(denied).toMatchObject({
      decision: 'deny',
      hooks: [{ fault: { kind: 'threw', detail: expect.stringContaining('The guard denied') } }],
    });
  });
});

describe('trust covers a hook in TypeScript', () => {
  const files = {
    '.hookline/hooks/gate.ts': hook('run: () => deny(WORDS)', '', "import { WORDS } from './lib/words.ts';"),
    '.hookline/hooks/lib/words.ts': "export const WORDS: string = 'one';\n",
  };

  test('and the files that it imports: a changed import denies until it is trusted again', async () => {
    const workspace = await trustedProject(files);
    const hookline = await workspace.open({ trust: 'ask' });
    expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'one' });
    workspace.write({ '.hookline/hooks/lib/words.ts': "export const WORDS: string = 'two';\n" });
    expect(await hookline.fire('tool.before', BASH)).toMatchObject({
      ...{ decision: 'deny', reason: expect.stringContaining('modified since it was trusted') },
      hooks: [{ status: 'skipped' }],
    });
  });

  test('a file that changes while the hook runs voids its answer', async () => {
    const run = `async run(event) { writeFileSync(import.meta.dirname + '/lib/words.ts', 'export const WORDS = 3;'); return { decision: 'allow' }; }`;
    const head = "import { writeFileSync } from 'node:fs';\nimport { WORDS } from './lib/words.ts';";
    const workspace = await trustedProject({ ...files, '.hookline/hooks/gate.ts': hook(run, '', head) });
    const outcome = await (await workspace.open({ trust: 'ask' })).fire('tool.before', BASH);
    expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ status: 'faulted', fault: { kind: 'changed' } }] });
  });

  test('nothing of a hook runs before it is trusted', async () => {
    const workspace = createWorkspace();
    const mark = workspace.at('mark');
    writeFileSync(mark, '');
    const head = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, 'ran');`;
    workspace.write({ '.hookline/hooks/gate.ts': hook('run() {}', '', head) });
    const hookline = await workspace.open({ trust: 'ask' });
    await hookline.list();
    await hookline.plan('tool.before', BASH);
    expect(await hookline.fire('tool.before', BASH)).toMatchObject({ hooks: [{ status: 'skipped', skip: 'untrusted' }] });
    expect(readFileSync(mark, 'utf8')).toBe('');
  });
});
