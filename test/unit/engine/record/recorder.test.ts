/** The log entry of an event, the parts that are left out of it, and the result if it cannot be written. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ANN } from '../../../../src/api/testing/sample-records.ts';
import type { Store } from '../../../../src/core/contracts/store.ts';
import type { Outcome } from '../../../../src/core/decision/outcome.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import type { LogEntry } from '../../../../src/core/record/decision-record.ts';
import { HooklineError } from '../../../../src/core/values/errors.ts';
import { createRecorder, type RecorderRules } from '../../../../src/engine/record/recorder.ts';
import { createMemoryStore } from '../../../../src/stores/memory.ts';
import { event } from '../../../flows/engine/small-engine.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const AT = Date.parse('2025-01-01T00:00:01.000Z');
const REPORT = {
  id: 'a/one',
  name: 'a/one',
  dialect: 'a',
  event: 'gate',
  handler: 'function',
  source: { file: 'f', scope: 'user' },
} as const;
const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  id: 'o1',
  kind: 'tool.before',
  decision: 'pass',
  reason: null,
  context: [],
  contextSources: [],
  notices: [],
  quiet: false,
  unmatched: 0,
  hooks: [{ ...REPORT, status: 'answered', decision: 'pass', ms: 1 }],
  diagnostics: [],
  ...more,
});

function recording(more: Partial<RecorderRules> = {}) {
  const store = createMemoryStore();
  const sessions = new Set<string>();
  const recorder = createRecorder({
    record: 'asked',
    onFailure: 'keep',
    root: '/project',
    clock: { iso: () => '', now: () => AT, tick: () => 0 },
    hash,
    store: () => store,
    opened: () => store,
    gates: (kind) => kind === 'tool.before',
    deniedSessions: {
      has: (session) => sessions.has(session),
      add: (session) => {
        sessions.add(session);
        return undefined;
      },
    },
    ...more,
  });
  const write = async (of: HookEvent, given: Outcome) => recorder.record(of, given, () => 'set');
  const last = async (): Promise<LogEntry | undefined> => (await store.log.list({})).at(-1);
  return { store, sessions, recorder, write, last };
}

test('an entry says whose action it was, which is asked for only if there is an entry', async () => {
  const asked: unknown[] = [];
  const who = (caller: unknown) => {
    asked.push(caller);
    return { ...ANN, host: 'an-agent' };
  };
  const { write, last, recorder } = recording({ who });
  const caller = { host: 'an-agent' };
  await write({ ...event('tool.before'), caller }, outcome({ hooks: [] }));
  expect(asked).toEqual([]);
  await write({ ...event('tool.before'), caller }, outcome());
  expect(asked).toEqual([caller]);
  expect((await last())?.who).toEqual({ ...ANN, host: 'an-agent' });
  // A held action that another process goes on with is still the action of the one that was held.
  await recorder.record(event('tool.before'), outcome(), () => 'set', { ...ANN, osUser: 'bob' });
  expect((await last())?.who?.osUser).toBe('bob');
  expect(asked).toHaveLength(1);
});

const failing = (error: unknown, how: 'throws' | 'rejects' = 'rejects'): Partial<RecorderRules> => ({
  store: () => {
    if (how === 'throws') throw error;
    return Promise.reject(error);
  },
});

test('an entry says what was decided about what, when and under which hooks', async () => {
  const { write, last } = recording();
  const given = outcome({ decision: 'deny', reason: 'no' });
  expect(await write(event('tool.before'), given)).toBe(given);
  expect(await last()).toMatchObject({
    ...{ id: 'o1', at: AT, session: 's1', root: '/project', kind: 'tool.before', tool: 'Bash', decision: 'deny', reason: 'no' },
    ...{ ticket: null, data: { tool: 'Bash', input: { command: 'ls' } }, masked: [], ms: 1000, digests: { hooks: 'set' } },
  });
  expect((await last())?.digests.event).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test('an entry names the ticket that was opened, or the one that was settled', async () => {
  const { write, last } = recording();
  await write(event('tool.before'), outcome({ decision: 'hold', reason: 'w', ticket: { id: 't1', expiresAt: '' } }));
  expect((await last())?.ticket).toBe('t1');
  await write(event('tool.before'), outcome({ id: 'o2', approval: { ticket: 't2', state: 'approved', by: null, note: null, at: '' } }));
  expect((await last())?.ticket).toBe('t2');
});

test('an event without a tool, or from the future, or without a time, is written all the same', async () => {
  const { write, last } = recording();
  for (const at of ['2025-01-01T00:00:02.000Z', 'no time']) {
    await write({ ...event('prompt.submit', { prompt: 'hi' }), at }, outcome({ kind: 'prompt.submit' }));
    expect(await last()).toMatchObject({ tool: null, ms: 0 });
  }
});

test('secrets are masked in the payload, the outcome and the reason, and each place is named', async () => {
  const { write, last } = recording();
  const secret = `ghp_${'a'.repeat(36)}`;
  await write(
    event('tool.before', { tool: 'Bash', input: { command: secret } }),
    outcome({ decision: 'deny', reason: secret, notices: [secret] }),
  );
  expect(JSON.stringify(await last())).not.toContain(secret);
  expect((await last())?.masked).toEqual(['/data/input/command', '/outcome/notices/0', '/reason']);
});

test('a hook that asks for quiet keeps the payload out, in every form, and what is missing is named', async () => {
  const { write, last } = recording();
  const hooks = [{ ...REPORT, status: 'answered', decision: 'pass', ms: 1, input: { command: 'ls' } }] as const;
  await write(event('tool.before'), outcome({ quiet: true, rewrite: { command: 'ls' }, hooks }));
  expect(await last()).toMatchObject({ data: {}, masked: ['/data', '/outcome/rewrite'], tool: 'Bash' });
  expect(JSON.stringify(await last())).not.toContain('"ls"');
  await write(event('tool.before'), outcome({ quiet: true, replace: 'x' }));
  expect((await last())?.masked).toEqual(['/data', '/outcome/replace']);
  await write(event('tool.before'), outcome({ rewrite: { command: 'ls' }, hooks }));
  expect((await last())?.outcome).toMatchObject({ rewrite: { command: 'ls' }, hooks: [{ input: { command: 'ls' } }] });
});

test('an event without a hook is written only if all events are', async () => {
  for (const [record, count] of [
    ['asked', 0],
    ['all', 1],
  ] as const) {
    const { store, write } = recording({ record });
    await write(event('tool.before'), outcome({ hooks: [] }));
    expect(await store.log.list({})).toHaveLength(count);
  }
});

test.each(['throws', 'rejects'] as const)('a log that %s is told and counted, and the decision stands', async (how) => {
  const { write, recorder } = recording(failing(new HooklineError('store-unavailable', 'disk full', { hint: 'Make room.' }), how));
  const given = outcome({ decision: 'allow', reason: 'fine', diagnostics: [{ severity: 'info', code: 'x', message: 'y' }] });
  const told = await write(event('tool.before'), given);
  expect(told).toMatchObject({
    decision: 'allow',
    reason: 'fine',
    diagnostics: [{ code: 'x' }, { severity: 'error', code: 'log-failed' }],
  });
  expect(told.diagnostics[1]?.message).toContain('disk full');
  expect(told.diagnostics[1]?.hint).toMatch(/^Make room\. .*log\.onFailure/);
  expect(recorder.failures).toBe(1);
});

test('an entry that cannot be appended is told and counted, at once or later', async () => {
  for (const append of [
    () => Promise.reject('late'),
    () => {
      throw 'at once';
    },
  ]) {
    const store = { ...createMemoryStore(), log: { ...createMemoryStore().log, append } } as Store;
    for (const opened of [store, Promise.resolve(store)]) {
      const { write, recorder } = recording({ store: () => opened });
      const told = await write(event('tool.before'), outcome());
      expect(told.diagnostics).toMatchObject([{ code: 'log-failed', message: expect.stringMatching(/late|at once/) }]);
      expect(told.diagnostics[0]?.hint).toMatch(/^\S/);
      expect(recorder.failures).toBe(1);
    }
  }
});

test('where nothing may go ahead unrecorded, a failure denies what can be denied, and nothing else changes', async () => {
  const { write } = recording({ ...failing(new Error('disk full')), onFailure: 'deny' });
  const denied = await write(event('tool.before'), outcome({ decision: 'allow' }));
  expect(denied).toMatchObject({ decision: 'deny', reason: expect.stringContaining('disk full'), diagnostics: [{ code: 'log-failed' }] });
  expect(denied.diagnostics[0]?.hint).toMatch(/policy/);
  expect(await write(event('tool.before'), outcome({ decision: 'deny', reason: 'own' }))).toMatchObject({
    decision: 'deny',
    reason: 'own',
  });
  expect(await write(event('tool.after'), outcome({ kind: 'tool.after' }))).toMatchObject({ decision: 'pass', reason: null });
});

test('a late store is waited for', async () => {
  const { store, write } = recording({ store: () => Promise.resolve(late) });
  const late = createMemoryStore();
  await write(event('tool.before'), outcome());
  expect([await store.log.list({}), await late.log.list({})]).toMatchObject([[], [{ id: 'o1' }]]);
});

test.each([
  ['tool.before', 'deny', true],
  ['tool.before', 'hold', true],
  ['permission.request', 'deny', true],
  ['tool.before', 'ask', false],
  ['tool.before', 'allow', false],
  ['tool.before', 'pass', false],
  ['prompt.submit', 'deny', false],
] as const)('%s with %s: the session is noted as one with a denied call: %s', async (kind, decision, noted) => {
  const { write, sessions } = recording();
  await write(event(kind), outcome({ kind, decision, reason: 'r' }));
  expect(sessions.has('s1')).toBe(noted);
});

test('a refusal that could not be noted is told, and written', async () => {
  const { write, last } = recording({ deniedSessions: { has: () => false, add: () => 'disk full' } });
  const told = await write(event('tool.before'), outcome({ decision: 'deny', reason: 'no' }));
  expect(told.diagnostics).toMatchObject([
    { severity: 'warning', code: 'denial-not-noted', message: expect.stringContaining('disk full'), hint: expect.stringMatching(/\w/) },
  ]);
  expect((await last())?.outcome).toMatchObject({ diagnostics: [{ code: 'denial-not-noted' }] });
});

const ALARM = { severity: 'error', code: 'denied-but-ran' } as const;
const denied = outcome({ decision: 'deny', reason: 'not that' });
const ran = (data?: HookEvent['data'], kind: HookEvent['kind'] = 'tool.after') => ({ ...event(kind, data), id: 'e2' });
const after = (more: Partial<Outcome> = {}) => outcome({ id: 'o2', kind: 'tool.after', ...more });

test('a call that was denied and ran raises an alarm that names the tool, the decision and its reason', async () => {
  const { write, last } = recording();
  await write(event('tool.before'), denied);
  const told = await write(ran(), after());
  expect(told.diagnostics).toMatchObject([ALARM]);
  for (const part of ['Bash', 'denied', '(o1)', 'not that']) expect(told.diagnostics[0]?.message).toContain(part);
  expect(told.diagnostics[0]?.hint).toContain('hookline why o1');
  expect((await last())?.outcome).toMatchObject({ diagnostics: [ALARM] });
});

test('a call that was held and ran raises an alarm too; one that was let through does not', async () => {
  for (const [decision, word] of [
    ['hold', 'held'],
    ['pass', undefined],
    ['allow', undefined],
  ] as const) {
    const { write } = recording();
    await write(event('tool.before'), outcome({ decision, reason: null }));
    const { diagnostics } = await write(ran(), after());
    expect(diagnostics.map(({ message }) => message)).toEqual(word === undefined ? [] : [expect.stringContaining(`was ${word}`)]);
  }
});

test('the last judgement of a call counts, and other calls, tools and sessions do not', async () => {
  const codes = async (first: HookEvent, second: HookEvent, also?: Outcome) => {
    const { write } = recording();
    await write(first, denied);
    if (also) await write(first, also);
    return (await write(second, after())).diagnostics.map(({ code }) => code);
  };
  const call = (toolUseId: string, command = 'ls') => ({ tool: 'Bash', input: { command }, toolUseId });
  expect(await codes(event('tool.before'), ran())).toEqual(['denied-but-ran']);
  expect(await codes(event('tool.before'), ran(), outcome({ id: 'o3', decision: 'allow' }))).toEqual([]);
  expect(await codes(event('tool.before'), ran({ tool: 'Bash', input: { command: 'pwd' } }))).toEqual([]);
  expect(await codes(event('tool.before'), ran({ tool: 'Write', input: { command: 'ls' } }))).toEqual([]);
  expect(await codes(event('tool.before'), { ...ran(), session: { id: 's2', cwd: '/' } })).toEqual([]);
  expect(await codes(event('tool.before', call('1')), ran(call('1', 'pwd')))).toEqual(['denied-but-ran']);
  expect(await codes(event('tool.before', call('1')), ran(call('2')))).toEqual([]);
  expect(await codes(event('tool.before', call('1')), ran())).toEqual(['denied-but-ran']);
  expect(await codes(event('tool.before', { tool: 'Bash' }), ran({ tool: 'Bash' }))).toEqual(['denied-but-ran']);
  expect(await codes(event('tool.after'), ran())).toEqual([]);
});

test('a call with a secret in its input is recognised by what the record keeps of it', async () => {
  const data = { tool: 'Bash', input: { command: `echo ghp_${'a'.repeat(36)}` } };
  const { write } = recording();
  await write(event('tool.before', data), denied);
  expect((await write(ran(data), after())).diagnostics).toMatchObject([ALARM]);
});

test('a refusal that the agent reports as the error of the call is no alarm', async () => {
  const failed = (error: unknown) => ran({ tool: 'Bash', input: { command: 'ls' }, error } as never, 'tool.error');
  const codes = async (error: unknown, reason: string | null = 'not that') => {
    const { write } = recording();
    await write(event('tool.before'), outcome({ decision: 'deny', reason }));
    return (await write(failed(error), after({ kind: 'tool.error' }))).diagnostics.map(({ code }) => code);
  };
  expect(await codes('Refused: not that')).toEqual([]);
  expect(await codes({ message: 'Refused: not that' })).toEqual([]);
  expect(await codes('exit 1')).toEqual(['denied-but-ran']);
  expect(await codes(undefined)).toEqual(['denied-but-ran']);
  expect(await codes('x', null)).toEqual(['denied-but-ran']);
  expect(await codes('r'.repeat(80), `${'r'.repeat(80)} and more`)).toEqual([]);
});

test('a run without a hook is looked up if the session had a denial, and reported', async () => {
  const { write, store } = recording();
  await write(event('tool.before'), denied);
  const silent = after({ hooks: [] });
  expect((await write(ran(), silent)).diagnostics).toMatchObject([ALARM]);
  expect(await store.log.list({})).toHaveLength(2);
  const other = ran({ tool: 'Bash', input: { command: 'pwd' } });
  expect(await write(other, silent)).toBe(silent);
  expect(await store.log.list({})).toHaveLength(2);
});

test('the log is not read for a run in a session without a denial, whoever was asked about it', async () => {
  const store = createMemoryStore();
  let looks = 0;
  const list: Store['log']['list'] = (filter) => {
    looks++;
    return store.log.list(filter);
  };
  const watched = { ...store, log: { ...store.log, list } } as Store;
  const { write } = recording({ store: () => watched, opened: () => watched });
  await write(event('tool.before'), outcome({ decision: 'allow' }));
  expect((await write(ran(), after())).diagnostics).toEqual([]);
  expect((await write(ran(), after({ hooks: [] }))).diagnostics).toEqual([]);
  expect(looks).toBe(0);
  await write(event('tool.before'), denied);
  expect((await write(ran(), after())).diagnostics).toMatchObject([ALARM]);
  expect(looks).toBeGreaterThan(0);
});

test('the store is opened for that only if the session has a refusal', async () => {
  let opened = 0;
  const store = createMemoryStore();
  const lazy = (hadDenial: boolean): Partial<RecorderRules> => ({
    opened: () => undefined,
    store: () => {
      opened++;
      return Promise.resolve(store);
    },
    deniedSessions: { has: () => hadDenial, add: () => undefined },
  });
  const silent = after({ hooks: [] });
  expect(await recording(lazy(false)).write(ran(), silent)).toBe(silent);
  expect(opened).toBe(0);
  expect(await recording(lazy(true)).write(ran(), silent)).toBe(silent);
  expect(opened).toBe(1);
  await recording({ ...lazy(true) }).write(event('tool.before'), denied);
  expect((await recording(lazy(true)).write(ran(), silent)).diagnostics).toMatchObject([ALARM]);
});

test('a record that cannot be read for that is told, and is not counted as unwritten', async () => {
  const { write, recorder } = recording({
    ...failing(new Error('locked')),
    opened: () => undefined,
    deniedSessions: { has: () => true, add: () => undefined },
  });
  const told = await write(ran(), after({ hooks: [] }));
  expect(told).toMatchObject({
    decision: 'pass',
    diagnostics: [{ severity: 'error', code: 'log-failed', message: expect.stringContaining('locked') }],
  });
  expect(recorder.failures).toBe(0);
});

test('a record that cannot be listed raises no alarm and keeps the outcome', async () => {
  const store = createMemoryStore();
  const blind = { ...store, log: { ...store.log, list: () => Promise.reject(new Error('locked')) } } as Store;
  const { write, sessions } = recording({ store: () => blind });
  sessions.add('s1');
  expect(await write(ran(), after())).toMatchObject({ diagnostics: [] });
});

test('an event that tells of no run, or names no tool, is not looked up', async () => {
  const asked: unknown[] = [];
  const store = createMemoryStore();
  const noting = {
    ...store,
    log: { ...store.log, list: (filter: object) => (asked.push(filter) > 0 ? store.log.list(filter) : Promise.resolve([])) },
  } as Store;
  const { write, sessions } = recording({ store: () => noting, opened: () => noting });
  sessions.add('s1');
  await write(event('tool.before'), outcome());
  await write(event('prompt.submit', { prompt: 'x' }), outcome({ kind: 'prompt.submit', hooks: [] }));
  await write(ran({ tool: 1 } as never), after());
  expect(asked).toEqual([]);
  await write(ran(), after());
  expect(asked).toEqual([{ session: 's1', tool: 'Bash', decision: ['deny', 'hold'], among: 2000, limit: 50 }]);
});
