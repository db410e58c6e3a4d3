/** One sum out of many verdicts: which of several texts counts, and whose it is. */
import { describe, expect, test } from 'vitest';
import { type ContextSource, type Effect, PASS, type Verdict } from '../../../../src/core/decision/decision.ts';
import { addVerdict, emptyFoldState, type FoldState, joinLane, NOBODY } from '../../../../src/core/decision/fold.ts';
import type { FoldRule } from '../../../../src/core/meaning/profile.ts';

const EACH: FoldRule = { contextStart: 'all', contextEnd: 'each' };
const ONE: FoldRule = { contextStart: 'last', contextEnd: 'joined' };

test('nothing said is a pass without any text', () => {
  expect(emptyFoldState()).toEqual({
    decision: { kind: 'pass' },
    contextStart: [],
    contextEnd: [],
    startSources: [],
    endSources: [],
    notices: [],
    quiet: false,
  });
});

describe('within a lane', () => {
  test('the latest rewrite and replacement, the earliest continuation and halt', () => {
    const sum = laneOf(EACH, [
      { kind: 'rewrite', value: 1 },
      { kind: 'replace', value: 2 },
      { kind: 'continue', with: 'first' },
      { kind: 'halt', reason: 'first' },
      { kind: 'rewrite', value: 3 },
      { kind: 'replace', value: 4 },
      { kind: 'continue', with: 'second' },
      { kind: 'halt', reason: 'second' },
    ]);
    expect(sum).toMatchObject({ rewrite: 3, replace: 4, continueWith: 'first', halt: 'first', quiet: false });
    expect(laneOf(EACH, [{ kind: 'quiet' }]).quiet).toBe(true);
  });

  test('an allow is void once the input it endorsed is rewritten, and stays with every other effect', () => {
    const allow: Verdict = { decision: { kind: 'allow' }, effects: [] };
    const after = (effect: Effect, first: Verdict = allow): string => {
      const sum = emptyFoldState();
      addVerdict(sum, first, EACH);
      addVerdict(sum, { decision: PASS, effects: [{ kind: 'quiet' }, effect] }, EACH);
      return sum.decision.kind;
    };
    expect(after({ kind: 'rewrite', value: {} })).toBe('pass');
    expect(after({ kind: 'notice', text: 'n' })).toBe('allow');
    expect(after({ kind: 'replace', value: 1 })).toBe('allow');
    for (const kind of ['ask', 'hold', 'deny'] as const)
      expect(after({ kind: 'rewrite', value: {} }, { decision: { kind, reason: 'r' }, effects: [] })).toBe(kind);
  });

  test('a hook may allow the very input it rewrote', () => {
    const sum = emptyFoldState();
    addVerdict(sum, { decision: { kind: 'allow' }, effects: [{ kind: 'rewrite', value: {} }] }, EACH);
    expect(sum.decision.kind).toBe('allow');
  });

  test('a text without a place is added at the end', () => {
    const sum = laneOf(EACH, [
      context('e1'),
      { ...context('s1'), at: 'start' },
      { ...context('e2'), at: 'end' },
      { ...context('s2'), at: 'start' },
    ]);
    expect([sum.contextStart, sum.contextEnd]).toEqual([
      ['s1', 's2'],
      ['e1', 'e2'],
    ]);
    expect([names(sum.startSources), names(sum.endSources)]).toEqual([
      ['s1', 's2'],
      ['e1', 'e2'],
    ]);
  });

  test('where only the last text at the start counts, only its source does', () => {
    const sum = laneOf(ONE, [{ ...context('s1'), at: 'start' }, { ...context('s2'), at: 'start' }, context('e1'), context('e2')]);
    expect([sum.contextStart, names(sum.startSources)]).toEqual([['s2'], ['s2']]);
    expect(sum.contextEnd).toEqual(['e1', 'e2']);
  });

  test('a text whose hook is unknown has a source that says so', () => {
    const sum = laneOf(EACH, [
      { kind: 'context', text: 'a' },
      { kind: 'context', text: 'b', at: 'start' },
    ]);
    expect([...sum.endSources, ...sum.startSources]).toEqual([NOBODY, NOBODY]);
    expect(NOBODY).toEqual({ hook: '', name: 'unknown', dialect: 'unknown', scope: 'runtime' });
  });

  test('sums do not share texts', () => {
    laneOf(EACH, [{ kind: 'notice', text: 'n' }, context('c')]);
    expect(emptyFoldState()).toMatchObject({ notices: [], contextEnd: [] });
  });
});

