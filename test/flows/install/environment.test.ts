/** An entry as a person has it, after `hookline install` and nothing else: no variable of its environment decides on what it protects. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { recordIn } from '../../../src/load/find/installation.ts';
import { POLL } from '../../support/patience.ts';

const PROGRAM = path.join(import.meta.dirname, '../../../bin/hookline.js');
const DENIED = 'not on friday';

/** A home with a space in its path, a gate of the user's own, and Claude Code's settings. */
interface Person {
  readonly home: string;
  readonly project: string;
  readonly record: string;
  run(program: string, args: readonly string[], options?: { env?: Record<string, string>; stdin?: string }): Promise<Ran>;
  hookline(...args: readonly string[]): Promise<Ran>;
  /** Runs the entry of an event as Claude Code does. */
  event(name: string, env?: Record<string, string>): Promise<Ran>;
}

interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe.each([false, true])('with a server: %s', (served) => {
  let person: Person;
  beforeAll(async () => {
    person = createPerson();
    expect(await person.hookline('install', 'claude-code', '--no-serve')).toMatchObject({ exit: 0 });
    if (served) expect(await person.hookline('serve', '--background', '--idle', '300')).toMatchObject({ exit: 0 });
    return async () => {
      await person.hookline('serve', 'stop');
      rmSync(path.dirname(person.home), { recursive: true, force: true, maxRetries: 5 });
    };
  });

  const elsewhere = mkdtempSync(path.join(tmpdir(), 'hookline elsewhere-'));
  const preload = path.join(elsewhere, 'preload.cjs');
  writeFileSync(preload, 'process.exit(0)');
  writeFileSync(path.join(elsewhere, 'start-up'), 'exit 0');
  const variables: Readonly<Record<string, string>> = {
    HOME: elsewhere,
    HOOKLINE_HOME: elsewhere,
    XDG_CONFIG_HOME: elsewhere,
    XDG_STATE_HOME: elsewhere,
    XDG_RUNTIME_DIR: elsewhere,
    TMPDIR: '/nowhere',
    NODE_OPTIONS: '--no-such-flag',
    NODE_REDIRECT_WARNINGS: '/nowhere/x',
    NODE_COMPILE_CACHE: elsewhere,
    NODE_PATH: elsewhere,
    HOOKLINE_KEPT_NODE_OPTIONS: '--no-such-flag',
    HOOKLINE_SERVE: 'off',
    HOOKLINE_HOOK_BASH: 'no',
    HOOKLINE_HOOKS: 'ab',
    BASH_ENV: path.join(elsewhere, 'start-up'),
    ENV: path.join(elsewhere, 'start-up'),
    'BASH_FUNC_printf%%': '() { exit 0; }',
    CLAUDE_CONFIG_DIR: elsewhere,
    LC_ALL: 'no_SUCH',
    IFS: 'o',
    EDITOR: 'vi',
  };

  test.each(Object.entries(variables))('%s changes no denial', async (name, value) => {
    const { exit, stdout, stderr } = await person.event('PreToolUse', { [name]: value });
    expect(`${stdout}${stderr}`).toContain(DENIED);
    expect(exit === 2 || JSON.parse(stdout).hookSpecificOutput.permissionDecision === 'deny').toBe(true);
  });

  test('a file that Node loads first cannot end it as consent', async () => {
    const { stdout, stderr } = await person.event('PreToolUse', { NODE_OPTIONS: `--require="${preload}"` });
    expect(`${stdout}${stderr}`).toContain(DENIED);
  });

  test('without Node on the PATH the one of the installation runs', async () => {
    const { stdout, stderr } = await person.event('PreToolUse', { PATH: withoutNode(elsewhere) });
    expect(`${stdout}${stderr}`).toContain(DENIED);
  });

  test('what does not match passes without a word', async () => {
    expect(await person.event('SessionStart', { HOME: elsewhere })).toMatchObject({ exit: 0, stderr: '' });
  });
});

test('a hook sees the variables of Node that the agent has', async () => {
  const person = await installed();
  writeFileSync(path.join(person.home, '.config/agents/hooks/gate/scripts/run.sh'), '#!/bin/sh\necho "<$NODE_PATH>" >&2\nexit 2\n');
  mkdirSync(path.join(person.home, '.config/hookline'));
  writeFileSync(path.join(person.home, '.config/hookline/settings.json'), '{ "environment": { "policy": "pass" } }');
  const { stdout, stderr } = await person.event('PreToolUse', { NODE_PATH: '/some where' });
  expect(`${stdout}${stderr}`).toContain('</some where>');
});

test('a record that is gone, or that others can write, blocks and says what to do; the agent may still stop', async () => {
  const person = await installed();
  chmodSync(person.record, 0o666);
  expect(await person.event('PreToolUse')).toMatchObject({ stdout: expect.stringContaining('somebody else') });
  rmSync(person.record);
  expect(await person.event('PreToolUse')).toMatchObject({ exit: 2, stderr: expect.stringContaining('hookline install') });
  expect(await person.event('Stop')).toMatchObject({ exit: 1, stderr: expect.stringContaining('hookline install') });
});

test('an entry of a project finds the record of whoever runs it', async () => {
  const person = createPerson();
  onTestFinished(() => rmSync(path.dirname(person.home), { recursive: true, force: true, maxRetries: 5 }));
  await person.hookline('install', 'claude-code', '--scope', 'project', '--no-serve');
  const text = readFileSync(path.join(person.project, '.claude/settings.json'), 'utf8');
  expect(text).toContain('--installed account');
  expect(text).not.toContain(person.home);
  const { stdout, stderr } = await person.event('PreToolUse', { XDG_CONFIG_HOME: '/nowhere', HOOKLINE_HOME: '/nowhere' });
  expect(`${stdout}${stderr}`).toContain(DENIED);
});

