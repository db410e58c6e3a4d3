import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialect as agenthooks } from '../../../../src/agents/agenthooks/dialect.ts';
import { profile, type Trigger } from '../../../../src/agents/agenthooks/profile.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Reply } from '../../../../src/core/decision/reply.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';

const { wire } = agenthooks;
const TRIGGERS = Object.keys(profile.events) as Trigger[];
const BASE = { timestamp: '2026-01-02T03:04:05Z', session_id: 'sess-1', work_dir: '/w', context: { ticket: 'T-1' } };

const TOOL = { tool_name: 'Shell', tool_input: { command: 'ls' }, tool_use_id: 't1' };

/** What each event has beyond the base fields. */
const OWN: Record<Trigger, JsonObject> = {
  session_start: { model: 'kimi-latest', args: { ui: 'shell', agent: 'default' } },
  session_end: { duration_seconds: 3600, total_steps: 25, exit_reason: 'user_exit' },
  before_agent: { prompt: 'hello' },
  after_agent: { message_count: 3 },
  before_stop: { stop_reason: 'no_tool_calls', step_count: 5, final_message: { role: 'assistant', content: 'Done' } },
  before_tool: TOOL,
  after_tool: { ...TOOL, tool_result: { output: 'a' } },
  after_tool_failure: { ...TOOL, error: 'boom' },
  subagent_start: { subagent_name: 'code-reviewer', subagent_type: 'coder', task_description: 'Review' },
  subagent_stop: { subagent_name: 'code-reviewer', subagent_type: 'coder', task_description: 'Review' },
  pre_compact: { reason: 'auto' },
};

function eventFrom(trigger: string, payload: JsonObject): HookEvent {
  const { kind, data, session, cwd, at } = wire.decodeEvent(trigger, payload);
  return { id: 'e1', kind, at: at ?? '2026-01-01T00:00:00Z', session: { id: session ?? 's', cwd: cwd ?? '/' }, data };
}

const EVENT = eventFrom('before_tool', { ...BASE, ...OWN.before_tool });
const HOOK: Hook = {
  id: 'h',
  name: 'gate',
  dialect: 'agenthooks',
  event: 'before_tool',
  when: [],
  handler: { type: 'command', config: {} },
  timeoutMs: 1000,
  priority: 100,
  detach: false,
  enabled: true,
  source: { file: 'HOOK.md', scope: 'user' },
};

function ended(exit: number, stdout = '', stderr = ''): Reply {
  return { kind: 'process', exit, stdout, stderr };
}

function meaning(reply: Reply, trigger: Trigger = 'before_tool') {
  return interpret(reply, { ...HOOK, event: trigger }, agenthooks.profile.events[trigger] as never, agenthooks, EVENT);
}

test.each(TRIGGERS)('%s can be denied, asked about, allowed and given context', (trigger) => {
  const rewritten = trigger === 'before_tool' || trigger === 'before_agent';
  expect([...profile.events[trigger].grants].sort()).toEqual(['allow', 'ask', 'context', 'deny', ...(rewritten ? ['rewrite'] : [])]);
});

test('the profile is plain data', () => {
  expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
});

test.each(TRIGGERS)('%s comes back from its canonical form with every field it had', (trigger) => {
  const payload = { event_type: trigger, ...BASE, ...OWN[trigger] };
  const again = wire.encodeEvent(eventFrom(trigger, payload), trigger);
  expect(again).toMatchObject(payload);
  expect(Object.keys(again)).toEqual(['event_type', 'timestamp', 'session_id', 'work_dir', 'context', ...Object.keys(OWN[trigger])]);
});

test.each(['base', 'before_tool', 'subagent_start', 'session_start', 'session_end', 'before_stop'])(
  "the document's payload %s is kept",
  (name) => {
    const payload = JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/agenthooks/events', `${name}.json`), 'utf8'));
    expect(wire.encodeEvent(eventFrom(payload.event_type, payload), payload.event_type)).toMatchObject(payload);
  },
);

test.each([
  ['session_start', { model: 'kimi-latest', args: { ui: 'shell', agent: 'default' } }],
  ['session_end', { durationSeconds: 3600, totalSteps: 25, reason: 'user_exit' }],
  ['before_stop', { reason: 'no_tool_calls', stepCount: 5, message: { role: 'assistant', content: 'Done' } }],
  ['after_tool_failure', { tool: 'Shell', input: { command: 'ls' }, toolUseId: 't1', error: 'boom' }],
  ['subagent_stop', { name: 'code-reviewer', type: 'coder', task: 'Review' }],
] as const)('%s is read into canonical keys', (trigger, data) => {
  expect(wire.decodeEvent(trigger, { event_type: trigger, ...OWN[trigger] }).data).toEqual(data);
});

test('unknown keys and values of the wrong type are kept in metadata, and nonsense throws nothing', () => {
  const { data, at, cwd, session } = wire.decodeEvent('before_tool', {
    tool_name: 5,
    colour: 'red',
    timestamp: 'noon',
    work_dir: 7,
    session_id: null,
  });
  expect(data).toEqual({ metadata: { tool_name: 5, colour: 'red' } });
  expect([at, cwd, session]).toEqual([undefined, undefined, undefined]);
  expect(wire.decodeEvent('no_such_event', JSON.parse('{"__proto__": 1}')).data).toEqual({ metadata: JSON.parse('{"__proto__": 1}') });
});

test('final_message is null without a message, and a text becomes the message of the assistant', () => {
  const bare = eventFrom('before_stop', {});
  expect(wire.encodeEvent(bare, 'before_stop')['final_message']).toBeNull();
  expect(wire.encodeEvent({ ...bare, data: { message: 'Done' } }, 'before_stop')['final_message']).toEqual({
    role: 'assistant',
    content: 'Done',
  });
});

describe('exit codes', () => {
  test.each([
    ['silence on exit 0 has no opinion', ended(0), { decision: { kind: 'pass' }, effects: [] }],
    [
      'exit 2 denies with stderr, whatever stdout says',
      ended(2, '{"decision": "allow"}', ' stop\n'),
      { decision: { kind: 'deny', reason: 'stop' }, effects: [] },
    ],
    ['exit 2 without stderr still denies', ended(2), { decision: { kind: 'deny', reason: expect.stringContaining('gate') }, effects: [] }],
    ['exit 3 is a fault', ended(3, '', 'debug'), { kind: 'fault', fault: 'exit', exit: 3 }],
    ['text on exit 0 is ignored', ended(0, 'not json'), { decision: { kind: 'pass' } }],
    ['text around JSON on exit 0 is a fault', ended(0, 'Hi {"decision": "deny"}'), { kind: 'fault', fault: 'malformed' }],
    ['stderr on exit 0 is chatter', ended(0, '', 'chatter'), { decision: { kind: 'pass' } }],
  ])('%s', (_, reply, wanted) => {
    expect(meaning(reply)).toMatchObject(wanted);
  });

  test.each(TRIGGERS)('a fault on %s lets the agent go on', (trigger) => {
    for (const fault of ['timeout', 'spawn', 'signal', 'exit', 'malformed', 'unavailable'] as const) {
      expect(policyFor(fault, profile.events[trigger], profile.fail, false)).toBe('pass');
    }
  });
});
