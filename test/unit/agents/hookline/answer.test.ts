/** A value that is no answer is a problem that says what was meant, and never an answer without an opinion. */
import { describe, expect, test } from 'vitest';
import { decodeAnswer } from '../../../../src/agents/hookline/answer.ts';
import { NO_OPINION } from '../../../../src/core/decision/decision.ts';

describe('no opinion', () => {
  test.each([undefined, null, {}, { decision: 'pass' }, { decision: undefined, context: undefined }, { quiet: false }])('%j', (value) => {
    expect(decodeAnswer(value)).toEqual(NO_OPINION);
  });
});

describe('an answer', () => {
  test.each([
    [
      { decision: 'deny', reason: 'No.' },
      { decision: { kind: 'deny', reason: 'No.' }, effects: [] },
    ],
    [{ decision: 'allow' }, { decision: { kind: 'allow' }, effects: [] }],
    [
      { decision: 'hold', reason: 'Wait.', state: { step: 1 } },
      { decision: { kind: 'hold', reason: 'Wait.', state: { step: 1 } }, effects: [] },
    ],
    [
      { context: ['a', 'b'], notice: 'n', quiet: true, halt: 'h', rewrite: {}, replace: 'r' },
      {
        decision: { kind: 'pass' },
        effects: [
          { kind: 'rewrite', value: {} },
          { kind: 'replace', value: 'r' },
          { kind: 'context', text: 'a' },
          { kind: 'context', text: 'b' },
          { kind: 'notice', text: 'n' },
          { kind: 'quiet' },
          { kind: 'halt', reason: 'h' },
        ],
      },
    ],
  ])('%j', (value, verdict) => {
    expect(decodeAnswer(value)).toEqual(verdict);
  });
});

describe('no answer', () => {
  test.each<[unknown, string]>([
    [{ deny: 'No.' }, `{ decision: 'deny', reason: "No." }`],
    [{ block: true }, "{ decision: 'deny', reason }"],
    [{ decision: 'block', reason: 'No.' }, "{ decision: 'deny', reason }"],
    [{ decision: 'Deny', reason: 'No.' }, "{ decision: 'deny', reason }"],
    [{ pending: {} }, "{ decision: 'hold', reason, state }"],
    [{ decison: 'deny', reason: 'No.' }, '`decision`'],
    [{ permissionDecision: 'ask' }, "{ decision: 'ask', reason }"],
    [{ updatedInput: {} }, '{ rewrite }'],
    [{ decision: 'deny' }, "{ decision: 'deny', reason }"],
    [{ decision: 'ask', reason: '' }, "{ decision: 'ask', reason }"],
    [{ decision: 'hold', reason: '  ' }, "{ decision: 'hold', reason }"],
    [{ reason: 'No.' }, `{ decision: 'deny', reason: "No." }`],
    ['deny', "{ decision: 'deny', reason }"],
    ['ok', "{ decision: 'allow' }"],
    ['No.', `{ decision: 'deny', reason: "No." }`],
    [false, "{ decision: 'deny', reason }"],
  ])('%j: did you mean %s', (value, meant) => {
    expect(decodeAnswer(value)).toMatch(/did you mean/);
    expect(decodeAnswer(value)).toContain(meant);
  });

  test.each<[unknown, RegExp]>([
    [true, /returned true; to let it pass, return nothing/],
    [0, /returned 0/],
    [[], /returned \[\]/],
    [() => undefined, /returned a function/],
    [new Error('No.'), /an instance of Error/],
    [new Map(), /an instance of Map/],
    [{ anything: 1 }, /an answer has no `anything`; it has decision, reason/],
    [{ decision: 'deny', reason: 7 }, /`reason` must be text, not 7/],
    [{ context: [1] }, /`context` must be text or a list of texts/],
    [{ quiet: 'yes' }, /`quiet` must be true or false/],
    [{ decision: 'deny', reason: 'No.', state: 1 }, /`state` belongs to `hold`/],
    [{ constructor: 1 }, /an answer has no `constructor`/],
  ])('%o', (value, problem) => {
    expect(decodeAnswer(value)).toMatch(problem);
  });
});
