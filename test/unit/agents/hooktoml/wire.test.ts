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
const MODIFYING = EVENTS.filter((event) => !VOID.includes(event));
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

/** The key of the payload that a hook may replace. */
const CHANGES: Partial<Record<EventName, string>> = {
  before_model_resolve: 'model',
  before_prompt_build: 'prompt',
  before_llm_call: 'model',
  before_tool_call: 'args',
  on_message_received: 'content',
  on_message_sending: 'content',
  on_cron_delivery: 'content',
  on_docs_sync_notify: 'content',
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
  else expect({ run, grants }).toEqual({ run: 'sequence', grants: ['deny', 'rewrite', 'notice'] });
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
  const PASS = { decision: { kind: 'pass' }, effects: [] };

  test.each(EVENTS)('on exit 0 of %s plain text and JSON of other programs have no opinion', (event) => {
    for (const text of ['', 'done', '[]', 'true', '5', '{}', '{"ok": true}', '{"cancel": false}', '{"cancel": null}'])
      expect(meaning(ended(0, text), event)).toEqual(PASS);
  });

  test.each(VOID)('nothing that an action of %s prints or answers is read', (event) => {
    for (const reply of [
      ended(0, '{"cancel": true, "reason": "r"}'),
      ended(0, '{"prompt": "p", "content": "c", "model": "m", "args": {}}'),
    ])
      expect(meaning(reply, event as EventName)).toEqual(PASS);
  });

  test.each(EVENTS.filter((event) => event !== 'before_tool_call'))(
    'a non-zero exit on %s is a fault that lets the agent go on, unless it is 2 and the event can be cancelled',
    (event) => {
      for (const exit of [1, 3, 9, 127]) expect(meaning(ended(exit, '', 'x'), event)).toMatchObject({ kind: 'fault', fault: 'exit', exit });
      const two = VOID.includes(event) ? { kind: 'fault', fault: 'exit' } : { decision: { kind: 'deny', reason: 'not this' } };
      expect(meaning(ended(2, '{"prompt": "p"}', 'not this\n'), event)).toMatchObject(two);
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

describe.each<[string, (text: string) => Reply]>([
  ['the stdout of a shell action', (text) => ended(0, text)],
  ['the body of an http answer', (text) => http(200, text)],
])('%s', (_, reply) => {
  test.each(MODIFYING)('cancels %s, with its reason or one of ours', (event) => {
    expect(meaning(reply('{"cancel": true, "reason": "not now"}'), event)).toEqual({
      decision: { kind: 'deny', reason: 'not now' },
      effects: [],
    });
    expect(meaning(reply('{"cancel": true}'), event)).toMatchObject({ decision: { kind: 'deny', reason: expect.stringMatching(/\w/) } });
  });

  test.each(MODIFYING)('replaces the one value of %s that can change, and no other', (event) => {
    const key = CHANGES[event] as string;
    const value = key === 'args' ? { cmd: 'pwd' } : 'new';
    expect(meaning(reply(JSON.stringify({ [key]: value })), event)).toEqual({
      decision: { kind: 'pass' },
      effects: [{ kind: 'rewrite', value }],
    });
    const others = Object.fromEntries(['prompt', 'content', 'model', 'args', 'tool'].filter((one) => one !== key).map((one) => [one, 'x']));
    expect(meaning(reply(JSON.stringify(others)), event)).toEqual({ decision: { kind: 'pass' }, effects: [] });
  });

  test.each(MODIFYING)('that returns the payload of %s with cancel added cancels', (event) => {
    expect(meaning(reply(JSON.stringify({ ...OWN[event], cancel: true })), event)).toMatchObject({ decision: { kind: 'deny' } });
  });

  test.each(MODIFYING)('that cancels %s without a reason and changes it as well is told to the user', (event) => {
    const both = { cancel: true, [CHANGES[event] as string]: event === 'before_tool_call' ? {} : 'new' };
    expect(meaning(reply(JSON.stringify(both)), event)).toMatchObject({ decision: { kind: 'pass' }, effects: [{ kind: 'notice' }] });
    expect(meaning(reply(JSON.stringify({ ...both, reason: 'no' })), event)).toEqual({
      decision: { kind: 'deny', reason: 'no' },
      effects: [],
    });
  });

  test.each(MODIFYING)('is what a change of %s is rendered as', (event) => {
    const value = event === 'before_tool_call' ? { cmd: 'pwd' } : 'new';
    const verdict = { decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value }] } as const;
    expect(meaning(reply(JSON.stringify(wire.encodeReply(verdict, event))), event)).toEqual(verdict);
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
