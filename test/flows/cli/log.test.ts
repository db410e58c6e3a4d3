/** The log and its stories: what was decided can be looked up, watched and checked, and a changed record shows. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isAct, type LogRecord } from '../../../src/core/record/decision-record.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { createGate, type Gate } from './gate.ts';
import { eventually, hookline } from './program.ts';

const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));

interface Entry {
  readonly id: string;
  readonly seq: number;
  readonly decision: string;
  readonly kind: LogRecord['kind'];
}

async function entries(gate: Gate, ...argv: string[]): Promise<readonly Entry[]> {
  return (await gate.json('log', ...argv))['entries'] as readonly Entry[];
}

/** Without what was done to tickets. */
async function decided(gate: Gate, ...argv: string[]): Promise<readonly Entry[]> {
  return (await entries(gate, ...argv)).filter(({ kind }) => !isAct(kind));
}

async function threeDecisions(): Promise<Gate> {
  const gate = createGate();
  await gate.fire('ls', '--session', 'one');
  await gate.fire('rm -r x', '--session', 'two');
  await gate.fire('deploy', '--session', 'two');
  return gate;
}

test('one line says when, what, what came of it, who was asked and why', async () => {
  const gate = await threeDecisions();
  const { exit, stdout } = await gate.run('log');
  expect(exit).toBe(0);
  for (const { id } of await entries(gate)) expect(stdout).toContain(id);
  for (const part of ['pass', 'deny', 'hold', 'tool.before', 'Bash', 'gate', 'nothing is deleted here']) expect(stdout).toContain(part);
});

test('an entry shows the command without its secrets, the agent, the session, and what became of it', async () => {
  const workspace = createWorkspace({
    '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: Rewrites.\ntrigger: before_tool\n---\n',
    '.agents/hooks/gate/scripts/run.sh': `#!/bin/sh\necho '{"decision":"allow","modified_input":{"command":"ls -l"}}'\n`,
    'skills/x/SKILL.md':
      '---\nname: x\nhooks:\n  PreToolUse:\n    - matcher: "Bash"\n      hooks:\n        - type: command\n          command: "exit 7"\n---\n',
  });
  const stdin = JSON.stringify({
    ...{ session_id: '0a7f63c2-98aa-4c11-b1a1-5fd7e0c9d1aa', hook_event_name: 'PreToolUse', tool_name: 'Bash', cwd: workspace.root },
    tool_input: { command: `TOKEN=abcdef123456 make ${'word '.repeat(60)}` },
  });
  await hookline(workspace, ['hook', 'claude-code', 'PreToolUse', '--trust-all'], { stdin });
  const { stdout } = await hookline(workspace, ['log'], { env: { COLUMNS: '80' } });
  expect(stdout).toContain('Bash  TOKEN=[redacted] make word');
  expect(stdout).not.toContain('abcdef123456');
  expect(stdout).toMatch(/word…$/m);
  for (const part of [
    'claude-code',
    'session 0a7f63c2-98aa-4c11-b1a1-5fd7e0c9d1aa',
    '~ rewritten to ls -l',
    '! 1 hook failed: ',
    '(exit 7)',
  ])
    expect(stdout).toContain(part);
  expect(stdout).toMatch(/ (allow|pass) ~ ! /);
});

test('what a person did is an entry too, with who did it', async () => {
  const gate = createGate();
  const ticket = await gate.hold();
  await gate.run('approvals', 'approve', ticket);
  const { stdout } = await gate.run('log');
  for (const part of ['ticket.opened', 'ticket.approved', 'by a ', ' on ']) expect(stdout).toContain(part);
});

test('filters narrow it down', async () => {
  const gate = await threeDecisions();
  const decisions = async (...argv: string[]): Promise<string[]> => (await decided(gate, ...argv)).map(({ decision }) => decision);
  expect(await decisions()).toEqual(['pass', 'deny', 'hold']);
  expect(await decisions('--session', 'two')).toEqual(['deny', 'hold']);
  expect(await decisions('--decision', 'deny')).toEqual(['deny']);
  expect(await decisions('--hook', 'gat', '--limit', '1')).toEqual(['hold']);
  expect(await decisions('--tool', 'Write')).toEqual([]);
  expect(await decisions('--since', '1h')).toHaveLength(3);
  expect(await decisions('--until', '1h')).toEqual([]);
  expect(await gate.run('log', '--tool', 'Write')).toMatchObject({ exit: 0, stdout: 'No recorded decision matches.\n' });
});

test.each([
  [['log', '--decision', 'dny'], 'Did you mean `deny`?'],
  [['log', '--since', 'yesterday'], 'must be an age or a date'],
  [['log', '--limit', '0'], 'whole number above 0'],
  [['log', 'verfy'], 'Did you mean `hookline log verify`?'],
  [['log', 'verify', '--tool', 'x'], '`--tool` has no effect'],
  [['log', '--yes'], '`--yes` has no effect'],
  [['log', '--follow', '--until', '1h'], 'cannot be combined'],
  [['log', 'prune'], 'needs an age or a date'],
  [['why', 'abcd', '--last-deny'], 'cannot be combined'],
])('wrong usage: %j', async (argv, said) => {
  const ended = await createGate().run(...argv);
  expect(ended).toMatchObject({ exit: 64, stdout: '' });
  expect(ended.stderr).toContain(said);
});

