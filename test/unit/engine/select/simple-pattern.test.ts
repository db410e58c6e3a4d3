import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import type { PatternTest } from '../../../../src/core/contracts/hook.ts';
import { parsePattern } from '../../../../src/engine/select/pattern-syntax.ts';
import { exactValues, simpleTest } from '../../../../src/engine/select/simple-pattern.ts';

const values = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', 'k', 's', '.', '/', '\n', 'é', 'É', 'ſ', '\u212a', '😀', '\ud83d', '\ude00'),
  maxLength: 10,
});
const literals = fc.constantFrom('a', 'b', 'k', 's', 'ab', '\\.', '\\/', '/', '_', '\\n', 'é', '😀');
const texts = fc.oneof({ weight: 3, arbitrary: literals }, { weight: 1, arbitrary: fc.constantFrom('.*', '.*?') });
const branches = (parts: fc.Arbitrary<string>, anchored: number) =>
  fc
    .tuple(
      fc.oneof({ weight: anchored, arbitrary: fc.constantFrom('^', '\\A') }, { weight: 9, arbitrary: fc.constant('') }),
      fc.array(parts, { maxLength: 4 }).map((all) => all.join('')),
      fc.oneof({ weight: anchored, arbitrary: fc.constantFrom('$', '\\z') }, { weight: 9, arbitrary: fc.constant('') }),
    )
    .map((all) => all.join(''));
const alternatives = (one: fc.Arbitrary<string>) => fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => all.join('|'));
const groups = fc.tuple(fc.constantFrom('(', '(?:'), alternatives(branches(texts, 1))).map(([open, inner]) => `${open}${inner})`);
const simplePatterns = alternatives(branches(fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: groups }), 9));
const flagSets = fc.subarray(['i', 'm', 's']).map((flags) => flags.join(''));
const anchors = fc.constantFrom('search', 'whole');
/** Anything that looks like a pattern, sense or nonsense. */
const soup = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '.',
      '*',
      '+',
      '?',
      '(',
      ')',
      '(?:',
      '(?<n>',
      '(?i)',
      '|',
      '^',
      '$',
      '[',
      ']',
      '\\',
      '{',
      '2',
      '}',
      'é',
      '\\d',
      '\\Q',
      '\ud83d',
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));

function listedValues(source: string, anchor: PatternTest['anchor']): readonly string[] | undefined {
  const syntax = parsePattern(source);
  return syntax && exactValues(syntax, anchor);
}

function byEngine(source: string, flags: string, anchor: string, value: string): boolean {
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0);
  const engine = RE2JS.compile(source, bits);
  return anchor === 'whole' ? engine.testExact(value) : engine.test(value);
}

test('a simple pattern gives the answer the engine gives', () => {
  let simple = 0;
  fc.assert(
    fc.property(simplePatterns, flagSets, anchors, fc.array(values, { minLength: 1, maxLength: 8 }), (source, flags, anchor, all) => {
      const own = simpleTest(source, flags, anchor);
      if (own === undefined) return;
      simple++;
      for (const text of all) expect([text, own(text)]).toEqual([text, byEngine(source, flags, anchor, text)]);
    }),
    { numRuns: 2000 },
  );
  expect(simple).toBeGreaterThan(300);
});

test('a simple pattern gives the answer JavaScript gives', () => {
  fc.assert(
    fc.property(simplePatterns, flagSets, anchors, values, (source, flags, anchor, text) => {
      fc.pre(!/\\[Az]/.test(source) && !(anchor === 'whole' && flags.includes('m')));
      const own = simpleTest(source, flags, anchor);
      fc.pre(own !== undefined);
      expect(own?.(text)).toBe(new RegExp(anchor === 'whole' ? `^(?:${source})$` : source, `${flags}u`).test(text));
    }),
    { numRuns: 1000 },
  );
});

test('nothing the engine refuses is taken for simple, and nothing is read otherwise than by the engine', () => {
  fc.assert(
    fc.property(soup, flagSets, anchors, values, (source, flags, anchor, text) => {
      const own = simpleTest(source, flags, anchor);
      fc.pre(own !== undefined);
      expect(own?.(text)).toBe(byEngine(source, flags, anchor, text));
    }),
    { numRuns: 2000 },
  );
});

test('the listed values of a pattern are those it matches, and no others', () => {
  fc.assert(
    fc.property(simplePatterns, anchors, values, (source, anchor, text) => {
      const listed = listedValues(source, anchor);
      fc.pre(listed !== undefined);
      for (const value of listed ?? []) expect(byEngine(source, '', anchor, value)).toBe(true);
      expect(listed?.includes(text)).toBe(byEngine(source, '', anchor, text));
    }),
    { numRuns: 500 },
  );
});

test.each<[string, PatternTest['anchor'], readonly string[] | undefined]>([
  ['Bash', 'whole', ['Bash']],
  ['^Bash$', 'search', ['Bash']],
  ['^(Edit|Write)$', 'search', ['Edit', 'Write']],
  ['Edit|Write', 'whole', ['Edit', 'Write']],
  ['^mcp__(a|b)__(x|y)$', 'search', ['mcp__a__x', 'mcp__a__y', 'mcp__b__x', 'mcp__b__y']],
  ['Bash', 'search', undefined],
  ['(?i)bash', 'whole', undefined],
  ['Bash.*', 'whole', undefined],
])('the values of %s as %s', (source, anchor, listed) => {
  expect(listedValues(source, anchor)).toEqual(listed);
});

test.each(['Edit|Write', '\\.py$', 'file_.*', 'mcp__.*__write', '^(?:a|b)$', '(?i)bash', '', '.*', 'rm -rf \\/', '(?<tool>Bash)'])(
  '%s needs no engine',
  (source) => {
    expect(simpleTest(source, '', 'search')).toBeDefined();
    expect(simpleTest(source, '', 'whole')).toBeDefined();
  },
);

test('pieces do not share characters', () => {
  expect(simpleTest('a.*a', '', 'whole')?.('a')).toBe(false);
  expect(simpleTest('ab.*ba$', '', 'search')?.('aba')).toBe(false);
  expect(simpleTest('ab.*ba$', '', 'search')?.('abba')).toBe(true);
});

test('a pattern that expands without end is left to the engine', () => {
  for (const source of [
    '(a|b)'.repeat(40),
    `(${'x|'.repeat(4000)}y)${'.*z'.repeat(500)}`,
    `(${'(a|b|c)'.repeat(5)}|d)`.repeat(9),
    'a.*'.repeat(2000),
  ]) {
    expect(simpleTest(source, '', 'search')).toBeUndefined();
  }
});

test('a long list of names needs no engine', () => {
  const list = Array.from({ length: 3000 }, (_, i) => `tool_${i}`);
  expect(simpleTest(`^(?:${list.join('|')})$`, '', 'search')?.('tool_2999')).toBe(true);
});

test('a dot does not match a newline unless it is told to', () => {
  expect(simpleTest('a.*b', '', 'search')?.('a\nb')).toBe(false);
  expect(simpleTest('a.*b', '', 'search')?.('a\na-b')).toBe(true);
  expect(simpleTest('a.*b', 's', 'search')?.('a\nb')).toBe(true);
  expect(simpleTest('.*', '', 'whole')?.('a\nb')).toBe(false);
});
