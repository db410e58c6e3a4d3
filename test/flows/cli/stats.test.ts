/** `hookline stats` and `hookline report`, as the program answers. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HAS_TERMINAL, openTerminal } from '../../support/terminal.ts';
import { createGate, type Gate } from './gate.ts';

const SESSION = ['--session', 'a-session-of-work'];
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

async function busyGate(): Promise<Gate> {
  const gate = createGate();
  for (const command of ['ls', 'ls -l', 'rm -rf <b>build</b>', `echo ${SECRET}`]) await gate.fire(command, ...SESSION);
  await gate.fire('deploy now', ...SESSION);
  return gate;
}

test('stats counts what the log has now, also when asked again', async () => {
  const gate = await busyGate();
  const first = await gate.json('stats');
  expect(first).toMatchObject({
    ...{ sessions: 1, missing: 0, notAsked: 0, problems: [], totals: { entries: 5, decisions: { pass: 3, deny: 1, hold: 1 }, faults: 0 } },
    hooks: [{ name: 'gate', asked: 5, denied: 1, held: 1, faulted: 0, skipped: 0 }],
  });
  const [hook] = first['hooks'] as readonly Record<string, number>[];
  expect(hook?.['p50']).toBeGreaterThan(0);
  expect(hook?.['msPerSession']).toBe(hook?.['ms']);
  await gate.fire('rm more', ...SESSION);
  expect(await gate.json('stats', '--since', '1h')).toMatchObject({ hooks: [{ asked: 6, denied: 2 }] });
  const { exit, stdout } = await gate.run('stats');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/6 events in 1 session, 2 denied, 1 held for a person, 0 failures\./);
  expect(stdout).toMatch(/gate +6 +2 +1 +0 +0/);
});

test('stats of an empty log says so', async () => {
  const gate = createGate();
  expect(await gate.run('stats')).toMatchObject({ exit: 0, stdout: expect.stringContaining('No hook was asked in this time.') });
  expect(await gate.json('stats')).toMatchObject({ sessions: 0, hooks: [] });
});

test('stats needs a time that it understands and a store that lasts', async () => {
  const gate = createGate();
  expect(await gate.run('stats', '--since', 'soon')).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('must be an age or a date'),
  });
  const { hookline } = await import('./program.ts');
  expect(await hookline(gate.workspace, ['stats', '--store', 'memory:'])).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('A store in memory has no views'),
  });
});

test('a report is one page that is readable by its owner alone, with secrets masked and text escaped', async () => {
  const gate = await busyGate();
  const file = gate.workspace.at('report.html');
  expect(await gate.run('report', '--html', '--out', file)).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('a-session-of-work'),
  });
  const page = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(page).toContain('nothing is deleted here');
  expect(page).toContain('rm -rf &#60;b&#62;build&#60;/b&#62;');
  expect(page).toContain('deploys need a second pair of eyes');
  expect(page).toContain('2 passes: Bash 2');
  expect(page).not.toContain(SECRET.slice(4));
  const again = await gate.run('report', '--html', '--out', file);
  expect(again).toMatchObject({ exit: 64, stderr: expect.stringContaining('exists already') });
  const { stdout } = await gate.run('report', 'a-sess', '--html');
  expect(stdout.startsWith('<!doctype html>')).toBe(true);
  expect(await gate.json('report')).toMatchObject({ session: { id: 'a-session-of-work', denied: 1, held: 1 }, isCut: false });
});

test('a report that cannot be made says why', async () => {
  const gate = createGate();
  expect(await gate.run('report', '--html')).toMatchObject({ exit: 1, stderr: expect.stringContaining('no session in the log yet') });
  await gate.fire('ls', ...SESSION);
  expect(await gate.run('report', 'other-session', '--html')).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('There is no session'),
  });
  expect(await gate.run('report')).toMatchObject({ exit: 64, stderr: expect.stringContaining('needs the form of the page') });
  const alone = await gate.run('report', '--json', '--out', 'x');
  expect(alone).toMatchObject({ exit: 64, stdout: expect.stringContaining('`--out` needs `--html`') });
  expect(await gate.run('report', '--html', '--out', 'no/such/folder.html')).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('cannot be written'),
  });
});

test.skipIf(!HAS_TERMINAL)('a report does not fill a terminal with the source of its page', async () => {
  const { workspace } = await busyGate();
  const store = `sqlite:${workspace.at('~/held.db')}`;
  const words = [process.execPath, path.resolve('bin/hookline.js'), 'report', '--html', '--store', store];
  const terminal = openTerminal(workspace, words, { columns: 200 });
  expect(await terminal.ended()).toBe(64);
  expect(terminal.written()).toContain('hookline report --html --out report.html');
  expect(terminal.written()).not.toContain('<!doctype');
});

test('the views are a file of their own next to the store, and can be deleted', async () => {
  const gate = await busyGate();
  await gate.run('stats');
  const file = gate.workspace.at('~/held.views.db');
  expect(existsSync(file)).toBe(true);
  expect(statSync(file).mode & 0o077).toBe(0);
  const { rmSync, writeFileSync } = await import('node:fs');
  rmSync(file);
  expect(await gate.json('stats')).toMatchObject({ hooks: [{ asked: 5 }] });
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  writeFileSync(file, 'This is no database, but a text that is long enough to be read as one. '.repeat(200));
  expect(await gate.json('stats')).toMatchObject({ hooks: [{ asked: 5 }] });
});
