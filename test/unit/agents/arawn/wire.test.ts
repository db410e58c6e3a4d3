import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialect as arawn } from '../../../../src/agents/arawn/dialect.ts';
import { type EventName, profile } from '../../../../src/agents/arawn/profile.ts';
import { preview } from '../../../../src/agents/arawn/wire.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Reply } from '../../../../src/core/decision/reply.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import type { Json, JsonObject } from '../../../../src/core/values/json.ts';

const { wire } = arawn;
const EVENTS = Object.keys(profile.events) as EventName[];
const INFORMING = EVENTS.filter((event) => event !== 'PreToolUse');
const FINISHED = {
  parent_session_id: 's1',
  subagent_name: 'researcher',
  result_preview: 'Found 5 papers',
  duration_ms: 1500,
  success: true,
};

const SHAPES: Record<EventName, JsonObject> = {
  PreToolUse: { tool: 'shell', params: { command: 'ls' } },
  PostToolUse: { tool: 'shell', params: { command: 'ls' }, result: { output: 'a' } },
  PostToolUseFailure: { tool: 'shell', params: { command: 'ls' }, error: 'boom' },
  PermissionRequest: { tool: 'shell', params: { command: 'ls' } },
  UserPromptSubmit: { prompt: 'hello' },
  Notification: { message: 'hi' },
  SubagentStop: FINISHED,
  PreCompact: { reason: 'auto' },
  SessionStart: { session_id: 's1' },
  SessionEnd: { session_id: 's1', turn_count: 5 },
  Stop: { response: 'Here is the answer' },
  SubagentStarted: { parent_session_id: 's1', subagent_name: 'researcher', task_preview: 'Find papers' },
  SubagentCompleted: FINISHED,
};

function eventFrom(name: string, payload: JsonObject): HookEvent {
  const { kind, data, session } = wire.decodeEvent(name, payload);
  return { id: 'e', kind, at: '2026-01-01T00:00:00Z', session: { id: session ?? 's', cwd: '/' }, data };
}

function meaning(reply: Reply, event: EventName) {
  const hook: Hook = {
    id: 'h',
    name: 'gate',
    dialect: 'arawn',
    event,
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: 1000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: 'hooks.json', scope: 'user' },
  };
  return interpret(reply, hook, arawn.profile.events[event] as never, arawn, eventFrom(event, SHAPES[event]));
}

const ended = (exit: number, stdout = '', stderr = ''): Reply => ({ kind: 'process', exit, stdout, stderr });

test.each(EVENTS)('%s grants what the document lets it do', (event) => {
  expect(profile.events[event].grants).toEqual(
    event === 'PreToolUse' ? ['deny'] : event === 'SessionStart' ? ['notice', 'context'] : ['notice'],
  );
});

test('there are thirteen events, and the profile is plain data', () => {
  expect(EVENTS).toHaveLength(13);
  expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
});

test.each(EVENTS)('%s comes back from its canonical form exactly, in the order of its keys', (event) => {
  expect(JSON.stringify(wire.encodeEvent(eventFrom(event, SHAPES[event]), event))).toBe(JSON.stringify(SHAPES[event]));
});

test.each(['PreToolUse', 'PostToolUse', 'SessionStart', 'SessionEnd', 'Stop', 'SubagentStarted', 'SubagentCompleted'])(
  "the document's %s payload comes back exactly",
  (name) => {
    const payload = JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/arawn/events', `${name}.json`), 'utf8'));
    expect(JSON.stringify(wire.encodeEvent(eventFrom(name, payload), name))).toBe(JSON.stringify(payload));
  },
);

test('unknown keys are kept in metadata and never written to stdin, and a session is taken up anywhere', () => {
  const event = eventFrom('PreToolUse', { tool: 5, params: { a: 1 }, colour: 'red', session_id: 'abc' });
  expect(event.data).toEqual({ input: { a: 1 }, metadata: { tool: 5, colour: 'red' } });
  expect(event.session.id).toBe('abc');
  expect(wire.encodeEvent(event, 'PreToolUse')).toEqual({ params: { a: 1 } });
  expect(wire.decodeEvent('NoSuchEvent', { a: 1 })).toEqual({ kind: 'notification', data: { metadata: { a: 1 } } });
});

test('a subagent that failed is not a success, and its error is what there is to preview', () => {
  const event = { ...eventFrom('SubagentStop', {}), data: { name: 'r', error: 'boom' } };
  expect(wire.encodeEvent(event, 'SubagentStop')).toEqual({
    parent_session_id: 's',
    subagent_name: 'r',
    result_preview: 'boom',
    success: false,
  });
  expect(wire.encodeEvent({ ...event, data: { name: 'r', result: { a: 1 } } }, 'SubagentStop')).toMatchObject({
    result_preview: '{"a":1}',
    success: true,
  });
});