describe('across lanes', () => {
  test('a later lane has the last word on input and output, the first one on halting and going on', () => {
    const total = laneOf(EACH, [
      { kind: 'rewrite', value: 1 },
      { kind: 'replace', value: 1 },
      { kind: 'continue', with: 'one' },
      { kind: 'halt', reason: 'one' },
    ]);
    joinLane(total, emptyFoldState(), EACH);
    expect(total).toMatchObject({ rewrite: 1, replace: 1, continueWith: 'one', halt: 'one', quiet: false });
    const second = laneOf(EACH, [
      { kind: 'rewrite', value: 2 },
      { kind: 'replace', value: 2 },
      { kind: 'continue', with: 'two' },
      { kind: 'halt', reason: 'two' },
      { kind: 'quiet' },
    ]);
    joinLane(total, second, EACH);
    expect(total).toMatchObject({ rewrite: 2, replace: 2, continueWith: 'one', halt: 'one', quiet: true });
    joinLane(total, emptyFoldState(), EACH);
    expect(total.quiet).toBe(true);
  });

  test('a lane that is the first to halt or go on is heard, and one that says nothing adds no key', () => {
    const total = emptyFoldState();
    joinLane(total, emptyFoldState(), EACH);
    expect(Object.keys(total).sort()).toEqual(Object.keys(emptyFoldState()).sort());
    joinLane(
      total,
      laneOf(EACH, [
        { kind: 'continue', with: 'w' },
        { kind: 'halt', reason: 'h' },
      ]),
      EACH,
    );
    expect(total).toMatchObject({ continueWith: 'w', halt: 'h' });
  });

  test('a rewrite of one lane voids the allow of an earlier one, and no other decision', () => {
    const kindAfter = (decision: Verdict['decision'], effects: readonly Effect[]): string => {
      const total = emptyFoldState();
      addVerdict(total, { decision, effects: [] }, EACH);
      joinLane(total, laneOf(EACH, effects), EACH);
      return total.decision.kind;
    };
    expect(kindAfter({ kind: 'allow' }, [{ kind: 'rewrite', value: null }])).toBe('pass');
    expect(kindAfter({ kind: 'allow' }, [{ kind: 'replace', value: null }])).toBe('allow');
    expect(kindAfter({ kind: 'ask', reason: 'r' }, [{ kind: 'rewrite', value: null }])).toBe('ask');
  });

  test('texts of lanes stand in order, each with its source', () => {
    const total = laneOf(EACH, [context('a'), { ...context('s'), at: 'start' }, { kind: 'notice', text: 'n1' }]);
    const lane = laneOf(EACH, [context('b'), context('c'), { ...context('t'), at: 'start' }, { kind: 'notice', text: 'n2' }]);
    joinLane(total, lane, EACH);
    expect(total).toMatchObject({ contextStart: ['s', 't'], contextEnd: ['a', 'b', 'c'], notices: ['n1', 'n2'] });
    expect([names(total.startSources), names(total.endSources)]).toEqual([
      ['s', 't'],
      ['a', 'b', 'c'],
    ]);
  });

  test('where texts are joined, a lane gives one text that names every hook in it once', () => {
    const total = emptyFoldState();
    joinLane(total, laneOf(ONE, [context('a'), context('b'), context('a'), context('c')]), ONE);
    expect(total.contextEnd).toEqual(['a\nb\na\nc']);
    expect(total.endSources).toEqual([{ ...source('a'), also: [source('b'), source('c')] }]);
  });

  test('a lane without a text adds none, not even an empty one', () => {
    const total = emptyFoldState();
    joinLane(total, emptyFoldState(), ONE);
    expect([total.contextEnd, total.endSources]).toEqual([[], []]);
  });

  test('one text alone, or several of one hook, have that hook as their source and no others', () => {
    const alone = emptyFoldState();
    joinLane(alone, laneOf(ONE, [context('a')]), ONE);
    expect([alone.contextEnd, alone.endSources]).toEqual([['a'], [source('a')]]);
    const twice = emptyFoldState();
    joinLane(twice, laneOf(ONE, [context('a'), context('a')]), ONE);
    expect([twice.contextEnd, twice.endSources]).toEqual([['a\na'], [source('a')]]);
  });
});

function laneOf(rule: FoldRule, effects: readonly Effect[]): FoldState {
  const sum = emptyFoldState();
  for (const effect of effects) addVerdict(sum, { decision: PASS, effects: [effect] }, rule);
  return sum;
}

function context(name: string): Effect & { kind: 'context' } {
  return { kind: 'context', text: name, from: source(name) };
}

function source(name: string): ContextSource {
  return { hook: `id-${name}`, name, dialect: 'd', scope: 'project' };
}

function names(sources: readonly ContextSource[]): readonly string[] {
  return sources.map(({ name }) => name);
}
