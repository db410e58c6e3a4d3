/** Whoever changes the store behind our back is seen, without being given anything: each way, in SQLite and in Postgres. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Hookline, Outcome } from '../../../src/index.ts';
import { connect } from '../../../src/stores/sqlite/database.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { sql, testDatabase } from '../postgres/server.ts';

interface Place {
  readonly name: string;
  /** How a table is called there. */
  table(name: 'audit' | 'anchor' | 'head' | 'tickets'): string;
  make(at: (file: string) => string): Promise<{ readonly url: string; run(text: string): Promise<void> }>;
}

const PLACES: readonly Place[] = [
  {
    name: 'SQLite',
    table: (name) => name,
    async make(at) {
      const file = at('~/log.db');
      return {
        url: `sqlite:${file}`,
        async run(text) {
          const connection = connect(file);
          connection.exec(text);
          connection.close();
        },
      };
    },
  },
  {
    name: 'Postgres',
    table: (name) => `hookline.${{ audit: 'audit', anchor: 'audit_anchor', head: 'audit_head', tickets: 'tickets' }[name]}`,
    async make() {
      const { url, drop } = await testDatabase();
      onTestFinished(drop);
      return { url, run: async (text) => void (await sql(url, text)) };
    },
  },
];

const bash = (command: string) => ({ tool: 'Bash', input: { command } }) as const;

/** Eight entries: four decisions, then the opening of a ticket, its hold, its approval, and one more decision. */
async function watched(place: Place) {
  const workspace = createWorkspace();
  const { url, run } = await place.make((file) => workspace.at(file));
  const state = path.join(workspace.at('~/'), '.local', 'state');
  const open = async (): Promise<Hookline> => {
    const hookline = await workspace.open({ store: url });
    hookline.on('tool.before', ({ data }) => (JSON.stringify(data).includes('deploy') ? { decision: 'hold', reason: 'look' } : undefined), {
      name: 'gate',
    });
    return hookline;
  };
  const first = await open();
  for (const command of ['a', 'b', 'c', 'd']) await first.fire('tool.before', bash(command));
  const held = await first.fire('tool.before', bash('deploy'));
  const ticket = held.ticket?.id ?? '';
  await first.approvals.approve(ticket, { by: 'ann' });
  await first.fire('tool.before', bash('e'));
  expect(await first.log.verify()).toMatchObject({ ok: true, entries: 8, sealed: 'yes' });
  await first.close();
  const t = (text: string): string =>
    text.replaceAll(/\b(audit|anchor|head|tickets)\b(?=[ ;)]|$)/g, (name) => place.table(name as 'audit'));
  return { open, ticket, state, tamper: async (text: string) => run(t(text)) };
}

type Row = readonly [name: string, sql: string, problem: string];

const ANCHOR_AT_3 = 'UPDATE anchor SET seq = 3, hash = (SELECT hash FROM audit WHERE seq = 3)';
const HEAD_AT_6 = 'UPDATE head SET seq = 6, hash = (SELECT hash FROM audit WHERE seq = 6)';

const LOG: readonly Row[] = [
  ['the newest entries are removed', 'DELETE FROM audit WHERE seq > 6', 'shortened'],
  ['the newest are removed and the head is set back', `${HEAD_AT_6}; DELETE FROM audit WHERE seq > 6`, 'shortened'],
  ['so that even the seal is gone', `${HEAD_AT_6}, seal = NULL, origin = NULL; DELETE FROM audit WHERE seq > 6`, 'seal'],
  ['all entries are removed', 'DELETE FROM audit', 'shortened'],
  ['all are removed and the head begins anew', "DELETE FROM audit; UPDATE head SET seq = 0, hash = 'sha256:0', seal = NULL", 'shortened'],
  ['the oldest are removed and the anchor is moved', `${ANCHOR_AT_3}; DELETE FROM audit WHERE seq <= 3`, 'pruned-unrecorded'],
  ['an entry in the middle is removed', 'DELETE FROM audit WHERE seq = 4', 'missing'],
  ['a body is changed', 'UPDATE audit SET body = replace(body, \'"Bash"\', \'"Read"\') WHERE seq = 2', 'changed'],
  ['a body cannot be read', "UPDATE audit SET body = '{' WHERE seq = 2", 'unreadable'],
  ['a body is no entry', "UPDATE audit SET body = '[]' WHERE seq = 2", 'unreadable'],
  ...['id', 'session', 'tool', 'decision'].map(
    (column): Row => [`the column ${column} is changed`, `UPDATE audit SET ${column} = 'other' WHERE seq = 2`, 'changed'],
  ),
  ['the column at is changed', 'UPDATE audit SET at = at - 5 WHERE seq = 2', 'changed'],
];

