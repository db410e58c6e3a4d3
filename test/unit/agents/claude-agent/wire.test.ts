import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialect as claudeAgent } from '../../../../src/agents/claude-agent/dialect.ts';
import { EVENT_NAMES, type EventName, snakeCase } from '../../../../src/agents/claude-agent/profile.ts';
import type { EventKind, HookEvent } from '../../../../src/core/event/event.ts';
import type { Json, JsonObject } from '../../../../src/core/values/json.ts';

const { wire } = claudeAgent;
const AT = '2026-01-02T03:04:05.000Z';

function eventOf(kind: EventKind, data: JsonObject, at = AT, session = 's-1'): HookEvent {
  return { id: 'e1', kind, at, session: { id: session, cwd: '/w' }, data };
}

function decoded(name: string, payload: JsonObject): HookEvent {
  const { kind, data, at, session } = wire.decodeEvent(name, payload);
  return eventOf(kind, data, at, session);
}

function fixture(name: string): Json {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/claude-agent/${name}`, import.meta.url), 'utf8')) as Json;
}

const NO_TOOL = { tool_name: null, tool_input: null };

const PAYLOADS: Record<EventName, readonly [EventKind, JsonObject]> = {
  PreToolUse: ['tool.before', { tool_name: 'Bash', tool_input: { command: 'ls' } }],
  PostToolUse: ['tool.after', { tool_name: 'Bash', tool_input: null, tool_result: { output: 'x' } }],
  PostToolUseFailure: ['tool.error', { tool_name: 'Bash', tool_input: { command: 'ls' }, error: 'boom' }],
  UserPromptSubmit: ['prompt.submit', { ...NO_TOOL, prompt: 'hello' }],
  Stop: ['stop.before', NO_TOOL],
  SubagentStart: ['subagent.before', { ...NO_TOOL, subagent_id: 'a1', subagent_type: 'explore', description: 'look' }],
  SubagentStop: ['subagent.after', { ...NO_TOOL, subagent_id: 'a1', success: false, error: 'lost' }],
  PreCompact: ['compact.before', NO_TOOL],
  SessionStart: ['session.start', NO_TOOL],
  SessionEnd: ['session.end', NO_TOOL],
};
const ROWS = Object.entries(PAYLOADS).map(([name, [kind, fields]]) => {
  const payload: JsonObject = {
    event: snakeCase(name),
    session_id: 's-9',
    ...fields,
    timestamp: '2025-05-05T05:05:05Z',
    metadata: { trace: [1] },
  };
  return [name, kind, payload] as const;
});

test.each(ROWS)('the payload of %s is %s, and comes back exactly as it was', (name, kind, payload) => {
  const event = decoded(name, payload);
  expect(event).toMatchObject({ kind, at: '2025-05-05T05:05:05Z', session: { id: 's-9' } });
  expect(wire.encodeEvent(event, name)).toEqual(payload);
});

test.each(ROWS)('%s says its event, session, tool and time even if it knows nothing else', (name, kind, payload) => {
  const { metadata: _, ...documented } = payload;
  const said = wire.encodeEvent(eventOf(kind, {}), name);
  expect(Object.keys(said)).toEqual(Object.keys(documented));
  expect(said).toMatchObject({ event: snakeCase(name), session_id: 's-1', tool_name: null, tool_input: null, timestamp: AT });
});

test("the document's example payload means what it says and is written in its order", () => {
  const payload = fixture('stdin.json') as JsonObject;
  const event = decoded('PreToolUse', payload);
  expect(event).toMatchObject({ kind: 'tool.before', session: { id: 'abc-123' }, data: { tool: 'Bash', input: { command: 'rm -rf /' } } });
  expect(JSON.stringify(wire.encodeEvent(event, 'PreToolUse'))).toBe(`${JSON.stringify(payload).slice(0, -1)},"timestamp":"${AT}"}`);
});

test('quirk own-metadata: unknown keys join the metadata and change nothing of it', () => {
  const metaOf = (payload: JsonObject) => wire.decodeEvent('Stop', payload).data['metadata'];
  expect(metaOf({ extra: 1 })).toEqual({ extra: 1 });
  expect(metaOf({ extra: 1, metadata: { extra: 2, own: 3 } })).toEqual({ extra: 2, own: 3 });
  expect(metaOf({ extra: 1, metadata: 'text' })).toEqual({ extra: 1, metadata: 'text' });
  expect(metaOf({ metadata: [1] })).toEqual([1]);
  expect(metaOf({ metadata: null, extra: null })).toBeUndefined();
});

test('quirk subagent-type: the type is a name for others, and a name is a type here', () => {
  expect(wire.decodeEvent('SubagentStart', { subagent_id: 'a1', subagent_type: 'explore', description: 'look' }).data).toEqual({
    id: 'a1',
    type: 'explore',
    name: 'explore',
    task: 'look',
  });
  expect(wire.encodeEvent(eventOf('subagent.before', { name: 'explore', task: 'look' }), 'SubagentStart')).toMatchObject({
    subagent_id: null,
    subagent_type: 'explore',
    description: 'look',
  });
});

test('a subagent that did not say how it ended has succeeded unless there is an error', () => {
  expect(wire.encodeEvent(eventOf('subagent.after', {}), 'SubagentStop')).toMatchObject({ success: true, error: null });
  expect(wire.encodeEvent(eventOf('subagent.after', { error: { code: 5 } }), 'SubagentStop')).toMatchObject({
    success: false,
    error: '{"code":5}',
  });
});

test('the input of a finished tool is shown if it is known', () => {
  const event = eventOf('tool.after', { tool: 'Bash', input: { command: 'ls' }, result: 'ok' });
  expect(wire.encodeEvent(event, 'PostToolUse')).toMatchObject({ tool_input: { command: 'ls' }, tool_result: 'ok' });
});

test('nonsense is decoded without a throw and never taken for a tool, session or time', () => {
  const { data, session, at } = wire.decodeEvent('PreToolUse', { tool_name: 5, session_id: 6, timestamp: 'soon', tool_input: 'ls' });
  expect([data, session, at]).toEqual([{ input: 'ls', metadata: { tool_name: 5 } }, undefined, undefined]);
  expect(wire.decodeEvent('constructor', { a: 1 })).toMatchObject({ kind: 'notification', data: { metadata: { a: 1 } } });
});

test('whatever comes over the wire, nothing throws and every payload can be shown again', () => {
  const name = fc.constantFrom(...EVENT_NAMES, 'Nope', '__proto__');
  const payload = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('tool', 'skill', 'result', 'metadata', 'error', 'tool_name')),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(name, payload, fc.jsonValue({ maxDepth: 2 }), fc.anything(), (nativeEvent, given, reply, value) => {
      const event = decoded(nativeEvent, given as JsonObject);
      expect(JSON.parse(JSON.stringify(wire.encodeEvent(event, nativeEvent)))).toBeTypeOf('object');
      wire.decodeReply(reply as Json, nativeEvent, event);
      wire.decodeValue(value, nativeEvent, event);
    }),
  );
});
