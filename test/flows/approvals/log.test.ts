/** The log through an engine: what is written, what never is, and what becomes of a decision that can't be written. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isAct } from '../../../src/core/record/decision-record.ts';
import type { Hookline, HooklineOptions } from '../../../src/index.ts';
import { connect } from '../../../src/stores/sqlite/database.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { sampleRecord, sha256 } from '../postgres/samples.ts';
import { testDatabase } from '../postgres/server.ts';
import { createHeldProject, deploy, hold } from './held-project.ts';

interface Logged {
  readonly hookline: Hookline;
  readonly file: string;
  open(options?: HooklineOptions): Promise<Hookline>;
}

async function logged(options: HooklineOptions = {}): Promise<Logged> {
  const workspace = createWorkspace();
  const file = workspace.at('~/log/log.db');
  const open = (more: HooklineOptions = {}) => workspace.open({ store: `sqlite:${file}`, ...options, ...more });
  return { hookline: await open(), file, open };
}

const bash = (command: string) => ({ tool: 'Bash', input: { command } });

describe('what is written', () => {
  test('one entry per firing in which a hook was asked, with who said what', async () => {
    const { hookline } = await logged();
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'not that' }), { name: 'gate', match: '^Bash$' });
    hookline.on('tool.after', () => undefined, { name: 'watch' });
    const denied = await hookline.fire('tool.before', bash('ls'), { session: 'mine' });
    const passed = await hookline.fire('tool.after', { ...bash('ls'), result: 'x' });
    const entries = await hookline.log.list();
    expect(entries.map(({ id, seq, kind, decision }) => ({ id, seq, kind, decision }))).toEqual([
      { id: denied.id, seq: 1, kind: 'tool.before', decision: 'deny' },
      { id: passed.id, seq: 2, kind: 'tool.after', decision: 'pass' },
    ]);
    expect(await hookline.log.get(denied.id)).toMatchObject({
      session: 'mine',
      tool: 'Bash',
      reason: 'not that',
      data: bash('ls'),
      masked: [],
      outcome: { hooks: [{ name: 'gate', status: 'answered', decision: 'deny', reason: 'not that' }] },
      digests: { event: expect.stringMatching(/^sha256:/), hooks: expect.stringMatching(/^sha256:/) },
    });
    expect(await hookline.log.verify()).toMatchObject({ ok: true, entries: 2 });
  });

  test('a fault is on record as a fault, and a hook that was not asked with the reason', async () => {
    const { hookline } = await logged();
    hookline.on('tool.before', () => { throw new Error('out of order'); }, { name: 'broken', priority: 2 }); // biome-ignore format: one line
    hookline.on('tool.before', () => undefined, { name: 'after' });
    const { id } = await hookline.fire('tool.before', bash('ls'));
    expect(await hookline.log.get(id)).toMatchObject({
      decision: 'deny',
      outcome: {
        hooks: [
          { name: 'broken', status: 'faulted', fault: { detail: expect.stringContaining('out of order') } },
          { name: 'after', status: 'skipped', skip: expect.stringContaining('broken') },
        ],
      },
    });
  });

  test.each<['asked' | 'all', number]>([
    ['asked', 0],
    ['all', 1],
  ])('of an event that reaches no hook: with record `%s` %i entries', async (record, entries) => {
    const { hookline } = await logged({ log: { record } });
    hookline.on('tool.before', () => undefined, { match: '^Other$' });
    await hookline.fire('tool.before', bash('ls'));
    expect(await hookline.log.list()).toHaveLength(entries);
  });

  test('nothing with record `off`', async () => {
    const { hookline } = await logged({ log: { record: 'off' } });
    hookline.on('tool.before', () => undefined);
    await hookline.fire('tool.before', bash('ls'));
    expect(await hookline.log.list()).toEqual([]);
  });

  test('many at once from two engines make one chain', async () => {
    const { hookline, open } = await logged();
    const engines = [hookline, await open()];
    for (const engine of engines) engine.on('tool.before', () => undefined);
    await Promise.all(Array.from({ length: 100 }, (_, i) => engines[i % 2]?.fire('tool.before', bash(`echo ${i}`))));
    expect(await hookline.log.verify()).toMatchObject({ ok: true, entries: 100 });
  });

  test('a hold and what came of it are two entries with ids of their own and the same ticket', async () => {
    const project = createHeldProject();
    const hookline = await project.open({ store: `sqlite:${project.at('~/log.db')}` });
    const ticket = await hold(hookline);
    const resumed = await hookline.resume(ticket, { approve: true, by: 'ann' });
    const second = await hold(hookline);
    await hookline.approvals.deny(second, { by: 'bob', note: 'no' });
    const denied = await hookline.waitFor(second, { timeoutMs: 600_000 });
    const entries = (await hookline.log.list()).filter(({ kind }) => !isAct(kind));
    expect(entries.map((entry) => [entry.decision, entry.ticket])).toEqual([
      ['hold', ticket],
      ['allow', ticket],
      ['hold', second],
      ['deny', second],
    ]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(4);
    expect([entries[1]?.id, entries[3]?.id]).toEqual([resumed.id, denied?.id]);
    expect(entries[1]).toMatchObject({ reason: 'Approved by ann.', outcome: { approval: { by: 'ann', state: 'approved' } } });
  });

  test('what is held a second time, by a later hook, is told apart from the first', async () => {
    const { hookline } = await logged();
    const wait = { event: 'PreToolUse', handler: () => ({ pending: {} }) } as const;
    hookline.registerSkill({ name: 'two', hooks: [wait, wait] });
    const first = await hookline.fire('tool.before', bash('ls'));
    const second = await hookline.resume(first.ticket?.id ?? '', { approve: true });
    expect(second.decision).toBe('hold');
    const decided = (await hookline.log.list()).filter(({ kind }) => !isAct(kind));
    expect(decided.map(({ id, ticket }) => [id, ticket])).toEqual([
      [first.id, first.ticket?.id],
      [second.id, second.ticket?.id],
    ]);
    expect(await hookline.log.get(second.id)).toMatchObject({ id: second.id, decision: 'hold' });
  });

  test('an approval that the next identical event uses is on record with that event', async () => {
    const project = createHeldProject();
    const hookline = await project.open({ store: `sqlite:${project.at('~/log.db')}` });
    const ticket = await hold(hookline);
    await hookline.approvals.approve(ticket, { by: 'ann' });
    const { id } = await hookline.fire('tool.before', deploy);
    expect(await hookline.log.get(id)).toMatchObject({ decision: 'allow', ticket, outcome: { approval: { by: 'ann' } } });
  });
});

describe('what is never written', () => {
  const secrets = [
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'hunter2hunter2',
    'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUv',
    'AKIAIOSFODNN7EXAMPLE',
  ];
  const [github = '', password = '', key = '', aws = ''] = secrets;

  test('secrets, wherever they come from; where they were is said', async () => {
    const { hookline, file } = await logged();
    hookline.on('tool.before', () => ({ rewrite: { command: `login ${github}`, password } }), { priority: 3 });
    hookline.on('tool.before', () => ({ context: `use ${key}`, notice: `${aws} was seen` }), { priority: 2 });
    hookline.on('tool.before', () => ({ decision: 'deny', reason: `never show ${github}` }), { priority: 1 });
    const { id } = await hookline.fire('tool.before', {
      tool: 'Bash',
      input: { command: `curl -H 'Authorization: Bearer ${key}'`, password, [aws]: 1 },
    });
    const entry = await hookline.log.get(id);
    expect(entry?.masked).toEqual(
      expect.arrayContaining([
        '/data/input/command',
        '/data/input/password',
        '/outcome/rewrite/command',
        '/outcome/rewrite/password',
        '/reason',
      ]),
    );
    expect(found(file, secrets)).toEqual([]);
    await hookline.close();
    expect(found(file, secrets)).toEqual([]);
    // It would have been found.
    expect(found(file, ['never show'])).toEqual(['never show']);
  });

  test('what a thrown error tells of them', async () => {
    const { hookline, file } = await logged();
    hookline.on('tool.before', () => Promise.reject(new Error(`can not log in with ${github}`)));
    await hookline.fire('tool.before', bash('ls'));
    expect(found(file, secrets)).toEqual([]);
    expect(found(file, ['can not log in'])).toEqual(['can not log in']);
  });

  test('the payload, if a hook asks for no logging; that something happened is', async () => {
    const { hookline, file } = await logged();
    hookline.on('tool.before', () => ({ quiet: true, rewrite: { command: 'private-rewritten' } }), { name: 'discreet', priority: 2 });
    hookline.on('tool.before', () => ({ decision: 'deny', reason: `no ${github}` }), { name: 'gate' });
    const { id } = await hookline.fire('tool.before', bash('private-original'));
    const entry = await hookline.log.get(id);
    expect(entry).toMatchObject({
      kind: 'tool.before',
      decision: 'deny',
      data: {},
      outcome: { hooks: [{ name: 'discreet' }, { name: 'gate' }] },
    });
    expect(entry?.masked).toEqual(expect.arrayContaining(['/data', '/outcome/rewrite', '/reason']));
    expect(found(file, ['private-original', 'private-rewritten', github])).toEqual([]);
    expect(await hookline.log.verify()).toMatchObject({ ok: true, entries: 1 });
  });
});

describe('verify', () => {
  test.each<[string, string, object]>([
    ['a changed decision', `UPDATE audit SET decision = 'allow' WHERE seq = 3`, { seq: 3, problem: 'changed' }],
    ['a changed reason', `UPDATE audit SET body = replace(body, 'not 3', 'not 4') WHERE seq = 3`, { seq: 3, problem: 'changed' }],
    ['a changed time', 'UPDATE audit SET at = at + 1 WHERE seq = 2', { seq: 2, problem: 'changed' }],
    ['a removed entry', 'DELETE FROM audit WHERE seq = 3', { seq: 3, problem: 'missing' }],
    ['a removed beginning', 'DELETE FROM audit WHERE seq < 3', { seq: 1, problem: 'missing' }],
    [
      'two that changed places',
      'UPDATE audit SET seq = -2 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = -2',
      { seq: 2, problem: 'moved' },
    ],
    [
      'a removed one whose place was closed',
      'DELETE FROM audit WHERE seq = 3; UPDATE audit SET seq = seq - 1 WHERE seq > 3',
      { seq: 3, problem: 'moved' },
    ],
  ])('shows %s', async (_, sql, problem) => {
    const { hookline, file, open } = await logged();
    hookline.on('tool.before', ({ data }) => ({
      decision: 'deny',
      reason: `not ${JSON.stringify(data.input)}`.replace(/[^\w ]|command/g, ''),
    }));
    for (let i = 1; i <= 5; i++) await hookline.fire('tool.before', bash(`${i}`));
    expect(await hookline.log.verify()).toMatchObject({ ok: true, entries: 5 });
    await hookline.close();
    tamper(file, sql);
    expect(await (await open()).log.verify()).toMatchObject({ ok: false, problem });
  });

  test('what comes after a change does not hide it', async () => {
    const { hookline, file } = await logged();
    hookline.on('tool.before', () => undefined);
    for (let i = 0; i < 3; i++) await hookline.fire('tool.before', bash(`${i}`));
    tamper(file, `UPDATE audit SET session = 'somebody else' WHERE seq = 2`);
    await hookline.fire('tool.before', bash('more'));
    expect(await hookline.log.verify()).toMatchObject({ ok: false, problem: { seq: 2, problem: 'changed' } });
  });
});

test('what is older than keepDays is pruned when the store is opened, and the rest verifies', async () => {
  const { file, open } = await logged();
  const store = openSqliteStore(file);
  const yesterday = Date.now() - 24 * 60 * 60 * 1000;
  for (const [id, at] of [['old', 0], ['older', 1000], ['recent', yesterday]] as const) // biome-ignore format: a table
    await store.log.append(sampleRecord(id, { at }), sha256);
  await store.close();
  const hookline = await open({ log: { keepDays: 30 } });
  hookline.on('tool.before', () => undefined);
  const { id } = await hookline.fire('tool.before', bash('ls'));
  const kept = await hookline.log.list();
  expect(kept.filter(({ kind }) => !isAct(kind)).map((entry) => entry.id)).toEqual(['recent', id]);
  expect(kept.filter(({ kind }) => isAct(kind))).toMatchObject([{ kind: 'log.pruned', data: { count: 2, keepDays: 30 } }]);
  expect(await hookline.log.verify()).toMatchObject({ ok: true, entries: 3 });
  tamper(file, `UPDATE anchor SET seq = 0, hash = 'sha256:0'`);
  expect((await hookline.log.verify()).ok).toBe(false);
});

describe('a log that can not be written', () => {
  const watched = async (options: HooklineOptions): Promise<Hookline> => {
    const hookline = await createWorkspace().open(options);
    hookline.on('tool.before', () => ({ decision: 'allow', reason: 'fine' }));
    hookline.on('notification', () => ({ notice: 'seen' }));
    return hookline;
  };
  const cases: readonly [string, () => Promise<{ hookline(log: HooklineOptions['log']): Promise<Hookline>; breakIt(): Promise<void> }>][] =
    [
      [
        'whose place is a folder',
        async () => {
          const workspace = createWorkspace();
          mkdirSync(workspace.at('folder.db'));
          return {
            hookline: (log) => watched({ store: `sqlite:${workspace.at('folder.db')}`, log: { ...log } }),
            breakIt: async () => undefined,
          };
        },
      ],
      [
        'whose table is gone while the engine runs',
        async () => {
          const file = createWorkspace().at('log.db');
          return {
            hookline: (log) => watched({ store: `sqlite:${file}`, log: { ...log } }),
            breakIt: async () => tamper(file, 'DROP TABLE audit'),
          };
        },
      ],
      [
        'whose database is dropped while the engine runs',
        async () => {
          const { url, drop } = await testDatabase();
          onTestFinished(drop);
          return { hookline: (log) => watched({ store: url, log: { ...log } }), breakIt: drop };
        },
      ],
    ];

  describe.each(cases)('%s', (name, prepare) => {
    const works = name.includes('while');

    test('with `keep`: the decision stands, and it is said and counted', async () => {
      const { hookline: create, breakIt } = await prepare();
      const hookline = await create({ onFailure: 'keep' });
      if (works) expect((await hookline.fire('tool.before', bash('ls'))).diagnostics).toEqual([]);
      await breakIt();
      const outcome = await hookline.fire('tool.before', bash('ls'));
      expect(outcome).toMatchObject({ decision: 'allow', reason: 'fine', diagnostics: [{ severity: 'error', code: 'log-failed' }] });
      await hookline.fire('notification', { message: 'x' } as never);
      expect(hookline.log.failures).toBe(2);
    });

    test('with `deny`: what can be denied is, with the reason; what is only observed goes on', async () => {
      const { hookline: create, breakIt } = await prepare();
      const hookline = await create({ onFailure: 'deny' });
      if (works) expect((await hookline.fire('tool.before', bash('ls'))).decision).toBe('allow');
      await breakIt();
      const outcome = await hookline.fire('tool.before', bash('ls'));
      expect(outcome).toMatchObject({ decision: 'deny', diagnostics: [{ code: 'log-failed' }] });
      expect(outcome.reason).toMatch(/could not be written/);
      const observed = await hookline.fire('notification', { message: 'x' } as never);
      expect(observed).toMatchObject({ decision: 'pass', notices: ['seen'], diagnostics: [{ code: 'log-failed' }] });
      expect(hookline.log.failures).toBe(2);
    });
  });

  test('an action that is held there is not let go', async () => {
    const { url, drop } = await testDatabase();
    onTestFinished(drop);
    const project = createHeldProject();
    const hookline = await project.open({ store: url });
    const ticket = await hold(hookline);
    await drop();
    const outcome = await hookline.fire('tool.before', deploy);
    expect(outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining('could not be held') });
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual(['not-held', 'log-failed']);
    await expect(hookline.resume(ticket, { approve: true })).rejects.toMatchObject({ code: 'store-unavailable' });
    expect(project.calls()).not.toContain('last');
  });

  test('is tried again: a store that comes back is used', async () => {
    const workspace = createWorkspace();
    mkdirSync(workspace.at('log.db'));
    const hookline = await watched({ store: `sqlite:${workspace.at('log.db')}` });
    await hookline.fire('tool.before', bash('ls'));
    workspace.remove('log.db');
    const { id, diagnostics } = await hookline.fire('tool.before', bash('ls'));
    expect(diagnostics).toEqual([]);
    expect((await hookline.log.list()).map((entry) => entry.id)).toEqual([id]);
    expect(hookline.log.failures).toBe(1);
  });
});

/** Which of these texts stand in the file or in what SQLite keeps beside it. */
function found(file: string, texts: readonly string[]): string[] {
  const bytes = readdirSync(path.dirname(file)).map((name) => readFileSync(path.join(path.dirname(file), name)));
  return texts.filter((text) => bytes.some((content) => content.includes(text)));
}

function tamper(file: string, sql: string): void {
  const connection = connect(file);
  connection.exec(sql);
  connection.close();
}

test('the newest entries can not be cut off unseen, least of all by whoever kept the last hash', async () => {
  const { hookline, file } = await logged();
  hookline.on('tool.before', () => undefined);
  for (const command of ['a', 'b', 'c']) await hookline.fire('tool.before', bash(command));
  const { ok, head } = await hookline.log.verify();
  expect([ok, head.seq]).toEqual([true, 3]);
  expect((await hookline.log.verify(head.hash)).ok).toBe(true);
  await hookline.close();

  const connection = connect(file);
  connection.exec('DELETE FROM audit WHERE seq = 3');
  connection.close();
  const again = await (await createWorkspace().open({ store: `sqlite:${file}` })).log;
  expect(await again.verify()).toMatchObject({ ok: false, problem: { problem: 'shortened' } });
  expect(await again.verify(head.hash)).toMatchObject({ ok: false, problem: { seq: 3, problem: 'missing' } });
});
