import { expect, test } from 'vitest';
import { dialect as agenthooks } from '../../../../src/agents/agenthooks/dialect.ts';
import { profile } from '../../../../src/agents/agenthooks/profile.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Verdict } from '../../../../src/core/decision/decision.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { interpret } from '../../../../src/core/meaning/interpret.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import type { Json } from '../../../../src/core/values/json.ts';

const { wire } = agenthooks;
const EVENT: HookEvent = { id: 'e', kind: 'tool.before', at: '2026-01-01T00:00:00Z', session: { id: 's', cwd: '/' }, data: {} };
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

const said = (value: Json) => wire.decodeReply(value, 'before_tool', EVENT);
test.each<[string, Json, unknown]>([
  ['{} has no opinion', {}, { decision: { kind: 'pass' }, effects: [] }],
  ['allow', { decision: 'allow', log: 'fine' }, { decision: { kind: 'allow' }, effects: [] }],
  ['deny', { decision: 'deny', reason: 'no' }, { decision: { kind: 'deny', reason: 'no' }, effects: [] }],
  ['ask', { decision: 'ask', reason: 'sure?' }, { decision: { kind: 'ask', reason: 'sure?' }, effects: [] }],
  [
    'a deny without reason gets one',
    { decision: 'deny', reason: ' ' },
    { decision: { kind: 'deny', reason: expect.stringMatching(/\w/) } },
  ],
  ['an ask without reason gets one', { decision: 'ask' }, { decision: { kind: 'ask', reason: expect.stringMatching(/\w/) } }],
  [
    'modified_input',
    { modified_input: { command: 'x' } },
    { decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value: { command: 'x' } }] },
  ],
  ['additional_context', { additional_context: 'c' }, { effects: [{ kind: 'context', text: 'c' }] }],
  [
    'null is left out',
    { decision: null, reason: null, modified_input: null, additional_context: null },
    { decision: { kind: 'pass' }, effects: [] },
  ],
])('%s', (_, value, wanted) => {
  expect(said(value)).toMatchObject(wanted as object);
});

test.each<[Json]>([
  [[]],
  ['deny'],
  [null],
  [7],
  [{ decision: 'block' }],
  [{ decision: true }],
  [{ reason: 5 }],
  [{ additional_context: {} }],
  [{ log: [] }],
])('%j is said to be wrong', (value) => {
  expect(said(value)).toEqual(expect.stringMatching(/\w/));
});

test('a function may return nothing, or the same object', () => {
  expect(wire.decodeValue(undefined, 'before_tool', EVENT)).toEqual({ decision: { kind: 'pass' }, effects: [] });
  expect(wire.decodeValue({ decision: 'deny', reason: 'no' }, 'before_tool', EVENT)).toMatchObject({ decision: { kind: 'deny' } });
  expect(typeof wire.decodeValue(() => 1, 'before_tool', EVENT)).toBe('string');
});

test.each<[Verdict]>([
  [{ decision: { kind: 'pass' }, effects: [] }],
  [{ decision: { kind: 'allow' }, effects: [] }],
  [{ decision: { kind: 'allow', reason: 'ok' }, effects: [{ kind: 'rewrite', value: { a: 1 } }] }],
  [{ decision: { kind: 'deny', reason: 'no' }, effects: [] }],
  [{ decision: { kind: 'ask', reason: 'sure?' }, effects: [{ kind: 'context', text: 'c' }] }],
])('%j is rendered so that it is read back', (verdict) => {
  const reply = render(verdict, 'before_tool', agenthooks);
  expect(reply && interpret(reply, HOOK, profile.events.before_tool, agenthooks, EVENT)).toEqual(verdict);
});

test('what the wire has no word for is not rendered', () => {
  const context = { kind: 'context', text: 'c' } as const;
  for (const effects of [[context, context], [{ ...context, at: 'start' as const }]]) {
    expect(wire.encodeReply({ decision: { kind: 'pass' }, effects }, 'before_tool')).toBeUndefined();
  }
  expect(wire.encodeReply({ decision: { kind: 'hold', reason: 'r' }, effects: [] }, 'before_tool')).toBeUndefined();
});
