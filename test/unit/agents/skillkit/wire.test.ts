import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialect as skillkit } from '../../../../src/agents/skillkit/dialect.ts';
import { EVENT_NAMES, type EventName, matcherCondition } from '../../../../src/agents/skillkit/profile.ts';
import type { EventKind, HookEvent } from '../../../../src/core/event/event.ts';
import { facetValues } from '../../../../src/core/event/facet.ts';
import { holds } from '../../../../src/core/event/match.ts';
import type { Json, JsonObject } from '../../../../src/core/values/json.ts';

const { wire } = skillkit;

function eventOf(kind: EventKind, data: JsonObject, native?: string): HookEvent {
  const own = native === undefined ? {} : { native: { dialect: 'skillkit', name: native } };
  return { id: 'e1', kind, at: '2026-01-02T03:04:05.000Z', session: { id: 's1', cwd: '/w' }, data, ...own };
}

function decoded(name: string, payload: JsonObject, native = true): HookEvent {
  const { kind, data } = wire.decodeEvent(name, payload);
  return eventOf(kind, data, native ? name : undefined);
}

const TOOL = { tool: 'SkillKit.Tools.Shell', input: { command: 'ls' }, skill: { name: 'ops' }, scope: { user: 1 }, agent_name: 'boss' };
const SKILL = { skill: { name: 'ops:deploy', x: [1] }, skill_name: 'ops:deploy', arguments: 'web', scope: null, agent_name: 'boss' };
const LLM = { model: 'claude-opus', message_count: 3, tool_count: 2, agent_name: 'boss' };

const CONTEXTS: Record<EventName, readonly [EventKind, JsonObject]> = {
  PreToolUse: ['tool.before', TOOL],
  PostToolUse: ['tool.after', { ...TOOL, result: { output: 'x' } }],
  PreSubagent: ['subagent.before', { name: 'researcher', task: 'look', depth: 1, agent_name: 'boss' }],
  PostSubagent: ['subagent.after', { name: 'researcher', task: 'look', result: 'found', agent_name: 'boss' }],
  PreSkillActivation: ['skill.before', SKILL],
  PostSkillActivation: ['skill.after', SKILL],
  PreLlmRequest: ['llm.before', LLM],
  PostLlmRequest: ['llm.after', LLM],
  PreConversationSave: ['conversation.save.before', { message_count: 4, agent_name: 'boss' }],
  PostConversationSave: ['conversation.save.after', { message_count: 4, agent_name: 'boss' }],
  PreConversationLoad: ['conversation.load.before', { agent_name: 'boss' }],
  PostConversationLoad: ['conversation.load.after', { agent_name: 'boss' }],
  PreTurn: ['turn.before', { message_count: 1, agent_name: null }],
  PostTurn: ['turn.after', { message_count: 1, agent_name: 'boss' }],
  PreAgent: ['agent.start', { definition: { name: 'boss' }, agent_name: 'boss' }],
  PostAgent: ['agent.end', { definition: { name: 'boss' }, agent_name: 'boss' }],
};
const ROWS = Object.entries(CONTEXTS).map(([name, [kind, context]]) => [name, kind, context] as const);

test.each(ROWS)('the context of %s is %s, and comes back exactly as it was', (name, kind, context) => {
  const event = decoded(name, context);
  expect(event.kind).toBe(kind);
  expect(wire.encodeEvent(event, name)).toEqual(context);
});

test.each(ROWS)('quirk host-keys: what a host adds to %s reaches its own handlers and nobody else', (name, _, context) => {
  const payload = { ...context, extra: { a: 1 }, metadata: 'm' };
  const event = decoded(name, payload);
  expect(event.data['metadata']).toEqual({ extra: { a: 1 }, metadata: 'm' });
  expect(wire.encodeEvent(event, name)).toEqual(payload);
  expect(wire.encodeEvent(decoded(name, payload, false), name)).toEqual(context);
});

test.each(ROWS)('%s has its documented keys even if the event knows nothing', (name, kind, context) => {
  const said = wire.encodeEvent(eventOf(kind, {}), name);
  expect(Object.keys(said).sort()).toEqual(Object.keys(context).sort());
  expect(new Set(Object.values(said))).toEqual(new Set([null]));
});

