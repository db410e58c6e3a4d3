/** The lattice of decisions, and the limit an event puts on a verdict. */
import { describe, expect, test } from 'vitest';
import { asksPerson, type Decision, join, limit, NO_OPINION, PASS, reasonOf, severity } from '../../../../src/core/decision/decision.ts';
import { fault, isFault } from '../../../../src/core/decision/reply.ts';

const LADDER: readonly Decision[] = [
  { kind: 'pass' },
  { kind: 'allow' },
  { kind: 'ask', reason: 'ask' },
  { kind: 'hold', reason: 'hold' },
  { kind: 'deny', reason: 'deny' },
];

describe('severity', () => {
  test('pass < allow < ask < hold < deny', () => {
    for (const [low, lower] of LADDER.entries()) {
      for (const higher of LADDER.slice(low + 1)) {
        expect(severity(higher)).toBeGreaterThan(severity(lower));
        expect([join(lower, higher), join(higher, lower)]).toEqual([higher, higher]);
      }
    }
  });

  test('no opinion is a pass without effects', () => {
    expect(PASS).toEqual({ kind: 'pass' });
    expect(NO_OPINION).toEqual({ decision: { kind: 'pass' }, effects: [] });
  });
});

test('a decision has the reason it was given, and a pass or a bare allow has none', () => {
  expect(LADDER.map(reasonOf)).toEqual([null, null, 'ask', 'hold', 'deny']);
  expect(reasonOf({ kind: 'allow', reason: 'known' })).toBe('known');
});

test('exactly ask and hold want a person', () => {
  expect(LADDER.filter((decision) => asksPerson({ decision, effects: [] })).map(({ kind }) => kind)).toEqual(['ask', 'hold']);
});

describe('limit', () => {
  const said = { decision: { kind: 'deny', reason: 'no' }, effects: [{ kind: 'notice', text: 'n' }, { kind: 'quiet' }] } as const;

  test('a verdict that is granted whole stays the same object', () => {
    const { verdict, dropped } = limit(said, ['deny', 'notice', 'quiet']);
    expect(verdict).toBe(said);
    expect(dropped).toEqual([]);
  });

  test('a pass needs no grant', () => {
    expect(limit(NO_OPINION, []).verdict).toBe(NO_OPINION);
    expect(limit({ decision: PASS, effects: [{ kind: 'quiet' }] }, [])).toEqual({ verdict: NO_OPINION, dropped: ['quiet'] });
  });

  test('an effect that is not granted is cut, and the decision stands', () => {
    expect(limit(said, ['deny', 'quiet'])).toEqual({
      verdict: { decision: said.decision, effects: [{ kind: 'quiet' }] },
      dropped: ['notice'],
    });
  });

  test('a decision that is not granted becomes a pass and is named first, and granted effects stand', () => {
    expect(limit(said, ['notice'])).toEqual({ verdict: { decision: PASS, effects: [said.effects[0]] }, dropped: ['deny', 'quiet'] });
  });
});

test('a fault is told from a reply, and carries what is known of it', () => {
  const reply = { kind: 'value', value: 1 } as const;
  expect(fault('timeout', 'too late')).toEqual({ kind: 'fault', fault: 'timeout', detail: 'too late' });
  expect(fault('exit', 'exit code 3', { exit: 3, reply })).toEqual({ kind: 'fault', fault: 'exit', detail: 'exit code 3', exit: 3, reply });
  expect([isFault(fault('threw', 'x')), isFault(reply)]).toEqual([true, false]);
});
