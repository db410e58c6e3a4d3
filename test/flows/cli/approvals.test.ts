/** Approvals from the command line: what is held waits in the store, one person settles it, and an approval releases it once. */
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { createGate } from './gate.ts';
import { hookline } from './program.ts';

test('held here, approved there, and the identical call passes exactly once', async () => {
  const gate = createGate();
  expect((await gate.fire('deploy')).exit).toBe(3);
  const id = await gate.hold();

  const listed = await gate.run('approvals');
  expect(listed.exit).toBe(0);
  for (const part of ['1 action waits', id, 'Bash', 'deploys need a second pair of eyes', 'gate', 'HOOK.md'])
    expect(listed.stdout).toContain(part);

  const approved = await gate.run('approvals', 'approve', id, '--by', 'ana', '--note', 'fine');
  expect(approved.exit).toBe(0);
  expect(approved.stdout).toContain('Approved by ana');
  expect(approved.stdout).toContain('The next identical call passes, once');
  expect(await gate.json('approvals', 'show', id)).toMatchObject({ state: 'approved', by: 'ana', note: 'fine', via: 'cli' });

  expect((await gate.fire('deploy --other')).exit).toBe(3);
  expect((await gate.fire('deploy')).exit).toBe(0);
  expect((await gate.fire('deploy')).exit).toBe(3);
});

test('nothing held is a friendly line, not an empty table', async () => {
  const gate = createGate();
  expect(await gate.run('approvals')).toMatchObject({ exit: 0, stdout: 'No action is held.\n', stderr: '' });
  expect(await gate.json('approvals')).toEqual({ tickets: [] });
});

describe('settling', () => {
  test('whoever comes second is told who was first, and changes nothing', async () => {
    const gate = createGate();
    const id = await gate.hold();
    expect(await gate.json('approvals', 'deny', id, '--by', 'ana')).toMatchObject({ won: true, ticket: { id, state: 'denied' } });
    const late = await gate.run('approvals', 'approve', id, '--by', 'bob');
    expect(late).toMatchObject({ exit: 1, stdout: '' });
    expect(late.stderr).toMatch(/was already denied by ana/);
    expect(await gate.json('approvals', 'approve', id)).toMatchObject({ won: false, ticket: { state: 'denied', by: 'ana' } });
    expect((await gate.fire('deploy')).exit).toBe(2);
  });

  test('an expired ticket is told as expired, never as denied', async () => {
    const gate = createGate();
    const id = await gate.hold();
    await openExpired(gate.workspace.at('~/held.db'), id);
    const late = await gate.run('approvals', 'approve', 'old-ticket');
    expect(late.exit).toBe(1);
    expect(late.stderr).toContain('without a decision');
    expect(late.stderr).not.toMatch(/deni/);
    expect(await gate.json('approvals', '--state', 'expired')).toMatchObject({
      tickets: [{ id: 'old-ticket', state: 'expired', by: null }],
    });
  });

  test('a withdrawn action does not run, and its ticket is no longer listed but with --all', async () => {
    const gate = createGate();
    const id = await gate.hold();
    expect((await gate.run('approvals', 'withdraw', id)).stdout).toContain('Withdrawn by');
    expect(await gate.json('approvals')).toEqual({ tickets: [] });
    expect(await gate.json('approvals', '--all')).toMatchObject({ tickets: [{ id, state: 'withdrawn' }] });
    expect((await gate.run('approvals', '--all')).stdout).toContain('withdrawn');
  });

  test('an edited input is kept with the approval; what does not fit the event is wrong usage and settles nothing', async () => {
    const gate = createGate();
    const id = await gate.hold();
    for (const input of ['not json', '[]', '"text"']) expect((await gate.run('approvals', 'approve', id, '--input', input)).exit).toBe(64);
    expect(await gate.json('approvals', 'show', id)).toMatchObject({ state: 'open' });
    expect(await gate.json('approvals', 'approve', id, '--input', '{"command":"deploy --dry-run"}')).toMatchObject({
      won: true,
      ticket: { edit: { command: 'deploy --dry-run' } },
    });
  });
});

describe('ids', () => {
  test('may be shortened as long as they fit one ticket', async () => {
    const gate = createGate();
    const id = await gate.hold();
    expect(await gate.json('approvals', 'show', id.slice(0, 12))).toMatchObject({ id });
    const missing = await gate.run('approvals', 'approve', `${id.slice(0, 8)}zzz`);
    expect(missing.exit).toBe(1);
    expect(missing.stderr).toContain(`Did you mean \`${id}\``);
    expect(await gate.json('approvals', 'show', 'nothing-like-it')).toMatchObject({ error: { code: 'unknown-ticket' } });
  });
});

describe('wrong usage', () => {
  test.each([
    [['approvals', 'aprove', 'x'], 'Did you mean `hookline approvals approve`?'],
    [['approvals', 'approve'], 'The ticket is missing.'],
    [['approvals', 'deny', 'x', '--input', '{}'], '`--input` has no effect'],
    [['approvals', '--note', 'x'], '`--note` has no effect'],
    [['approvals', '--state', 'opn'], 'Did you mean `open`?'],
    [['approvals', '--store', 'redis://x'], 'is not the URL of a store'],
  ])('%j', async (argv, said) => {
    const ended = await hookline(createGate().workspace, argv);
    expect(ended).toMatchObject({ exit: 64, stdout: '' });
    expect(ended.stderr).toContain(said);
  });
});

test('a store that can not be used is exit code 78, for people and for machines', async () => {
  const { workspace } = createGate();
  workspace.write({ 'file.txt': 'no folder' });
  const argv = ['approvals', '--store', `sqlite:${workspace.at('file.txt/held.db')}`];
  expect(await hookline(workspace, argv)).toMatchObject({ exit: 78, stdout: '' });
  const json = await hookline(workspace, [...argv, '--json']);
  expect(json.exit).toBe(78);
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'store-unavailable' } });
});

test('secrets are not shown to people', async () => {
  const gate = createGate();
  const id = await gate.hold('deploy --token hunter2hunter2');
  for (const argv of [['approvals'], ['approvals', 'show', id], ['approvals', 'approve', id]]) {
    const { stdout } = await gate.run(...argv);
    expect(stdout).toContain('[redacted]');
    expect(stdout).not.toContain('hunter2');
  }
});

/** Puts a ticket of the same action into the store whose life is over. */
async function openExpired(file: string, id: string): Promise<void> {
  const store = openSqliteStore(file);
  const like = await store.tickets.get(id, Date.now());
  if (!like) throw new Error(`There is no ticket ${id}.`);
  const { kind, tool, session, root, reason, action } = like;
  const openedAt = Date.now() - 60_000;
  const times = { openedAt, expiresAt: openedAt + 1000 };
  await store.tickets.open({ id: 'old-ticket', digest: 'sha256:old', kind, tool, session, root, reason, action, ...times }, openedAt);
  await store.close();
}
