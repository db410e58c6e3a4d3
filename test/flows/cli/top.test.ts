/** `hookline top` in a real terminal, with real events of other processes. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { HAS_TERMINAL, isRestored, openTerminal, type Terminal, type TerminalOptions } from '../../support/terminal.ts';
import { createGate, type Gate } from './gate.ts';
import { type Ended, hookline, WITHOUT_PERSON } from './program.ts';

const SESSION = ['--session', 'a-session-of-work'];
const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const BIN = path.resolve('bin/hookline.js');
const shown = test.skipIf(!HAS_TERMINAL);
const person = test.skipIf(WITHOUT_PERSON || !HAS_TERMINAL);

function open({ workspace }: Gate, options: TerminalOptions = {}): Terminal {
  const store = `sqlite:${workspace.at('~/held.db')}`;
  return openTerminal(workspace, [process.execPath, BIN, 'top', '--store', store], { ...options, env: { NO_COLOR: '1', ...options.env } });
}

async function heldGate(): Promise<{ readonly gate: Gate; readonly ticket: string }> {
  const gate = createGate();
  gate.workspace.remove('~/.config/hookline/settings.json');
  return { gate, ticket: await gate.hold() };
}

/** Fires an action that waits for a person, and goes on once it is settled. */
function waiting(gate: Gate, command: string): Promise<Ended> {
  return gate.fire(command, '--wait', '600', '--json');
}

test('without a terminal it prints one frame as text or as JSON, with secrets masked and controls visible', async () => {
  const gate = createGate();
  for (const command of ['ls', 'rm -rf \u001b[2J\u202ebuild', `deploy ${SECRET}`]) await gate.fire(command, ...SESSION);
  const { exit, stdout } = await gate.run('top', '--once');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/1 waiting · last hour: 3 events · 1 denied · 0 failures/);
  expect(stdout).toMatch(/left +project +Bash +deploy \[redacted\] +deploys need a second/);
  expect(stdout).toMatch(/waits? .*a-session-of-work/);
  expect(stdout).toMatch(/✕ denied +Bash +rm -rf ␛\[2J<U\+202E>build +nothing is deleted here/);
  expect(stdout).toMatch(/gate +asked 3 +denied 1 +failed 0 +p95 \d/);
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
  const json = await gate.json('top');
  expect(json).toMatchObject({
    ...{ waitingCount: 1, totals: { entries: 3 }, sessions: [{ id: 'a-session-of-work', state: 'waits' }] },
    hooks: [{ name: 'gate', asked: 3, denied: 1 }],
  });
  for (const text of [stdout, JSON.stringify(json)]) expect(text).not.toContain(SECRET.slice(4));
});

test('without a terminal and without a form it says what to use', async () => {
  const gate = createGate();
  expect(await gate.run('top')).toMatchObject({ exit: 64, stderr: expect.stringMatching(/needs a terminal[\s\S]*--once[\s\S]*--json/) });
  expect(await gate.run('top', '--once', '--json')).toMatchObject({ exit: 64 });
  expect(await gate.run('top', '--once')).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('No decision is recorded yet. `hookline agent --scripted`'),
  });
});