describe('--follow', () => {
  test('shows what is there, then each new decision as a line of JSON, and Ctrl-C is a good end', async () => {
    const gate = createGate();
    await gate.fire('ls');
    const argv = [BIN, 'log', '--follow', '--json', '--store', `sqlite:${gate.workspace.at('~/held.db')}`];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const lines = (): Entry[] =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    expect(await eventually(() => text.endsWith('\n'))).toBe(true);
    await gate.fire('rm x');
    expect(await eventually(() => text.endsWith('\n') && lines().length === 2)).toBe(true);
    expect(lines().map(({ seq, decision }) => [seq, decision])).toEqual([
      [1, 'pass'],
      [2, 'deny'],
    ]);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('ends when nobody reads any more', async () => {
    const gate = createGate();
    await gate.fire('ls');
    const argv = [BIN, 'log', '--follow', '--store', `sqlite:${gate.workspace.at('~/held.db')}`];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.destroy();
    await gate.fire('rm x');
    expect(await ended).toBe(0);
  });
});

describe('log verify', () => {
  test('says that the chain holds', async () => {
    const gate = await threeDecisions();
    const { exit, stdout } = await gate.run('log', 'verify');
    expect(exit).toBe(0);
    expect(stdout).toContain('✓ 4 entries verified: none was changed or removed.\n');
    expect(await gate.json('log', 'verify')).toMatchObject({ ok: true, entries: 4, sealed: 'yes', problems: [] });
  });

  test.each([
    ['changed', "UPDATE audit SET body = replace(body, 'nothing is deleted here', 'all is well') WHERE seq = 2"],
    ['missing', 'DELETE FROM audit WHERE seq = 2'],
  ])('names the entry that is %s', async (problem, sql) => {
    const gate = await threeDecisions();
    tamper(gate.workspace.at('~/held.db'), sql);
    const ended = await gate.run('log', 'verify');
    expect(ended.exit).toBe(1);
    expect(ended.stdout).toContain('The chain is broken at entry 2');
    expect(await gate.json('log', 'verify')).toMatchObject({ ok: false, entries: expect.any(Number), problem: { seq: 2, problem } });
  });
});

test('prune asks first, removes what is older, and the rest still verifies', async () => {
  const gate = await threeDecisions();
  const refused = await gate.run('log', 'prune', '--before', '0s');
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toContain('--yes');
  expect(await gate.json('log', 'prune', '--before', '1h', '--yes')).toMatchObject({ removed: 0 });
  expect((await gate.run('log', 'prune', '--before', '0s', '--yes')).stdout).toContain('4 entries before');
  await gate.fire('ls');
  expect(await entries(gate)).toMatchObject([{ seq: 5, kind: 'log.pruned' }, { seq: 6 }]);
  expect(await gate.json('log', 'verify')).toMatchObject({ ok: true, entries: 2 });
});

describe('why', () => {
  test('without an id it is the last decision, and with --last-deny the last denial', async () => {
    const gate = createGate();
    expect(await gate.run('why')).toMatchObject({ exit: 1, stderr: expect.stringContaining('no decision in the log yet') });
    const fired = async (command: string): Promise<string> => JSON.parse((await gate.fire(command, '--json')).stdout).id;
    const denied = await fired('rm -r x');
    await fired('ls');
    const held = JSON.parse((await gate.fire('deploy', '--json')).stdout);
    // Acts follow the decision, and are none.
    for (let i = 0; i < 2; i++) await gate.run('approvals', 'approve', held.ticket.id);
    expect(await gate.json('why')).toMatchObject({ id: held.id });
    expect(await gate.json('why', '--last-deny')).toMatchObject({ id: denied });
  });

  test('tells the story of a denial: what, who, why, and what to do', async () => {
    const gate = await threeDecisions();
    const [entry] = await entries(gate, '--decision', 'deny');
    const { exit, stdout } = await gate.run('why', entry?.id.slice(0, 14) ?? '');
    expect(exit).toBe(0);
    const text = stdout.replaceAll(/\s+/g, ' ');
    for (const part of ['about to use Bash: {"command":"rm -r x"}', "hook 'gate'", 'denied: nothing is deleted here', 'check the rule in'])
      expect(text).toContain(part);
    expect(await gate.json('why', entry?.id ?? '')).toMatchObject({ id: entry?.id, story: expect.any(Array), entry: { seq: 2 } });
  });

  test('names who approved it, for what was held and for what passed by it', async () => {
    const gate = createGate();
    const ticket = await gate.hold();
    await gate.run('approvals', 'approve', ticket, '--by', 'ana', '--note', 'fine');
    await gate.fire('deploy');
    const [held, passed] = await decided(gate);
    for (const { id } of [held, passed] as readonly Entry[]) {
      const text = (await gate.run('why', id)).stdout.replaceAll(/\s+/g, ' ');
      expect(text).toMatch(new RegExp(`ana \\(\\S+ on \\S+\\) approved ticket ${ticket}`));
      expect(text).toContain('does not count again');
    }
  });

  test('an unknown id is a negative answer', async () => {
    const gate = createGate();
    expect(await gate.run('why', 'nothing')).toMatchObject({ exit: 1, stdout: '' });
    expect(await gate.json('why', 'nothing')).toMatchObject({ error: { code: 'not-found' } });
  });
});

/** Writes to the file behind the program's back, with whichever driver there is. */
function tamper(file: string, sql: string): void {
  // The types of the oldest Node that is supported do not know this module.
  const builtin = process.getBuiltinModule('node:sqlite') as { DatabaseSync: new (file: string) => Database } | undefined;
  const Driver: new (file: string) => Database = builtin?.DatabaseSync ?? createRequire(import.meta.url)('better-sqlite3');
  const database = new Driver(file);
  database.exec(sql);
  database.close();
}

interface Database {
  exec(sql: string): void;
  close(): void;
}
