/** Grants from the command line: what is shown is what passes, until it is revoked, and each use is counted. */
import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createHookline } from '../../../src/api/create-hookline.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { createGate } from './gate.ts';

interface Given {
  readonly grant: { readonly id: string; readonly uses: number; readonly revokedAt: number | null; readonly [key: string]: unknown };
}

const PASSED = 0;
const HELD = 3;

test('a prefix is shown, passes again and again, is counted, listed and revoked', async () => {
  const gate = createGate();
  const id = await gate.hold('npm run deploy --to staging');
  const approved = await gate.run('approvals', 'approve', id, '--for', '1h', '--same', 'command-prefix', '--by', 'ana');
  expect(approved.exit).toBe(0);
  const shown = approved.stdout.replace(/\s+/g, ' ');
  expect(shown).toContain('Bash commands that begin with `npm run deploy` and have no operators, in ');
  expect(shown).toContain('asked by gate');
  expect(shown).toMatch(/until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  expect(shown).toMatch(/hookline approvals grants revoke \S+/);

  // The approval itself is used first, then the grant.
  expect((await gate.fire('npm run deploy --to staging')).exit).toBe(PASSED);
  for (const command of ['npm run deploy --to staging', 'npm  run deploy --to production', '"npm" run deploy'])
    expect((await gate.fire(command)).exit).toBe(PASSED);
  for (const command of [
    'npm run deployx',
    'npm run deploy; x',
    'npm run deploy && rm x',
    'X=1 npm run deploy',
    'npm run deploy\nx',
    'deploy',
  ])
    expect([command, (await gate.fire(command)).exit].join()).not.toBe([command, PASSED].join());
  expect((await gate.fire('rm deploys')).exit).toBe(HELD);

  const outcome = JSON.parse((await gate.fire('npm run deploy', '--json')).stdout);
  expect(outcome).toMatchObject({ decision: 'allow', grants: [{ by: 'ana' }] });
  const { grants } = (await gate.json('approvals', 'grants')) as unknown as { readonly grants: readonly Given['grant'][] };
  expect(grants).toMatchObject([{ by: 'ana', uses: 4, ticket: id, scope: { words: ['npm', 'run', 'deploy'] } }]);
  const grant = grants[0]?.id ?? '';
  expect((await gate.run('approvals', 'grants')).stdout).toMatch(/in force[\s\S]*Used 4 times/);
  expect((await gate.run('why', outcome.id)).stdout).toContain('Granted by ana');

  expect(await gate.run('approvals', 'grants', 'revoke', grant, '--by', 'bob')).toMatchObject({ exit: 0 });
  expect((await gate.fire('npm run deploy')).exit).toBe(HELD);
  expect((await gate.run('approvals', 'grants')).stdout).toBe('There are no grants.\n');
  expect((await gate.run('approvals', 'grants', '--all')).stdout).toMatch(/revoked[\s\S]*Revoked by bob/);
  const again = await gate.run('approvals', 'grants', 'revoke', grant);
  expect(again).toMatchObject({ exit: 1, stdout: '' });
  expect(again.stderr).toContain('already revoked by bob');
});

test('without `--same` exactly the same action passes again', async () => {
  const gate = createGate();
  const id = await gate.hold('deploy | cat');
  const given = (await gate.json('approvals', 'approve', id, '--for', '30m')) as unknown as Given;
  expect(given.grant).toMatchObject({ scope: { same: 'action' }, session: null, uses: 0 });
  for (const _ of [1, 2, 3]) expect((await gate.fire('deploy | cat')).exit).toBe(PASSED);
  expect((await gate.fire('deploy | cat x')).exit).toBe(HELD);
  expect(await gate.json('approvals', 'grants', 'show', given.grant.id)).toMatchObject({ uses: 2 });
});

test('a session grant is for that session, and is refused if the agent names none', async () => {
  const gate = createGate();
  const nameless = await gate.hold('deploy');
  expect((await gate.run('approvals', 'approve', nameless, '--for', 'session')).stderr).toContain('does not name its session');
  const held = JSON.parse((await gate.fire('deploy it', '--session', 's1', '--json')).stdout);
  const given = (await gate.json('approvals', 'approve', held.ticket.id, '--for', 'session')) as unknown as Given;
  expect(given.grant).toMatchObject({ session: 's1' });
  for (const _ of [1, 2]) expect((await gate.fire('deploy it', '--session', 's1')).exit).toBe(PASSED);
  expect((await gate.fire('deploy it', '--session', 's2')).exit).toBe(HELD);
});

describe('what cannot be granted', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['deploy', ['--for', '1h', '--same', 'tool'], /Bash runs commands/],
    ['deploy && x', ['--for', '1h', '--same', 'command-prefix'], /not one simple command/],
    ['sudo deploy now', ['--for', '1h', '--same', 'command-prefix'], /any program/],
    ['deploy', ['--for', '1h', '--same', 'path'], /does not name the files/],
    ['deploy', ['--for', '1h', '--same', 'everything'], /no `same` called/],
    ['deploy', ['--same', 'tool'], /needs `for`/],
    ['deploy', ['--prefix', 'deploy'], /needs `for`/],
    ['deploy now', ['--for', '1h', '--prefix', 'deploy'], /needs `same`/],
    ['deploy', ['--for', '31d'], /cannot hold/],
    ['deploy', ['--for', '0m'], /cannot hold/],
    ['deploy', ['--for', 'ever'], /cannot hold/],
    ['deploy', ['--for', '-1h'], /for/],
    ['deploy', ['--for', '1h', '--input', '{"command":"x"}'], /edited input/],
    ['deploy', ['--yes'], /no effect/],
  ])('%s with %j', async (command, options, why) => {
    const gate = createGate();
    const id = await gate.hold(command);
    const refused = await gate.run('approvals', 'approve', id, ...options);
    expect(refused.exit).not.toBe(0);
    expect(refused.stderr).toMatch(why);
    // Nothing was settled and nothing was granted.
    expect(await gate.json('approvals', 'show', id)).toMatchObject({ state: 'open' });
    expect(await gate.json('approvals', 'grants', '--all')).toEqual({ grants: [] });
  });

  test('an option of a grant has no effect elsewhere', async () => {
    const gate = createGate();
    for (const line of [
      ['deny', 'x', '--for', '1h'],
      ['grants', '--for', '1h'],
      ['grants', 'show'],
      ['grants', 'forget', 'x'],
      ['show', 'x', 'y'],
    ])
      expect((await gate.run('approvals', ...line)).exit).not.toBe(0);
    expect((await gate.run('approvals', 'grants', 'revoke', 'nothing')).stderr).toContain('There is no grant');
  });
});