test.each<[Json | undefined, string]>([
  ['done', 'done'],
  [{ role: 'assistant', content: 'done' }, 'done'],
  [{ content: [{ type: 'text', text: 'do' }, { type: 'tool' }, 'ne'] }, 'done'],
  [undefined, ''],
  [5, ''],
])('the message %j is the response %j', (message, response) => {
  const event = { ...eventFrom('Stop', {}), data: { ...(message !== undefined && { message }) } };
  expect(wire.encodeEvent(event, 'Stop')).toEqual({ response });
});

describe('previews', () => {
  test.each([
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(197)}...`],
    ['😀'.repeat(200), '😀'.repeat(200)],
    ['😀'.repeat(201), `${'😀'.repeat(197)}...`],
    [`x${'😀'.repeat(5000)}`, `x${'😀'.repeat(196)}...`],
  ])('%# has at most 200 characters and no half ones', (text, wanted) => {
    expect(preview(text)).toBe(wanted);
    expect([...(preview(text) ?? '')].length).toBeLessThanOrEqual(200);
  });
});

describe('exit codes', () => {
  test.each([
    ['exit 0 has no opinion, whatever was printed', ended(0, 'fine'), { decision: { kind: 'pass' }, effects: [] }],
    ['stdout goes before stderr', ended(1, ' out \n', 'err'), { decision: { kind: 'deny', reason: 'out' } }],
    ['stderr is next', ended(2, '', 'err'), { decision: { kind: 'deny', reason: 'err' } }],
    ['silence still blocks', ended(255), { decision: { kind: 'deny', reason: expect.stringMatching(/gate.*255/) } }],
    ['126 blocks nothing', ended(126, 'x'), { kind: 'fault', fault: 'spawn', exit: 126 }],
    ['127 blocks nothing', ended(127, 'x'), { kind: 'fault', fault: 'spawn', exit: 127 }],
  ])('PreToolUse: %s', (_, reply, wanted) => {
    expect(meaning(reply, 'PreToolUse')).toMatchObject(wanted);
  });

  test.each(INFORMING)('%s informs with the trimmed stdout of exit 0, and of nothing else', (event) => {
    const kinds = event === 'SessionStart' ? ['notice', 'context'] : ['notice'];
    const effects = kinds.map((kind) => ({ kind, text: 'ready' }));
    expect(meaning(ended(0, '  ready  \n'), event)).toEqual({ decision: { kind: 'pass' }, effects });
    expect(meaning(ended(0, '\n', 'log'), event)).toEqual({ decision: { kind: 'pass' }, effects: [] });
    expect(meaning(ended(1, 'lost'), event)).toMatchObject({ kind: 'fault', fault: 'exit' });
  });

  test.each(EVENTS)('a fault on %s lets the agent go on', (event) => {
    for (const fault of ['timeout', 'spawn', 'signal', 'malformed', 'unavailable'] as const) {
      expect(policyFor(fault, profile.events[event], profile.fail, false)).toBe('pass');
    }
  });

  test('a deny and a notice are rendered so that they are read back', () => {
    const deny = { decision: { kind: 'deny', reason: 'no' }, effects: [] } as const;
    const notice = { decision: { kind: 'pass' }, effects: [{ kind: 'notice', text: 'hi' }] } as const;
    expect(meaning(render(deny, 'PreToolUse', arawn) as Reply, 'PreToolUse')).toEqual(deny);
    expect(meaning(render(notice, 'Stop', arawn) as Reply, 'Stop')).toEqual(notice);
    expect(render(deny, 'Stop', arawn)).toBeUndefined();
  });
});

describe('the answer of a model', () => {
  const said = (value: unknown) => wire.decodeValue(value, 'PreToolUse', eventFrom('PreToolUse', {}));
  const pass = { decision: { kind: 'pass' }, effects: [] };
  const deny = { decision: { kind: 'deny', reason: 'no' }, effects: [] };
  test.each<[unknown, unknown]>([
    [{ ok: true }, pass],
    [{ ok: false, reason: 'no' }, deny],
    ['{"ok": false, "reason": "no"}', deny],
    [{ decision: 'allow' }, pass],
    [{ decision: 'deny', reason: 'no' }, deny],
    [{ decision: 'block', reason: ' no ' }, deny],
    [undefined, pass],
  ])('%j', (value, wanted) => {
    expect(said(value)).toEqual(wanted);
  });

  test('a refusal without reason gets one', () => {
    expect(said({ ok: false })).toMatchObject({ decision: { kind: 'deny', reason: expect.stringMatching(/\w/) } });
  });

  test.each<[unknown]>([[{}], [{ ok: 'yes' }], [{ decision: 'maybe' }], [[]], ['yes'], [5], [() => 1]])(
    '%j is said to be wrong',
    (value) => {
      expect(typeof said(value)).toBe('string');
    },
  );
});