test('the canonical payload has the canonical names', () => {
  expect(wire.decodeEvent('PreLlmRequest', LLM).data).toEqual({ model: 'claude-opus', messageCount: 3, toolCount: 2, agent: 'boss' });
  expect(wire.decodeEvent('PreSkillActivation', SKILL).data).toEqual({
    skill: 'ops:deploy',
    definition: { name: 'ops:deploy', x: [1] },
    arguments: 'web',
    agent: 'boss',
  });
  expect(wire.decodeEvent('PreSkillActivation', { skill: { name: 'ops:deploy' } }).data['skill']).toBe('ops:deploy');
  expect(wire.decodeEvent('PreSkillActivation', { skill: 'ops:deploy' }).data).toEqual({ skill: 'ops:deploy' });
});

test('a skill that is known by name only is a map with a name', () => {
  const event = eventOf('skill.before', { skill: 'ops:deploy', arguments: 'web' });
  expect(wire.encodeEvent(event, 'PreSkillActivation')).toMatchObject({ skill: { name: 'ops:deploy' }, skill_name: 'ops:deploy' });
});

test('quirk failed-result: a failed action has its error where the result would be', () => {
  const payload = { ...TOOL, result: { error: 'boom' } };
  const event = decoded('PostToolUse', payload);
  expect(event).toMatchObject({ kind: 'tool.error', data: { error: 'boom' } });
  expect(wire.encodeEvent(event, 'PostToolUse')).toEqual(payload);
  expect(wire.encodeEvent(eventOf('tool.error', { tool: 'Bash', error: 'boom' }), 'PostToolUse')).toMatchObject({
    result: { error: 'boom' },
  });

  // A tool may leave something behind and fail all the same.
  expect(wire.encodeEvent(eventOf('tool.error', { error: 'boom', result: 'half' }), 'PostToolUse')).toMatchObject({
    result: { error: 'boom' },
  });

  const lost = decoded('PostSubagent', { name: 'r', result: { error: 'lost' } });
  expect(lost.data).toEqual({ name: 'r', error: 'lost', success: false });
  expect(wire.encodeEvent(lost, 'PostSubagent')).toMatchObject({ result: { error: 'lost' } });
  expect(decoded('PostSubagent', { name: 'r', result: { error: null } }).data).toMatchObject({ success: true, result: { error: null } });
});

test('quirk loaded-count: a load has a message count only if the host gives one', () => {
  expect(wire.encodeEvent(decoded('PostConversationLoad', { message_count: 7 }), 'PostConversationLoad')).toEqual({
    message_count: 7,
    agent_name: null,
  });
});

test('a value of the wrong type is kept, and never taken for a name to match', () => {
  const { data } = wire.decodeEvent('PreToolUse', { tool: 5, agent_name: ['x'] });
  expect(data).toEqual({ metadata: { tool: 5, agent_name: ['x'] } });
});

test('an event nobody knows is decoded without a throw', () => {
  expect(wire.decodeEvent('Nope', { a: 1 }).data).toEqual({ metadata: { a: 1 } });
  expect(wire.decodeEvent('constructor', {}).kind).toBe('notification');
});

test('a key that is called __proto__ stays a key', () => {
  const event = decoded('PreTurn', JSON.parse('{"__proto__": {"x": 1}}') as JsonObject);
  expect(JSON.stringify(wire.encodeEvent(event, 'PreTurn'))).toContain('"__proto__":{"x":1}');
});

test('quirk nothing-to-match: a matcher does not match an event that names nothing', () => {
  const condition = matcherCondition('PreTurn', '.*');
  const compile = () => () => true;
  expect(holds(condition, facetValues(eventOf('turn.before', {}), condition.facet), compile)).toBe(false);
  expect(holds(condition, facetValues(eventOf('turn.before', { agent: 'boss' }), condition.facet), compile)).toBe(true);
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

test('quirk pending-on-resume: a resumed context has the state of the last pending, on every boundary', () => {
  for (const [name, kind] of ROWS) {
    const event = {
      ...eventOf(kind as EventKind, {}),
      pending: [
        { hook: 'a', state: 1 },
        { hook: 'b', state: { step: 2 } },
      ],
    };
    expect(wire.encodeEvent(event, name)).toMatchObject({ pending: { step: 2 } });
    expect(wire.encodeEvent(eventOf(kind as EventKind, {}), name)).not.toHaveProperty('pending');
  }
});
