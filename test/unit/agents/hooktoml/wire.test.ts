import { describe, expect, test } from 'vitest';
import { dialect as hooktoml } from '../../../../src/agents/hooktoml/dialect.ts';
import { type EventName, profile } from '../../../../src/agents/hooktoml/profile.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Reply } from '../../../../src/core/decision/reply.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import { isGating } from '../../../../src/core/meaning/profile.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import type { Json, JsonObject } from '../../../../src/core/values/json.ts';

const { wire } = hooktoml;
const EVENTS = Object.keys(profile.events) as EventName[];
const VOID: readonly string[] = [
  'on_gateway_start',
  'on_gateway_stop',
  'on_session_start',
  'on_session_end',
  'on_llm_input',
  'on_llm_output',
  'on_after_tool_call',
  'on_message_sent',
  'on_heartbeat_tick',
];
const INJECTABLE: readonly string[] = ['before_prompt_build', 'on_message_sending'];
const MESSAGE = { channel: 'telegram', user: 'bob', content: 'please deploy now' };

const OWN: Record<EventName, JsonObject> = {
  on_gateway_start: {},
  on_gateway_stop: {},
  on_session_start: { channel: 'telegram', user: 'bob', model: 'm-1' },
  on_session_end: { reason: 'exit', turn_count: 4 },
  on_llm_input: { model: 'm-1', input: [{ role: 'user' }], message_count: 2 },
  on_llm_output: { model: 'm-1', output: 'text' },
  on_after_tool_call: { tool: 'shell', args: { cmd: 'ls' }, result: 'ok' },
  on_message_sent: MESSAGE,
  on_heartbeat_tick: {},
  before_model_resolve: { model: 'm-1' },
  before_prompt_build: { prompt: 'You are X.' },
  before_llm_call: { model: 'm-1', user: 'bob' },
  before_tool_call: { tool: 'shell', args: { cmd: 'ls' } },
  on_message_received: MESSAGE,
  on_message_sending: MESSAGE,
  on_cron_delivery: MESSAGE,
  on_docs_sync_notify: MESSAGE,
};

function eventFrom(name: string, payload: JsonObject): HookEvent {
  const { kind, data, session } = wire.decodeEvent(name, payload);
  return { id: 'e', kind, at: '2026-01-01T00:00:00Z', session: { id: session ?? 's', cwd: '/' }, data };
}

function meaning(reply: Reply, event: EventName) {
  const hook: Hook = {
    id: 'h',
    name: 'gate',
    dialect: 'hooktoml',
    event,
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: 1000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: 'HOOK.toml', scope: 'user' },
  };
  return interpret(reply, hook, hooktoml.profile.events[event] as never, hooktoml, eventFrom(event, OWN[event]));
}

const ended = (exit: number, stdout = '', stderr = ''): Reply => ({ kind: 'process', exit, stdout, stderr });
const http = (status: number, body: string): Reply => ({ kind: 'http', status, body });

test('there are nine void and eight modifying events', () => {
  expect(EVENTS.filter((event) => VOID.includes(event))).toHaveLength(9);
  expect(EVENTS).toHaveLength(17);
});

test.each(EVENTS)('%s grants what its class grants', (event) => {
  const { run, grants } = profile.events[event];
  if (VOID.includes(event)) expect({ run, grants }).toEqual({ run: 'detach', grants: [] });
  else expect({ run, grants }).toEqual({ run: 'sequence', grants: INJECTABLE.includes(event) ? ['deny', 'rewrite'] : ['deny'] });
});

test('the profile is plain data', () => {
  expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
});

test.each(EVENTS)('%s comes back from its canonical form with every key it had, and no other', (event) => {
  const payload = { event, session_id: 's1', ...OWN[event] };
  const again = wire.encodeEvent(eventFrom(event, payload), event);
  expect(again).toEqual(payload);
  expect(Object.keys(again).slice(0, 2)).toEqual(['event', 'session_id']);
});

test('tool calls are written with tool and args, in this order', () => {
  const event = { ...eventFrom('before_tool_call', {}), data: { input: { cmd: 'ls' }, tool: 'shell' } };
  expect(JSON.stringify(wire.encodeEvent(event, 'before_tool_call'))).toBe(
    '{"event":"before_tool_call","session_id":"s","tool":"shell","args":{"cmd":"ls"}}',
  );
});

test('unknown keys and values of the wrong type are kept in metadata and given back there', () => {
  const event = eventFrom('before_tool_call', { tool: 5, colour: 'red', metadata: { a: 1 } });
  expect(event.data).toEqual({ metadata: { tool: 5, colour: 'red', a: 1 } });
  expect(wire.encodeEvent(event, 'before_tool_call')).toMatchObject({ metadata: { tool: 5, colour: 'red', a: 1 } });
  expect(wire.decodeEvent('no_such_event', { metadata: 5, session_id: 5 })).toEqual({
    kind: 'notification',
    data: { metadata: { metadata: 5 } },
  });
});