test('the library gives and revokes the same grants', async () => {
  const gate = createGate();
  const file = gate.workspace.at('~/held.db');
  const hookline = await createHookline({
    root: gate.workspace.root,
    home: gate.workspace.home,
    trust: 'all',
    store: `sqlite:${file}`,
  });
  try {
    const write = (path: string) => hookline.fire('tool.before', { tool: 'Write', input: { file_path: path, content: 'deploy' } });
    mkdirSync(gate.workspace.at('src'), { recursive: true });
    const held = await write('src/a.txt');
    const { grant } = await hookline.approvals.approve(held.ticket?.id ?? '', { for: '1h', same: 'path', path: 'src/', by: 'ann' });
    expect(grant?.actor).toMatchObject({ via: 'api', by: 'embedding' });
    await write('src/a.txt');
    expect((await write('src/b.txt')).grants).toMatchObject([{ id: grant?.id }]);
    expect((await write('b.txt')).decision).toBe('hold');
    expect(await hookline.approvals.grants.list()).toMatchObject([{ uses: 1 }]);
    expect(await hookline.approvals.grants.revoke(grant?.id ?? '', { by: 'ann' })).toMatchObject({ revokedBy: 'ann' });
    expect((await write('src/b.txt')).decision).toBe('hold');
    await expect(hookline.approvals.grants.revoke(grant?.id ?? '')).rejects.toMatchObject({ code: 'unknown-grant' });
    await expect(hookline.approvals.approve('x', { same: 'tool' })).rejects.toMatchObject({ code: 'bad-option' });
  } finally {
    await hookline.close();
  }
  const store = openSqliteStore(file);
  expect(await store.grants.list({ all: true }, Date.now())).toHaveLength(1);
  await store.close();
});
