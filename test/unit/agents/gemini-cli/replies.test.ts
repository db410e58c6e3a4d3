import { expect, test } from 'vitest';
import { dialect as geminiCli } from '../../../../src/agents/gemini-cli/dialect.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import type { Verdict } from '../../../../src/core/decision/decision.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import type { Json } from '../../../../src/core/values/json.ts';

const PASS = { kind: 'pass' } as const;
const deny = { kind: 'deny', reason: 'no' } as const;
const said = (value: Json, event = 'BeforeTool') => geminiCli.wire.decodeReply(value, event, sampleEvent('tool.before'));

test.each<[string, Json, Verdict]>([
  ['deny', { decision: 'deny', reason: ' no ' }, { decision: deny, effects: [] }],
  ['block is deny', { decision: 'block', reason: 'no' }, { decision: deny, effects: [] }],
  ['ask', { decision: 'ask', reason: 'sure?' }, { decision: { kind: 'ask', reason: 'sure?' }, effects: [] }],
  [
    'a stop gives its reason to a deny without one',
    { decision: 'deny', continue: false, stopReason: 'no' },
    { decision: deny, effects: [{ kind: 'halt', reason: 'no' }] },
  ],
  ['a stop', { continue: false, stopReason: 'enough' }, { decision: PASS, effects: [{ kind: 'halt', reason: 'enough' }] }],
  [
    'a message',
    { systemMessage: 'hi', suppressOutput: true },
    { decision: PASS, effects: [{ kind: 'notice', text: 'hi' }, { kind: 'quiet' }] },
  ],
  ['no object', [1], { decision: PASS, effects: [] }],
  ['fields of the wrong type', { continue: 'false', systemMessage: 5, hookSpecificOutput: [] }, { decision: PASS, effects: [] }],
])('%s', (_, value, wanted) => {
  expect(said(value)).toEqual(wanted);
});

test('a decision nobody knows is a complaint, never consent', () => {
  expect(said({ decision: 'dney' })).toMatch(/dney/);
  expect(said({ decision: 7 })).toMatch(/7/);
});

test('a refusal without words gets some', () => {
  expect(said({ decision: 'deny' })).toMatchObject({ decision: { reason: expect.stringMatching(/\w/) } });
});

test.each<[string, Verdict, string, string]>([
  ['nothing', { decision: PASS, effects: [] }, 'BeforeTool', ''],
  ['a refusal', { decision: deny, effects: [] }, 'AfterAgent', '{"decision":"deny","reason":"no"}'],
  [
    'context',
    {
      decision: PASS,
      effects: [
        { kind: 'context', text: 'a' },
        { kind: 'context', text: 'b' },
      ],
    },
    'SessionStart',
    '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a\\nb"}}',
  ],
  [
    'another response',
    { decision: PASS, effects: [{ kind: 'replace', value: 'hi' }] },
    'AfterModel',
    '{"hookSpecificOutput":{"hookEventName":"AfterModel","llm_response":{"candidates":[{"content":{"role":"model","parts":["hi"]}}]}}}',
  ],
])('%s is said by exit 0 and these words', (_, verdict, event, stdout) => {
  expect(render(verdict, event, geminiCli)).toMatchObject({ exit: 0, stdout, stderr: '' });
});