test('the first event starts a server, and the next ones are answered by it, whatever their environment is', async () => {
  const person = createPerson();
  onTestFinished(async () => {
    await person.hookline('serve', 'manual');
    await person.hookline('serve', 'stop');
    rmSync(path.dirname(person.home), { recursive: true, force: true, maxRetries: 5 });
  });
  expect((await person.hookline('install', 'claude-code')).stdout).toContain('hookline serve');
  await person.event('PreToolUse', { XDG_STATE_HOME: '/nowhere' });
  const status = async () => JSON.parse((await person.hookline('serve', 'status', '--json')).stdout);
  await expect.poll(async () => (await status()).running, POLL).toBe(true);
  for (const env of [{}, { MY_OWN: '1' }, { XDG_STATE_HOME: '/nowhere', EDITOR: 'vi' }]) {
    const { stdout, stderr } = await person.event('PreToolUse', env);
    expect(`${stdout}${stderr}`).toContain(DENIED);
  }
  expect(await status()).toMatchObject({ events: 3, refused: [] });
});

async function installed(): Promise<Person> {
  const person = createPerson();
  onTestFinished(() => rmSync(path.dirname(person.home), { recursive: true, force: true, maxRetries: 5 }));
  await person.hookline('install', 'claude-code', '--no-serve');
  return person;
}

function createPerson(): Person {
  const base = mkdtempSync(path.join(tmpdir(), 'hookline as a person-'));
  const [home, project] = [path.join(base, 'my home'), path.join(base, 'my project')];
  const gate = path.join(home, '.config/agents/hooks/gate');
  for (const folder of [path.join(gate, 'scripts'), path.join(home, '.claude'), path.join(project, '.git')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(gate, 'HOOK.md'), '---\nname: gate\ndescription: No deploys on Friday.\ntrigger: before_tool\n---\n');
  writeFileSync(path.join(gate, 'scripts/run.sh'), `#!/bin/sh\necho "${DENIED}" >&2\nexit 2\n`, { mode: 0o755 });
  const run: Person['run'] = (program, args, { env = {}, stdin = '' } = {}) =>
    new Promise((resolve, reject) => {
      const all = { HOME: home, PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env };
      const child = spawn(program, args, { cwd: project, env: all, stdio: 'pipe' });
      child.stdin.on('error', () => {}).end(stdin);
      const output = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'] as const)
        child[stream].setEncoding('utf8').on('data', (text: string) => (output[stream] += text));
      child.once('error', reject);
      child.once('close', (exit) => resolve({ exit, ...output }));
    });
  return {
    home,
    project,
    record: recordIn(home),
    run,
    hookline: (...args) => run(process.execPath, [PROGRAM, ...args]),
    event(name, env = {}) {
      const call = { session_id: 's', cwd: project, hook_event_name: name, tool_name: 'Bash', tool_input: { command: 'make deploy' } };
      return run('/bin/sh', ['-c', entryOf(home, project, name)], { env, stdin: JSON.stringify(call) });
    },
  };
}

/** The line in the agent's own file. */
function entryOf(home: string, project: string, event: string): string {
  const lines = [home, project].flatMap((folder) => {
    try {
      const { hooks } = JSON.parse(readFileSync(path.join(folder, '.claude/settings.json'), 'utf8'));
      return [hooks[event][0].hooks[0].command as string];
    } catch {
      return [];
    }
  });
  const [line] = lines;
  if (line === undefined) throw new Error(`no entry for ${event}`);
  return line;
}

/** Every program of the system except Node. */
function withoutNode(folder: string): string {
  const tools = mkdtempSync(path.join(folder, 'tools-'));
  for (const name of readdirSync('/usr/bin'))
    if (!name.startsWith('node')) symlinkSync(path.join('/usr/bin', name), path.join(tools, name));
  return tools;
}

test('the doctor reports a record that is gone, a Node that is gone, and code that runs first', async () => {
  const person = await installed();
  const codes = async (env = {}): Promise<string[]> =>
    JSON.parse((await person.run(process.execPath, [PROGRAM, 'doctor', '--json'], { env })).stdout).findings.map(
      ({ code }: { code: string }) => code,
    );
  expect(await codes()).not.toContain('dead-entry');
  expect(await codes({ BASH_ENV: '/dev/null' })).toContain('runs-first');
  writeFileSync(person.record, readFileSync(person.record, 'utf8').replace(process.execPath, '/gone/node'));
  expect(await codes()).toContain('node-is-gone');
  rmSync(person.record);
  expect(await codes()).toContain('dead-entry');
});

test('the script of an agent that reads no exit code denies if the program is gone', async () => {
  const person = createPerson();
  onTestFinished(() => rmSync(path.dirname(person.home), { recursive: true, force: true, maxRetries: 5 }));
  await person.hookline('install', 'cline', '--no-serve');
  const file = path.join(person.home, 'Documents/Cline/Hooks/PreToolUse');
  writeFileSync(file, readFileSync(file, 'utf8').replace('/hookline-hook', '/gone'));
  const { exit, stdout } = await person.run(file, [], { stdin: '{}' });
  expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, cancel: true, errorMessage: expect.stringContaining('did not answer') });
});