describe.each(PLACES)('$name', (place) => {
  test.each(LOG)('if %s, verify says so and the rest is still shown', async (_, text, problem) => {
    const { open, tamper } = await watched(place);
    await tamper(text);
    const hookline = await open();
    const { ok, problems } = await hookline.log.verify();
    expect([ok, problems.map((one) => one.problem)]).toEqual([false, expect.arrayContaining([problem])]);
    // Nothing of it makes the log useless.
    await hookline.log.list();
    await hookline.fire('tool.before', bash('after'));
    expect((await hookline.log.list()).at(-1)).toMatchObject({ data: { input: { command: 'after' } } });
    // What is written afterwards hides nothing.
    expect((await hookline.log.verify()).ok).toBe(false);
    await hookline.close();
  });

  test('if the seal is changed, verify says so', async () => {
    const { open, tamper } = await watched(place);
    await tamper("UPDATE head SET seal = 'other'");
    const hookline = await open();
    expect(await hookline.log.verify()).toMatchObject({ ok: false, sealed: 'no', problems: [{ seq: 8, problem: 'seal' }] });
    await tamper("UPDATE head SET origin = 'another'");
    expect(await hookline.log.verify()).toMatchObject({ ok: true, sealed: 'by another machine' });
    await hookline.close();
  });

  test('if the column hooks is changed, verify says so', async () => {
    const { open, tamper } = await watched(place);
    await tamper(`UPDATE audit SET hooks = ${place.name === 'Postgres' ? "ARRAY['other']" : "'other'"} WHERE seq = 2`);
    const hookline = await open();
    expect((await hookline.log.verify()).problems).toMatchObject([{ seq: 2, problem: 'changed', says: expect.stringContaining('hooks') }]);
    await hookline.close();
  });

  test('an entry that cannot be read is named in the list, with what its columns say', async () => {
    const { open, tamper } = await watched(place);
    await tamper("UPDATE audit SET body = '{' WHERE seq = 2");
    const hookline = await open();
    const entries = await hookline.log.list();
    expect(entries).toHaveLength(8);
    expect(entries[1]).toMatchObject({ seq: 2, tool: 'Bash', decision: 'pass', unreadable: expect.any(String) });
    expect((await hookline.log.verify()).problems).toMatchObject([{ seq: 2, problem: 'unreadable' }]);
    await hookline.close();
  });

  test('a checkpoint that was changed, or is none, is named', async () => {
    const { open, state } = await watched(place);
    const folder = path.join(state, 'hookline', 'checkpoints');
    const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '');
    writeFileSync(file, `${readFileSync(file, 'utf8').replaceAll(/"at":\d+/g, '"at":5')}no checkpoint\n`);
    const hookline = await open();
    const { problems } = await hookline.log.verify();
    expect(new Set(problems.map((one) => one.problem))).toEqual(new Set(['checkpoint']));
    expect(problems.map(({ says }) => says).join('\n')).toMatch(/signature[\s\S]*not a checkpoint|not a checkpoint[\s\S]*signature/);
    await hookline.close();
  });

  const again = async (hookline: Hookline): Promise<Outcome> => hookline.fire('tool.before', bash('deploy'));

  test('an approval that nobody touched releases its action once', async () => {
    const { open, ticket } = await watched(place);
    const hookline = await open();
    expect(await again(hookline)).toMatchObject({ decision: 'allow', approval: { ticket } });
    expect(await again(hookline)).toMatchObject({ decision: 'hold' });
    await hookline.close();
  });

  const LATER = 9_000_000_000_000;
  const settled = place.name === 'Postgres' ? 'settling' : 'settlement';
  const written = place.name === 'Postgres' ? 'body' : 'head';
  const TICKETS: readonly (readonly [string, string])[] = [
    ['its entry is removed', "DELETE FROM audit WHERE id LIKE '%.settled'"],
    ['its entry is changed', "UPDATE audit SET body = replace(body, 'ann', 'bob') WHERE id LIKE '%.settled'"],
    ['the one who settled it is changed', `UPDATE tickets SET ${settled} = replace(${settled}, 'ann', 'bob')`],
    ['another input is put in', `UPDATE tickets SET ${settled} = replace(${settled}, '"edit":null', '"edit":{"command":"rm"}')`],
    [
      'its life is made longer everywhere',
      `UPDATE tickets SET expires_at = ${LATER}, ${written} = replace(${written}, '"expiresAt":1', '"expiresAt":9')`,
    ],
    [
      'the held action is changed',
      `UPDATE tickets SET ${place.name === 'Postgres' ? 'body' : 'action'} = replace(${place.name === 'Postgres' ? 'body' : 'action'}, '"waiting":[]', '"waiting":["x"]')`,
    ],
  ];

  test.each(TICKETS)('an approval releases nothing if %s', async (_, text) => {
    const { open, ticket, tamper } = await watched(place);
    await tamper(text);
    const hookline = await open();
    const outcome = await again(hookline);
    expect(outcome).toMatchObject({
      decision: 'hold',
      diagnostics: [{ code: 'approval-unproven', message: expect.stringContaining(ticket) }],
    });
    expect(outcome.ticket?.id).not.toBe(ticket);
    expect((await hookline.log.verify()).problems).toMatchObject(
      expect.arrayContaining([{ problem: 'approval-unproven', seq: 0, says: expect.stringContaining(ticket) }]),
    );
    await hookline.close();
  });

  test('an approval whose row lives longer than it was shown releases nothing', async () => {
    const { open, tamper } = await watched(place);
    await tamper(`UPDATE tickets SET expires_at = ${LATER}`);
    const hookline = await open();
    expect(await again(hookline)).toMatchObject({ decision: 'hold', diagnostics: [{ code: 'approval-unproven' }] });
    await hookline.close();
  });

  test('a used approval whose use is wiped out releases nothing', async () => {
    const { open, tamper } = await watched(place);
    const first = await open();
    expect(await again(first)).toMatchObject({ decision: 'allow' });
    await tamper('UPDATE tickets SET released_at = NULL');
    expect(await again(first)).toMatchObject({ decision: 'hold', diagnostics: [{ code: 'approval-unproven' }] });
    await first.close();
  });

  test('a ticket that is set to approved, or given the digest of another, releases nothing', async () => {
    const { open, ticket, tamper } = await watched(place);
    const hookline = await open();
    const other = await hookline.fire('tool.before', bash('deploy twice'));
    await tamper(`UPDATE tickets SET state = 'approved', settled_at = opened_at WHERE id = '${other.ticket?.id}'`);
    expect(await hookline.fire('tool.before', bash('deploy twice'))).toMatchObject({
      decision: 'hold',
      diagnostics: [{ code: 'approval-unproven' }],
    });
    await tamper(`DELETE FROM tickets WHERE id = '${other.ticket?.id}'`);
    await tamper(`UPDATE tickets SET digest = (SELECT digest FROM tickets WHERE state = 'open') WHERE id = '${ticket}'`);
    expect(await hookline.fire('tool.before', bash('deploy twice'))).toMatchObject({
      decision: 'hold',
      diagnostics: [{ code: 'approval-unproven' }],
    });
    await hookline.close();
  });
});

test('a log whose file is gone is not a new log', async () => {
  const [place] = PLACES as [Place];
  const workspace = createWorkspace();
  const file = workspace.at('~/log.db');
  const first = await workspace.open({ store: `sqlite:${file}` });
  first.on('tool.before', () => undefined);
  await first.fire('tool.before', bash('a'));
  await first.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  expect([existsSync(file), place.name]).toEqual([false, 'SQLite']);
  const again = await workspace.open({ store: `sqlite:${file}` });
  expect(await again.log.verify()).toMatchObject({
    ok: false,
    entries: 0,
    problem: { problem: 'shortened', says: expect.stringContaining('The log is empty, but on') },
  });
  await again.close();
});