shown('it shows what other processes do as they do it', async () => {
  const gate = createGate();
  const terminal = open(gate);
  await terminal.shows('No decision is recorded yet.');
  await gate.fire('rm -rf build', ...SESSION);
  await terminal.shows(/✕ +Bash +rm -rf build +nothing is deleted here/);
  await terminal.shows(/refused 1× .*a-session-of-work/);
  await terminal.shows(/gate +asked 1 +denied 1/);
  terminal.type('q');
  expect(await terminal.ended()).toBe(0);
  expect([terminal.isAlternate(), isRestored(gate.workspace)]).toEqual([false, true]);
  expect(terminal.written()).not.toMatch(/\x1b\[3\dm/);
});

shown('a decision opens as its story, a filter keeps the rest away, and a pause holds the screen', async () => {
  const gate = createGate();
  for (const command of ['rm one', 'rm two']) await gate.fire(command, ...SESSION);
  const terminal = open(gate);
  await terminal.shows('rm two');
  terminal.type('\t\t');
  await terminal.shows('▸ Last decisions');
  terminal.type('j\r');
  await terminal.shows(/the agent wanted to|rm one/);
  await terminal.shows("hook 'gate'");
  terminal.type('q');
  await terminal.shows('▸ Last decisions');
  terminal.type('/TWO\r');
  await terminal.shows('only `TWO`');
  await terminal.shows(/^(?![\s\S]*rm one)[\s\S]*rm two/);
  terminal.type('\x1b');
  await terminal.shows('rm one');
  terminal.type('p');
  await terminal.shows('paused, 0 new');
  await gate.fire('rm three', ...SESSION);
  await terminal.shows('paused, 1 new');
  expect(terminal.lines().join('\n')).not.toContain('rm three');
  terminal.type('p');
  await terminal.shows('rm three');
  terminal.type('?');
  await terminal.shows('next list, previous list');
  terminal.type('\x03');
  expect(await terminal.ended()).toBe(0);
});

person('a person approves a held action, and the process that waits for it goes on', async () => {
  const { gate, ticket } = await heldGate();
  const terminal = open(gate, { rows: 40 });
  const waits = waiting(gate, 'deploy');
  await terminal.shows(/left +Bash +deploy/);
  // The answer in the same breath was typed before the question was on the screen.
  terminal.type('a\r');
  await terminal.shows('Approve exactly this, once?');
  await terminal.shows(`ticket ${ticket}`);
  expect(await gate.json('approvals', 'show', ticket)).toMatchObject({ state: 'open' });
  terminal.type('\x1b');
  await terminal.shows('Nothing was settled.');
  terminal.type('a');
  await terminal.shows('Approve exactly this, once?');
  terminal.type('\r');
  await terminal.shows('Approved. It may run once.');
  expect(JSON.parse((await waits).stdout)).toMatchObject({ decision: expect.stringMatching(/pass|allow/) });
  await terminal.shows('Nothing waits.');
  terminal.type('q');
  expect(await terminal.ended()).toBe(0);
  expect(await gate.json('approvals', 'show', ticket)).toMatchObject({ state: 'approved', via: 'cli', actor: { finding: 'person' } });
});

person('a passphrase is asked for on a terminal that is given back meanwhile', async () => {
  const { gate, ticket } = await heldGate();
  const protecting = await hookline(gate.workspace, ['approvals', 'protect', '--store', `sqlite:${gate.workspace.at('~/held.db')}`], {
    ...{ terminal: true, stdin: 'a long passphrase\na long passphrase\n' },
  });
  expect(protecting.exit).toBe(0);
  const terminal = open(gate, { rows: 40 });
  await terminal.shows(/left +Bash +deploy/);
  for (const [turn, given, said] of [
    [1, 'wrong', 'The passphrase is wrong.'],
    [2, 'a long passphrase', 'Approved. It may run once.'],
  ] as const) {
    terminal.type('a');
    await terminal.shows('Approve exactly this, once?');
    terminal.type('\r');
    // Nothing is echoed once the question is there.
    await until(() => terminal.written().split('Passphrase of the approver: ').length === turn + 1);
    expect(terminal.isAlternate()).toBe(false);
    terminal.type(`${given}\n`);
    await terminal.shows(said);
  }
  terminal.type('q');
  expect(await terminal.ended()).toBe(0);
  expect(terminal.written()).not.toContain('a long passphrase');
  expect(await gate.json('approvals', 'show', ticket)).toMatchObject({ state: 'approved', actor: { by: 'secret' } });
  expect(isRestored(gate.workspace)).toBe(true);
});

person('an action that is longer than the screen is settled only once its end was seen', async () => {
  const { gate } = await heldGate();
  const terminal = open(gate, { rows: 12 });
  await terminal.shows(/left +Bash +deploy/);
  terminal.type('d');
  await terminal.shows('Deny this?');
  terminal.type('\r');
  await terminal.shows('Read it to its end first');
  terminal.type('G');
  await terminal.shows('next:');
  await terminal.shows('Deny this?');
  terminal.type('\r');
  await terminal.shows('Denied. It does not run.');
  terminal.type('q');
  await terminal.ended();
  expect(await gate.json('approvals', '--all')).toMatchObject({ tickets: [{ state: 'denied' }] });
});

shown('an agent at the terminal settles nothing, is told why, and the attempt is recorded', async () => {
  const { gate, ticket } = await heldGate();
  const terminal = open(gate, { env: { CLAUDECODE: '1' } });
  await terminal.shows('Read-only. An agent may not approve an action.');
  await terminal.shows(/left +Bash +deploy/);
  terminal.type('a');
  await terminal.shows(/An agent may not approve an action\.[\s\S]*An agent may not approve an action\./);
  terminal.type('q');
  await terminal.ended();
  expect(await gate.json('approvals', 'show', ticket)).toMatchObject({ state: 'open' });
  const { entries } = (await gate.json('log')) as { entries: readonly { kind: string; decision: string }[] };
  expect(entries.filter(({ kind }) => kind === 'ticket.approved')).toMatchObject([{ decision: 'deny', actor: { finding: 'agent' } }]);
});

shown.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s gives the terminal back', async (signal) => {
  const gate = createGate();
  const terminal = open(gate);
  await terminal.shows('Nothing waits.');
  expect(terminal.isAlternate()).toBe(true);
  process.kill(terminal.pid(), signal);
  await terminal.ended();
  expect([terminal.isAlternate(), isRestored(gate.workspace)]).toEqual([false, true]);
});

