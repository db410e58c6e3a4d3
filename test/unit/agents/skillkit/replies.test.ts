import { expect, test } from 'vitest';
import { dialect as skillkit } from '../../../../src/agents/skillkit/dialect.ts';
import { EVENT_NAMES, type EventName, profile } from '../../../../src/agents/skillkit/profile.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import { limit } from '../../../../src/core/decision/decision.ts';
import type { Reply } from '../../../../src/core/decision/reply.ts';
import type { EventKind, HookEvent } from '../../../../src/core/event/event.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';

function eventOf(kind: EventKind, data: JsonObject, native?: string): HookEvent {
  const own = native === undefined ? {} : { native: { dialect: 'skillkit', name: native } };
  return { id: 'e1', kind, at: '2026-01-02T03:04:05.000Z', session: { id: 's1', cwd: '/w' }, data, ...own };
}

const HOOK: Hook = {
  id: 'h',
  name: 'ops PreTurn[0]',
  dialect: 'skillkit',
  event: 'PreTurn',
  when: [],
  handler: { type: 'command', config: {} },
  timeoutMs: 1,
  priority: 0,
  detach: false,
  enabled: true,
  source: { file: 'f', scope: 'project' },
};

function meaning(reply: Reply, event: EventName = 'PreTurn') {
  const rule = profile.events[event];
  return interpret(reply, { ...HOOK, event }, rule, skillkit, eventOf(rule.kinds[0] as EventKind, {}));
}
const ended = (exit: number, output = ''): Reply => ({ kind: 'process', exit, stdout: output, stderr: '', output });
const answered = (status: number, body: unknown): Reply => ({
  kind: 'http',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const PASS = { decision: { kind: 'pass' }, effects: [] };

test.each(EVENT_NAMES)('%s can deny and suspend if it comes before the action, and nothing otherwise', (name) => {
  expect(profile.events[name].grants).toEqual(name.startsWith('Pre') ? ['deny', 'hold'] : []);
});

test('exit 0 is ok, 2 denies with the output, and any other code is a fault that lets the action run', () => {
  expect(meaning(ended(0, '{"decision":"deny"}'))).toEqual(PASS);
  expect(meaning(ended(2, ' one\ntwo\n'))).toEqual({ decision: { kind: 'deny', reason: 'one\ntwo' }, effects: [] });
  for (const exit of [1, 3, 77, 126, 127]) expect(meaning(ended(exit, 'x'))).toMatchObject({ kind: 'fault', fault: 'exit', exit });
  expect(policyFor('exit', profile.events.PreTurn, profile.fail, false)).toBe('pass');
});

test('quirk default-reason: a deny without a reason has one', () => {
  expect(meaning(ended(2))).toMatchObject({ decision: { reason: expect.stringContaining('ops PreTurn[0]') } });
  for (const reason of [undefined, null, 5, '', ' ']) {
    expect(meaning(answered(200, { decision: 'deny', reason }))).toMatchObject({
      decision: { kind: 'deny', reason: expect.stringMatching(/\w/) },
    });
  }
});

test.each([{ decision: 'allow' }, { decision: 'ask' }, { decision: null }, {}, [], 5, null, 'deny', '', '<html>'])(
  'a server that answers %j lets the action run',
  (body) => {
    expect(meaning(answered(200, body))).toEqual(PASS);
  },
);

test('a server denies by decision, or by any status that is not 2xx', () => {
  expect(meaning(answered(201, { decision: 'deny', reason: 'quota' }))).toMatchObject({ decision: { kind: 'deny', reason: 'quota' } });
  for (const status of [302, 400, 404, 500]) {
    expect(meaning(answered(status, { decision: 'allow' }))).toMatchObject({
      decision: { kind: 'deny', reason: `HTTP hook returned status ${status}` },
    });
  }
});

test('after the action a server in trouble is a fault and no refusal', () => {
  expect(meaning(answered(500, ''), 'PostTurn')).toMatchObject({ kind: 'fault', fault: 'status' });
});

test('quirk pending-over-http: a server can suspend an action', () => {
  expect(meaning(answered(200, { decision: 'pending', state: { n: 1 } }))).toEqual({
    decision: { kind: 'hold', reason: expect.stringContaining('approval'), state: { n: 1 } },
    effects: [],
  });
  expect(meaning(answered(200, { decision: 'pending', reason: 'ask ann' }))).toEqual({
    decision: { kind: 'hold', reason: 'ask ann' },
    effects: [],
  });
});

test.each([
  ['ok', { kind: 'pass' }],
  [undefined, { kind: 'pass' }],
  [{ deny: 'no' }, { kind: 'deny', reason: 'no' }],
  [{ deny: 5 }, { kind: 'deny' }],
  [{ pending: { n: 1 } }, { kind: 'hold', state: { n: 1 } }],
  [{ pending: undefined }, { kind: 'hold' }],
  [
    { deny: 'no', pending: 1 },
    { kind: 'deny', reason: 'no' },
  ],
])('a function that returns %j decides %j', (value, decision) => {
  expect(meaning({ kind: 'value', value })).toMatchObject({ decision });
});

test('quirk nonsense-denies: what is neither ok, deny nor pending is a fault that denies', () => {
  for (const value of [null, true, false, 0, '', 'deny', ['deny', 'x'], {}, { decision: 'deny' }, () => 'ok', 10n, Symbol('x')]) {
    expect(meaning({ kind: 'value', value })).toMatchObject({ kind: 'fault', fault: 'malformed' });
  }
  expect(policyFor('malformed', profile.events.PreTurn, profile.fail, false)).toBe('deny');
  expect(policyFor('threw', profile.events.PreTurn, profile.fail, false)).toBe('deny');
  for (const kind of ['timeout', 'spawn', 'signal', 'network', 'unavailable'] as const) {
    expect(policyFor(kind, profile.events.PreTurn, profile.fail, false)).toBe('pass');
  }
});

test('quirk ignored-returns: after the action anything may be returned, and a deny has no effect', () => {
  for (const value of [null, 5, {}, 'x']) expect(meaning({ kind: 'value', value }, 'PostTurn')).toEqual(PASS);
  const said = meaning({ kind: 'value', value: { deny: 'no' } }, 'PostTurn');
  if (!('decision' in said)) throw new Error('a verdict was expected');
  expect(limit(said, profile.events.PostTurn.grants)).toMatchObject({ verdict: PASS, dropped: ['deny'] });
});

test('the profile is plain data', () => {
  expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
});
