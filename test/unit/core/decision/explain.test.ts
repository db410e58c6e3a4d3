/** The sentences on a firing: each outcome has one of its own, and the reason is in it. The words themselves may change. */
import { describe, expect, test } from 'vitest';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { DecisionKind, Effect } from '../../../../src/core/decision/decision.ts';
import { describeFault, explain, explainHook } from '../../../../src/core/decision/explain.ts';
import type { HookReport, Outcome } from '../../../../src/core/decision/outcome.ts';
import { type FaultKind, fault } from '../../../../src/core/decision/reply.ts';

const FAULTS: readonly FaultKind[] = [
  'oversize',
  'unavailable',
  'timeout',
  'spawn',
  'signal',
  'exit',
  'network',
  'status',
  'malformed',
  'threw',
  'cancelled',
  'depth',
];
const EFFECTS: readonly Effect['kind'][] = ['rewrite', 'context', 'notice', 'replace', 'continue', 'halt', 'quiet'];
const DECISIONS: readonly DecisionKind[] = ['deny', 'hold', 'ask', 'allow', 'pass'];

describe('a fault', () => {
  test('has words for every kind', () => {
    for (const kind of FAULTS) expect(describeFault({ name: 'gate' } as Hook, fault(kind, 'd'))).not.toContain('undefined');
  });

  test.each(FAULTS)('%s is named in words, with the hook and the detail', (kind) => {
    expect(describeFault({ name: 'gate' } as Hook, fault(kind, 'the detail'))).toMatch(/^Hook 'gate' [a-z][^:]+: the detail\.$/);
    expect(explainHook(report({ status: 'faulted', fault: { kind, detail: 'the detail' } }))).toMatch(
      /^[a-z][^:,]+, [a-z][^:]+: the detail$/,
    );
  });

  test('that denies reads otherwise than one that lets the action pass', () => {
    const after = (decision: DecisionKind): string =>
      explainHook(report({ status: 'faulted', decision, fault: { kind: 'timeout', detail: 'd' } }));
    expect(after('deny')).toMatch(/\bden/);
    expect(after('pass')).not.toMatch(/\bden/);
    expect(after('deny').length).toBeGreaterThan('timed out, : d'.length);
    expect(after('pass').length).toBeGreaterThan('timed out, : d'.length);
  });

  test('of which nothing is known is still told', () => {
    expect(explainHook(report({ status: 'faulted' }))).toMatch(/\w+ \w+/);
  });
});

describe('a hook', () => {
  test('that was skipped says why, and one in the background says so', () => {
    expect(explainHook(report({ status: 'skipped', skip: 'it is not trusted' }))).toMatch(/\w.*: it is not trusted$/);
    expect(explainHook(report({ status: 'detached' }))).toMatch(/background/);
  });

  test('says its reason, and each decision has a sentence of its own', () => {
    const bare = DECISIONS.map((decision) => explainHook(report({ status: 'answered', decision })));
    expect(new Set(bare).size).toBe(DECISIONS.length);
    for (const sentence of bare) expect(sentence).toMatch(/^\w+ \w[\w ]+$/);
    for (const [index, decision] of DECISIONS.slice(0, 4).entries())
      expect(explainHook(report({ status: 'answered', decision, reason: 'so it is' }))).toBe(`${bare[index]}: so it is`);
  });

  test('without a decision is told by its effects, each named once', () => {
    const told = EFFECTS.map((kind) => explainHook(report({ status: 'answered', decision: 'pass', effects: [kind] })));
    expect(new Set(told).size).toBe(EFFECTS.length);
    for (const sentence of told) expect(sentence).toMatch(/^\w+ \w[\w ]+$/);
    const [first, second] = told;
    expect(explainHook(report({ status: 'answered', effects: ['rewrite', 'context', 'rewrite'] }))).toBe(`${first}, ${second}`);
    const silent = explainHook(report({ status: 'answered' }));
    expect(silent).toBe(explainHook(report({ status: 'answered', effects: [] })));
    expect(told).not.toContain(silent);
    expect(silent).not.toBe('');
    expect(silent).not.toContain('undefined');
    expect(explainHook(report({ status: 'answered', decision: 'pass' }))).toBe(silent);
  });
});

describe('an outcome', () => {
  test('says its reason, and each decision has a sentence of its own', () => {
    const bare = DECISIONS.map((decision) => explain(outcome({ decision })));
    expect(new Set(bare).size).toBe(DECISIONS.length);
    for (const sentence of bare) expect(sentence).toMatch(/^[A-Z]\w*/);
    for (const [index, decision] of DECISIONS.slice(0, 4).entries())
      expect(explain(outcome({ decision, reason: 'so it is' }))).toBe(`${bare[index]}: so it is`);
  });

  test('that is held names its ticket', () => {
    expect(explain(outcome({ decision: 'hold', ticket: { id: 't-7', expiresAt: '' } }))).toContain('t-7');
    expect(explain(outcome({ decision: 'hold' }))).toMatch(/\(\w+\)/);
  });

  test('that sends the agent back to work says this before anything else', () => {
    const back = explain(outcome({ decision: 'deny', continue: 'go on', reason: 'not done' }));
    expect(back).toMatch(/^[A-Z]\w+ \w.*: not done$/);
    expect(back).not.toBe(explain(outcome({ decision: 'deny', reason: 'not done' })));
    expect(explain(outcome({ decision: 'deny', continue: 'go on' }))).toBe(back.replace(': not done', ''));
  });

  test('never counts a hook that failed as one that agreed', () => {
    const failed = report({ status: 'faulted', decision: 'pass', fault: { kind: 'exit', detail: 'exit code 1' }, exit: 1 });
    const said = (...hooks: HookReport[]): string => explain(outcome({ hooks }));
    expect(said(failed)).toMatch(/failed, so no hook has judged this: .*\(exit 1\)/);
    expect(said(failed, failed)).toMatch(/^All 2 hooks .* failed/);
    for (const hooks of [[failed], [failed, failed]]) expect(said(...hooks)).not.toMatch(/objec/);
    expect(said(failed, report({ status: 'answered', decision: 'pass' }))).toMatch(
      /^1 of the 2 .* failed: .* The other one does not object\.$/,
    );
    expect(explain(outcome({ decision: 'allow', hooks: [failed, report({ status: 'answered', decision: 'allow' })] }))).toMatch(
      /1 hook failed/,
    );
  });

  test('that passes counts the hooks that were asked: those that answered and those that failed', () => {
    const passed = (...all: HookReport['status'][]): string => explain(outcome({ hooks: all.map((status) => report({ status })) }));
    const [none, one] = [passed(), passed('answered')];
    for (const sentence of [none, one]) expect(sentence).not.toMatch(/\d/);
    expect(new Set([none, one, passed('answered', 'faulted')]).size).toBe(3);
    expect(passed('skipped', 'detached')).toBe(none);
    expect(passed('answered', 'detached', 'faulted', 'answered')).toMatch(/\b3\b/);
    for (const sentence of [none, one]) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});

function report(some: Partial<HookReport>): HookReport {
  return {
    id: 'h',
    name: 'h',
    dialect: 'd',
    event: 'e',
    handler: 'command',
    source: { file: 'f', scope: 'project' },
    status: 'answered',
    ...some,
  };
}

function outcome(some: Partial<Outcome>): Outcome {
  return {
    id: 'o',
    kind: 'tool.before',
    decision: 'pass',
    reason: null,
    context: [],
    contextSources: [],
    notices: [],
    quiet: false,
    unmatched: 0,
    hooks: [],
    diagnostics: [],
    ...some,
  };
}
