import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { foldCase } from '../../../../src/engine/select/case-fold.ts';
import { requiredLiterals } from '../../../../src/engine/select/required-literal.ts';

test.each<[string, readonly string[] | undefined]>([
  ['Bash', ['Bash']],
  ['file_.*', ['file_']],
  ['mcp__.*__write', ['__write']],
  ['(foo|bar)\\d+', ['foo', 'bar']],
  ['^Edit|Write$', ['Edit', 'Write']],
  ['rm\\s+-rf\\s+/', ['-rf']],
  ['(ab)+', ['ab']],
  ['a(b|c)d', ['abd', 'acd']],
  ['\\bsudo\\b', ['sudo']],
  ['x{2}yz', ['yz']],
  ['(?i)DROP\\s+Table', ['table']],
  ['(?i)é+ab', ['ab']],
  ['colou?r', ['colo']],
  ['ab\\d|cd\\d', ['ab', 'cd']],
  ['ab\\d|\\d', undefined],
  ['colo(u|)r', ['colour', 'color']],
  ['a*', undefined],
  ['a|b*', undefined],
  ['foo|', undefined],
  ['(foo)?', undefined],
  ['[abc]+', undefined],
  ['.*', undefined],
  ['', undefined],
  ['\\Qa.b\\E', undefined],
  ['(?i:foo)', undefined],
  ['(', undefined],
])('%s needs %j', (source, literals) => {
  expect(requiredLiterals({ source })).toEqual(literals);
});

/** A pattern and something it matches, if no anchor or boundary objects. */
type Sample = readonly [source: string, match: string];

test('whatever a pattern matches contains one of its literals', () => {
  const join = (samples: readonly Sample[]): Sample => [
    samples.map(([source]) => source).join(''),
    samples.map(([, match]) => match).join(''),
  ];
  const leaves = fc.constantFrom<Sample>(
    ...['a', 'b', 'k', 'A', 'é', '😀'].map((char): Sample => [char, char]),
    ...[
      ['\\.', '.'],
      ['.', 'b'],
      ['[ab]', 'a'],
      ['[^a\\]]', 'k'],
      ['[\\w-]', '-'],
      ['\\d', '1'],
      ['\\n', '\n'],
      ['[]a]', ']'],
    ].map(([a = '', b = '']): Sample => [a, b]),
    ...[
      ['\\b', ''],
      ['^', ''],
      ['$', ''],
      ['[[:alpha:]]', 'k'],
      ['\\Qa', 'a'],
      ['.*', 'ab'],
    ].map(([a = '', b = '']): Sample => [a, b]),
  );
  const times = fc.constantFrom<readonly [string, number]>(
    ['', 1],
    ['', 1],
    ['', 1],
    ['*', 0],
    ['+', 2],
    ['?', 0],
    ['{2}', 2],
    ['{0,1}', 1],
    ['+?', 1],
  );
  const patterns = (atoms: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> => {
    const parts = fc.tuple(atoms, times).map(([[source, match], [sign, count]]): Sample => [source + sign, match.repeat(count)]);
    const branches = fc.array(fc.array(parts, { maxLength: 4 }).map(join), { minLength: 1, maxLength: 3 });
    return fc.tuple(fc.nat(2), branches).map(([pick, all]) => [all.map(([source]) => source).join('|'), all[pick % all.length]?.[1] ?? '']);
  };
  const grouped = (inner: fc.Arbitrary<Sample>) =>
    fc.tuple(fc.constantFrom('(', '(?:'), inner).map(([open, [source, match]]): Sample => [`${open}${source})`, match]);
  const withGroups = (depth: number): fc.Arbitrary<Sample> =>
    depth === 0
      ? patterns(leaves)
      : patterns(fc.oneof({ weight: 3, arbitrary: leaves }, { weight: 1, arbitrary: grouped(withGroups(depth - 1)) }));
  const pattern = withGroups(2);
  const around = fc.string({ unit: fc.constantFrom('a', 'b', 'K', ' ', '\n'), maxLength: 3 });
  let told = 0;
  fc.assert(
    fc.property(pattern, fc.constantFrom('', 'i', 'm', 's', 'im'), around, around, ([source, match], flags, before, after) => {
      const literals = requiredLiterals({ source, flags });
      const engine = literals && compiled(flags === '' ? source : `(?${flags})${source}`);
      if (literals === undefined || engine === undefined) return;
      const odd = match.toUpperCase().replaceAll('K', '\u212a');
      for (const value of [match, before + match + after, odd, before + odd + after].filter((text) => engine.test(text))) {
        told++;
        const read = flags.includes('i') ? foldCase(value) : value;
        expect(
          literals.some((literal) => read.includes(literal)),
          `${JSON.stringify(value)} holds one of ${literals}`,
        ).toBe(true);
      }
    }),
    { numRuns: 3000 },
  );
  expect(told).toBeGreaterThan(100);
});

function compiled(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}
