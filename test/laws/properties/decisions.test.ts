/** The algebra of decisions: joining, folding and limiting, for any verdict. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { join, limit, PASS, severity } from '../../../src/core/decision/decision.ts';
import { addVerdict, emptyFoldState, type FoldState, joinLane } from '../../../src/core/decision/fold.ts';
import type { FoldRule } from '../../../src/core/meaning/profile.ts';
import { canonicalJson } from '../../../src/core/values/digest.ts';
import { ALL_GRANTS, decision, json, verdict } from './arbitraries.ts';

const fold: fc.Arbitrary<FoldRule> = fc.record({
  contextStart: fc.constantFrom('last', 'all'),
  contextEnd: fc.constantFrom('each', 'joined'),
});
const grants = fc.subarray([...ALL_GRANTS]);
const verdicts = fc.array(verdict('tool.before'), { maxLength: 6 });

describe('joining decisions', () => {
  test('it does not matter how they are grouped', () => {
    fc.assert(fc.property(decision, decision, decision, (a, b, c) => void expect(join(join(a, b), c)).toEqual(join(a, join(b, c)))));
  });
  test('joining one with itself changes nothing', () => {
    fc.assert(fc.property(decision, (a) => void expect(join(a, a)).toEqual(a)));
  });
  test('pass is no opinion: joined to anything it changes nothing', () => {
    fc.assert(fc.property(decision, (a) => void expect([join(a, PASS), join(PASS, a)]).toEqual([a, a])));
  });
  test('the order does not change the severity', () => {
    fc.assert(fc.property(decision, decision, (a, b) => void expect(severity(join(a, b))).toBe(severity(join(b, a)))));
  });
  test('of equals the first gives the reason', () => {
    fc.assert(fc.property(decision, decision, (a, b) => void expect(severity(a) === severity(b) ? join(a, b) : a).toBe(a)));
  });
});

describe('folding verdicts', () => {
  test('a verdict never lowers the severity, unless its rewrite voids an allow', () => {
    fc.assert(
      fc.property(verdicts, verdict('tool.before'), fold, (before, next, rule) => {
        const sum = sumOf(before, rule);
        const was = sum.decision;
        addVerdict(sum, next, rule);
        const voided = was.kind === 'allow' && next.effects.some(({ kind }) => kind === 'rewrite');
        expect(severity(sum.decision)).toBe(Math.max(voided ? 0 : severity(was), severity(next.decision)));
      }),
    );
  });

  test('a lane never lowers the severity, unless its rewrite voids an allow', () => {
    fc.assert(
      fc.property(verdicts, verdicts, fold, (first, second, rule) => {
        const total = sumOf(first, rule);
        const lane = sumOf(second, rule);
        const was = total.decision;
        joinLane(total, lane, rule);
        const voided = was.kind === 'allow' && lane.rewrite !== undefined;
        expect(severity(total.decision)).toBe(Math.max(voided ? 0 : severity(was), severity(lane.decision)));
      }),
    );
  });

  test('a deny stands, whatever comes after it', () => {
    fc.assert(
      fc.property(verdicts, verdicts, fold, (before, after, rule) => {
        const denied = { decision: { kind: 'deny', reason: 'no' }, effects: [] } as const;
        expect(sumOf([...before, denied, ...after], rule).decision.kind).toBe('deny');
      }),
    );
  });

  test('an allow never outlives a rewrite of what it endorsed', () => {
    fc.assert(
      fc.property(fold, (rule) => {
        const allowed = { decision: { kind: 'allow' }, effects: [] } as const;
        const rewritten = { decision: PASS, effects: [{ kind: 'rewrite', value: {} }] } as const;
        expect(sumOf([allowed, rewritten], rule).decision).toEqual(PASS);
        const total = sumOf([allowed], rule);
        joinLane(total, sumOf([rewritten], rule), rule);
        expect(total.decision).toEqual(PASS);
      }),
    );
  });

  test('no context and no notice is lost where all of them count', () => {
    const rule: FoldRule = { contextStart: 'all', contextEnd: 'each' };
    fc.assert(
      fc.property(verdicts, (list) => {
        const sum = sumOf(list, rule);
        const count = (kind: string) => list.flatMap(({ effects }) => effects).filter((effect) => effect.kind === kind).length;
        expect(sum.contextStart.length + sum.contextEnd.length).toBe(count('context'));
        expect(sum.notices.length).toBe(count('notice'));
      }),
    );
  });
});

describe('limiting a verdict to what an event grants', () => {
  test('never makes it more severe', () => {
    fc.assert(
      fc.property(verdict('tool.before'), grants, (said, granted) => {
        const kept = limit(said, granted).verdict;
        expect(severity(kept.decision)).toBeLessThanOrEqual(severity(said.decision));
        expect(said.effects).toEqual(expect.arrayContaining([...kept.effects]));
      }),
    );
  });
  test('leaves nothing that is not granted, and names what it cut', () => {
    fc.assert(
      fc.property(verdict('tool.before'), grants, (said, granted) => {
        const { verdict: kept, dropped } = limit(said, granted);
        const words = [kept.decision, ...kept.effects].map(({ kind }) => kind).filter((kind) => kind !== 'pass');
        expect(words.filter((word) => !(granted as string[]).includes(word))).toEqual([]);
        expect(dropped.length).toBe(said.effects.length - kept.effects.length + (kept.decision.kind === said.decision.kind ? 0 : 1));
      }),
    );
  });
  test('done twice it cuts nothing more', () => {
    fc.assert(
      fc.property(verdict('tool.before'), grants, (said, granted) => {
        const once = limit(said, granted).verdict;
        expect(limit(once, granted)).toEqual({ verdict: once, dropped: [] });
      }),
    );
  });
});

describe('canonical JSON', () => {
  test('does not depend on the order of keys', () => {
    fc.assert(fc.property(json, (value) => void expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))));
  });
  test('is the same value', () => {
    fc.assert(fc.property(json, (value) => void expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value))));
  });
  test('tells different values apart', () => {
    const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
    fc.assert(fc.property(json, json, (a, b) => void expect(canonicalJson(a) === canonicalJson(b)).toBe(same(a, b))));
  });
});

function sumOf(list: readonly Parameters<typeof addVerdict>[1][], rule: FoldRule): FoldState {
  const sum = emptyFoldState();
  for (const said of list) addVerdict(sum, said, rule);
  return sum;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}
