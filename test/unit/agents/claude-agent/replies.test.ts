import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dialect as claudeAgent } from '../../../../src/agents/claude-agent/dialect.ts';
import { canBlock, EVENT_NAMES, type EventName, kindOf, profile } from '../../../../src/agents/claude-agent/profile.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Verdict } from '../../../../src/core/decision/decision.ts';
import { addVerdict, emptyFoldState } from '../../../../src/core/decision/fold.ts';
import type { Reply } from '../../../../src/core/decision/reply.ts';
import type { EventKind, HookEvent } from '../../../../src/core/event/event.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import type { Json, JsonObject } from '../../../../src/core/values/json.ts';

const { wire } = claudeAgent;
const AT = '2026-01-02T03:04:05.000Z';

function eventOf(kind: EventKind, data: JsonObject, at = AT, session = 's-1'): HookEvent {
  return { id: 'e1', kind, at, session: { id: session, cwd: '/w' }, data };
}

function fixture(name: string): Json {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/claude-agent/${name}`, import.meta.url), 'utf8')) as Json;
}

function hookOn(event: EventName): Hook {
  return {
    id: 'h',
    name: 'gate',
    dialect: 'claude-agent',
    event,
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: 1,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: 'f', scope: 'project' },
  };
}

function meaning(reply: Reply, event: EventName = 'PreToolUse') {
  return interpret(reply, hookOn(event), profile.events[event], claudeAgent, eventOf(kindOf(event), {}));
}
const ended = (exit: number, stdout: unknown = '', stderr = ''): Reply => ({
  kind: 'process',
  exit,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
});
const PASS = { decision: { kind: 'pass' }, effects: [] };

test.each(EVENT_NAMES)('%s can block if the document says so, and every event may inform', (name) => {
  const blocks = ['PreToolUse', 'UserPromptSubmit', 'SubagentStart', 'SessionStart'].includes(name);
  const wanted = ['context', 'quiet', ...(blocks ? ['deny'] : []), ...(name === 'PreToolUse' ? ['rewrite'] : [])];
  expect([...profile.events[name].grants].sort()).toEqual(wanted.sort());
  expect(canBlock(name)).toBe(blocks);
  for (const kind of ['timeout', 'spawn', 'signal', 'malformed'] as const) {
    expect(policyFor(kind, profile.events[name], profile.fail, false)).toBe(blocks ? 'deny' : 'pass');
  }
});

test('quirk any-nonzero-blocks: every other exit code blocks, names the hook and shows stderr', () => {
  for (const exit of [1, 2, 3, 126, 127]) {
    expect(meaning(ended(exit, { continue_execution: true, updated_input: {} }))).toEqual({
      decision: { kind: 'deny', reason: `Hook 'gate' failed with exit code: ${exit}` },
      effects: [],
    });
  }
  expect(meaning(ended(1, '', 'why\n'))).toMatchObject({ decision: { reason: "Hook 'gate' failed with exit code: 1: why" } });
});

test('quirk observer-fails: on an event that can not be blocked a failing command is a fault', () => {
  expect(meaning(ended(1, '', 'why'), 'PostToolUse')).toMatchObject({ kind: 'fault', fault: 'exit', exit: 1 });
  expect(meaning(ended(0, { additional_context: 'c' }), 'PostToolUse')).toMatchObject({ effects: [{ kind: 'context', text: 'c' }] });
});

test("the document's example answer blocks with its reason", () => {
  expect(meaning(ended(0, fixture('stdout.json')))).toEqual({
    decision: { kind: 'deny', reason: 'Dangerous command blocked' },
    effects: [],
  });
});

test.each(['', ' \n', 'done', '{', 5, [], [{ continue_execution: false }], 'null', true, '"no"'])(
  'quirk silent-json: %j is an allow',
  (stdout) => {
    const said = meaning(ended(0, stdout));
    expect('decision' in said ? said : said.lenient).toEqual('decision' in said ? PASS : true);
  },
);

test('every field has its effect, and null is no field', () => {
  const said = { suppress_logging: true, system_message: 'm', updated_input: { a: 1 }, additional_context: 'c', unknown: 5 };
  expect(meaning(ended(0, said))).toEqual({
    decision: { kind: 'pass' },
    effects: [
      { kind: 'context', text: 'm', at: 'start' },
      { kind: 'context', text: 'c' },
      { kind: 'rewrite', value: { a: 1 } },
      { kind: 'quiet' },
    ],
  });
  const nulls = Object.fromEntries(['continue_execution', 'stop_reason', ...Object.keys(said)].map((key) => [key, null]));
  expect(meaning(ended(0, nulls))).toEqual(PASS);
  expect(meaning(ended(0, { continue_execution: true, stop_reason: 'x', suppress_logging: false }))).toEqual(PASS);
});

test('a block without a reason has one, and keeps its other effects', () => {
  for (const stop_reason of [null, '', ' ']) {
    expect(meaning(ended(0, { continue_execution: false, stop_reason, additional_context: 'c' }))).toEqual({
      decision: { kind: 'deny', reason: expect.stringMatching(/\w/) },
      effects: [{ kind: 'context', text: 'c' }],
    });
  }
});

test.each([
  ['continue_execution', 'no'],
  ['continue_execution', 0],
  ['stop_reason', 5],
  ['suppress_logging', 'yes'],
  ['system_message', ['m']],
  ['additional_context', { text: 'c' }],
])('quirk wrong-type-faults: %s as %j is a fault that names the field', (field, value) => {
  expect(meaning(ended(0, { [field]: value }))).toMatchObject({
    kind: 'fault',
    fault: 'malformed',
    detail: expect.stringContaining(field),
  });
});

test('quirk empty-messages: empty text adds nothing', () => {
  expect(meaning(ended(0, { system_message: '', additional_context: '' }))).toEqual(PASS);
});

test('a function may answer in either spelling or with nothing, and with nothing else', () => {
  for (const value of [undefined, null, {}, { continueExecution: true }]) expect(meaning({ kind: 'value', value })).toEqual(PASS);
  for (const value of [
    { continueExecution: false, stopReason: 'no' },
    { continue_execution: false, stop_reason: 'no' },
  ]) {
    expect(meaning({ kind: 'value', value })).toEqual({ decision: { kind: 'deny', reason: 'no' }, effects: [] });
  }
  for (const value of [5, 'no', false, [], { continueExecution: 'no' }, { updatedInput: () => 1 }]) {
    expect(meaning({ kind: 'value', value })).toMatchObject({ kind: 'fault', fault: 'malformed' });
  }
});

test('quirk original-input: hooks see the original input, and of several answers the latest counts', () => {
  expect(profile.run).toEqual({ order: 'priority', stopOn: ['deny'], inputs: 'original' });
  const sum = emptyFoldState();
  for (const n of [1, 2]) {
    const said = meaning(ended(0, { updated_input: { n }, system_message: `m${n}`, additional_context: `c${n}` }));
    if ('decision' in said) addVerdict(sum, said, profile.fold);
  }
  expect(sum).toMatchObject({ rewrite: { n: 2 }, contextStart: ['m2'], contextEnd: ['c1', 'c2'] });
});

const VERDICTS: readonly Verdict[] = [
  { decision: { kind: 'pass' }, effects: [] },
  { decision: { kind: 'deny', reason: 'no' }, effects: [] },
  { decision: { kind: 'deny', reason: 'no' }, effects: [{ kind: 'context', text: 'c' }, { kind: 'quiet' }] },
  {
    decision: { kind: 'pass' },
    effects: [
      { kind: 'context', text: 'm', at: 'start' },
      { kind: 'context', text: 'c' },
      { kind: 'rewrite', value: { a: 1 } },
      { kind: 'quiet' },
    ],
  },
];

test.each(VERDICTS)('what is rendered is understood as it was meant: %j', (verdict) => {
  const reply = render(verdict, 'PreToolUse', claudeAgent);
  expect(reply && meaning(reply)).toEqual(verdict);
});

test('what this dialect has no words for is not said at all', () => {
  for (const kind of ['ask', 'hold', 'allow'] as const) {
    expect(wire.encodeReply({ decision: { kind, reason: 'r' }, effects: [] }, 'PreToolUse')).toBeUndefined();
  }
  for (const effect of [
    { kind: 'notice', text: 'n' },
    { kind: 'halt', reason: 'h' },
    { kind: 'continue', with: 'w' },
    { kind: 'replace', value: 1 },
  ] as const) {
    expect(wire.encodeReply({ decision: { kind: 'pass' }, effects: [effect] }, 'PreToolUse')).toBeUndefined();
  }
  expect(
    wire.encodeReply(
      {
        decision: { kind: 'pass' },
        effects: [
          { kind: 'context', text: 'a' },
          { kind: 'context', text: 'b' },
        ],
      },
      'Stop',
    ),
  ).toEqual({ additional_context: 'a\nb' });
});

test('the profile is plain data', () => {
  expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
});