shown('a crash gives the terminal back before it says why', async () => {
  const gate = createGate();
  gate.workspace.write({ 'crash.cjs': `process.on('SIGUSR2', () => { throw new Error('it broke'); });` });
  const terminal = open(gate, { env: { NODE_OPTIONS: `--require=${JSON.stringify(gate.workspace.at('crash.cjs'))}` } });
  await terminal.shows('Nothing waits.');
  process.kill(terminal.pid(), 'SIGUSR2');
  expect(await terminal.ended()).toBe(70);
  expect([terminal.isAlternate(), isRestored(gate.workspace)]).toEqual([false, true]);
  expect(terminal.lines().join('\n')).toContain('it broke');
});

shown('a stopped screen leaves the terminal to the shell, and comes back', async () => {
  const gate = createGate();
  const store = `sqlite:${gate.workspace.at('~/held.db')}`;
  const words = [process.execPath, BIN, 'top', '--store', store].map((word) => `'${word}'`).join(' ');
  const terminal = openTerminal(gate.workspace, ['bash', '--norc', '--noprofile', '-i'], { env: { PS1: 'shell> ' } });
  await terminal.shows('shell>');
  terminal.type(`${words}\n`);
  await terminal.shows('Nothing waits.');
  terminal.type('\x1a');
  await terminal.shows('Stopped');
  expect(terminal.isAlternate()).toBe(false);
  terminal.type('echo typed by "a person"\n');
  await terminal.shows('typed by a person');
  terminal.type('fg\n');
  await terminal.shows('Nothing waits.');
  expect(terminal.isAlternate()).toBe(true);
  terminal.type('q');
  await terminal.shows('typed by a person');
  terminal.type('exit\n');
  await terminal.ended();
  expect(isRestored(gate.workspace)).toBe(true);
});

shown('a resize is drawn anew, and no line is wider than the window', async () => {
  const gate = createGate();
  await gate.fire(`rm ${'漢字 '.repeat(100)}`, ...SESSION);
  const terminal = open(gate, { columns: 120, rows: 30 });
  await terminal.shows('✕ denied');
  for (const [columns, rows] of [
    [60, 20],
    [30, 10],
    [200, 50],
  ] as const) {
    const before = terminal.written().length;
    terminal.resize(columns, rows);
    await terminal.shows(
      columns === 200 ? '✕ denied' : columns === 60 ? /✕ +Bash/ : /▸ Waiting for a person \(0\)\n {2}Nothing waits\.\n\n/,
    );
    expect(terminal.written().slice(before)).toContain('\x1b[2J');
    const { widthOf } = await import('../../../src/cli/print/text.ts');
    for (const line of terminal.lines()) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  }
  terminal.resize(15, 4);
  await terminal.shows('The window is');
  terminal.type('q');
  expect(await terminal.ended()).toBe(0);
});

shown('hostile text is shown as text', async () => {
  const gate = createGate();
  const hostile = 'rm \u001b]0;title\u0007\u001b[2J\u001b[?1049l\u202egnp.exe\u200b\u009b31m\r\nfake line';
  await gate.fire(hostile, ...SESSION);
  const terminal = open(gate, { columns: 160 });
  await terminal.shows('rm ␛]0;title␇␛[2J␛[?1049l<U+202E>gnp');
  terminal.type('\t\t\r');
  await terminal.shows("hook 'gate'");
  expect(terminal.isAlternate()).toBe(true);
  expect(terminal.written()).not.toMatch(/[\u202e\u200b\u009b\u0007]|\x1b\]/);
  terminal.type('\x03');
  await terminal.ended();
});