describe('shell actions', () => {
  test.each(EVENTS)('exit 0 on %s has no opinion, whatever was printed', (event) => {
    expect(meaning(ended(0, '{"cancel": true}'), event)).toEqual({ decision: { kind: 'pass' }, effects: [] });
  });

  test.each(EVENTS.filter((event) => event !== 'before_tool_call'))(
    'a non-zero exit on %s is a fault that lets the agent go on',
    (event) => {
      expect(meaning(ended(9, '', 'x'), event)).toMatchObject({ kind: 'fault', fault: 'exit', exit: 9 });
      for (const fault of ['exit', 'timeout', 'spawn', 'network'] as const) {
        expect(policyFor(fault, profile.events[event], profile.fail, false)).toBe('pass');
      }
    },
  );

  test('a non-zero exit on before_tool_call cancels with stderr, else with a sentence', () => {
    expect(meaning(ended(9, 'out', 'not on my watch\n'), 'before_tool_call')).toMatchObject({
      decision: { kind: 'deny', reason: 'not on my watch' },
    });
    expect(meaning(ended(127), 'before_tool_call')).toMatchObject({
      decision: { kind: 'deny', reason: expect.stringMatching(/gate.*127/) },
    });
  });

  test('what denies a tool call is rendered so that it is read back', () => {
    const verdict = { decision: { kind: 'deny', reason: 'no' }, effects: [] } as const;
    expect(meaning(render(verdict, 'before_tool_call', hooktoml) as Reply, 'before_tool_call')).toEqual(verdict);
  });
});

describe('http actions', () => {
  test.each(EVENTS.filter((event) => isGating(profile.events[event])))('{cancel: true} cancels %s', (event) => {
    expect(meaning(http(200, '{"cancel": true, "reason": "closed"}'), event)).toMatchObject({
      decision: { kind: 'deny', reason: 'closed' },
    });
  });

  test.each(['', 'ok', '{}', '{"ok": true}', '[]', 'true', '{"cancel": false}', '{"cancel": null}'])(
    '2xx with %j has no opinion',
    (body) => {
      expect(meaning(http(204, body), 'before_tool_call')).toEqual({ decision: { kind: 'pass' }, effects: [] });
    },
  );

  test('a cancel that is no boolean, or another status, is a fault, which denies a tool call', () => {
    expect(meaning(http(200, '{"cancel": "yes"}'), 'before_tool_call')).toMatchObject({ kind: 'fault', fault: 'malformed' });
    expect(meaning(http(500, ''), 'before_tool_call')).toMatchObject({ kind: 'fault', fault: 'status' });
    expect(policyFor('status', profile.events.before_tool_call, profile.fail, false)).toBe('deny');
  });

  test('a cancel without reason gets one', () => {
    expect(wire.decodeReply({ cancel: true, reason: 5 }, 'before_tool_call', eventFrom('before_tool_call', {}))).toMatchObject({
      decision: { kind: 'deny', reason: expect.stringMatching(/\w/) },
    });
  });
});

describe('injected text', () => {
  const inject = (position: string, event: EventName, data: JsonObject) =>
    wire.decodeValue({ inject: 'New', position }, event, { ...eventFrom(event, {}), data });
  test.each<[string, EventName, JsonObject, Json]>([
    ['prepend', 'before_prompt_build', { prompt: 'Old' }, 'New\nOld'],
    ['append', 'before_prompt_build', { prompt: 'Old' }, 'Old\nNew'],
    ['prepend', 'on_message_sending', { content: 'Old' }, 'New\nOld'],
    ['append', 'on_message_sending', { content: 'Old' }, 'Old\nNew'],
    ['append', 'before_prompt_build', {}, 'New'],
  ])('%s on %s with %j', (position, event, data, value) => {
    expect(inject(position, event, data)).toEqual({ decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value }] });
  });

  test('a function may return nothing, or cancel', () => {
    const event = eventFrom('before_tool_call', {});
    expect(wire.decodeValue(undefined, 'before_tool_call', event)).toEqual({ decision: { kind: 'pass' }, effects: [] });
    expect(wire.decodeValue({ cancel: true, reason: 'no' }, 'before_tool_call', event)).toMatchObject({ decision: { kind: 'deny' } });
    expect(typeof wire.decodeValue(() => 1, 'before_tool_call', event)).toBe('string');
  });
});
