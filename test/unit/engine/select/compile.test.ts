import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPattern, compilePattern, reasonOf } from '../../../../src/engine/select/compile.ts';

const search = (source: string, flags?: string) => compilePattern({ kind: 'pattern', source, anchor: 'search', ...(flags && { flags }) });
const whole = (source: string, flags?: string) => compilePattern({ kind: 'pattern', source, anchor: 'whole', ...(flags && { flags }) });

test.each([
  ['(', 'Unclosed group: a `)` is missing.'],
  ['[a', 'Unclosed character class: a `]` is missing.'],
  ['a)', 'A `)` closes no group: write `\\)` for a literal one.'],
  ['a\\', 'The pattern ends in a single backslash: write `\\\\` for a literal one.'],
  ['*.py', '`*` has nothing before it to repeat: write `\\*` for a literal one.'],
  ['a**', '`**` repeats a repetition: put the first one in a group.'],
  ['[z-a]', '`z-a` is not a valid range or class.'],
  ['a{2,1}', '`{2,1}` is not a valid repeat count: at most 1000, and the smaller number first.'],
  ['\\Z', '`\\Z` is not a known escape.'],
  ['(?#a)', '`(?#` is not a kind of group that is known.'],
  ['(?<n>a)(?<n>b)', 'Two groups are named `n`.'],
])('%s is refused, and the sentence says why', (source, problem) => {
  expect(checkPattern(source)).toBe(problem);
});

test.each([
  ['a(?=b)', /^Lookahead \(`\(\?=`\) cannot be matched in linear time/],
  ['a(?!b)', /^Lookahead \(`\(\?!`\)/],
  ['(?<=a)b', /^Lookbehind \(`\(\?<=`\) cannot be matched in linear time/],
  ['(?<!a)b', /^Lookbehind \(`\(\?<!`\)/],
  ['(a)\\1', /^A backreference \(`\\1`\) cannot be matched in linear time/],
  ['(?<n>a)\\k<n>', /^A backreference/],
  ['(?P<n>a)(?P=n)', /^A backreference/],
])('%s would need backtracking and is refused', (source, problem) => {
  expect(checkPattern(source)).toMatch(problem);
  expect(search(source)('ab aa b')).toBe(false);
});

test('a pattern whose search would cost too much per character is refused', () => {
  expect(checkPattern('[ab]{0,1000}'.repeat(5))).toMatch(/too large/);
  expect(checkPattern(`\\d${'x'.repeat(60_000)}`)).toMatch(/longer than/);
});

test.each<[string, string, boolean]>([
  ['^(?<verb>get|put)_\\d+$', 'put_12', true],
  ['\\brm\\s+-rf\\b', 'sudo rm  -rf /', true],
  ['\\brm\\b', 'farm', false],
  ['(?i)drop\\s+table', 'DROP TABLE x', true],
  ['a\\/b', 'a/b', true],
  ['[\\w.-]+\\.py$', 'src/main.py', true],
  ['\\u0041\\u{42}[\\u0043]', 'ABC', true],
  ['\\uD83D\\uDE00+', '😀😀', true],
  ['\\\\u0041\\d', '\\u00411', true],
])('%s searched in %s: %s', (source, text, found) => {
  expect(checkPattern(source)).toBeUndefined();
  expect(search(source)(text)).toBe(found);
});

test('a whole match leaves nothing over, whatever the pattern alternates', () => {
  expect(whole('Edit|Write')('Write')).toBe(true);
  expect(whole('Edit|Write')('NotebookWrite')).toBe(false);
  expect(whole('a|a\\w')('ab')).toBe(true);
  expect(whole('\\w+|x')('ab cd')).toBe(false);
  expect(whole('(?i)bash|zsh')('ZSH')).toBe(true);
  expect(whole('a+', 'm')('aa\naa')).toBe(false);
});

test('the flags of a JavaScript regex mean what they mean there', () => {
  expect(search('b[ah]sh', 'i')('BASH')).toBe(true);
  expect(search('^b\\w', 'm')('a\nbc')).toBe(true);
  expect(search('^b\\w')('a\nbc')).toBe(false);
  expect(search('a.b', 's')('a\nb')).toBe(true);
  expect(search('a.b', 'gu')('a\nb')).toBe(false);
  expect(checkPattern('a', 'y')).toBe('The flags `y` cannot be used. Use `i`, `m` or `s`.');
});

test('case-insensitive means the same with and without the engine', () => {
  for (const text of ['K', '\u212a', 'ſ', 'İ', 'ı', 'S', 'ß']) {
    expect([text, search('k', 'i')(text)]).toEqual([text, search('[k]', 'i')(text)]);
    expect([text, search('s', 'i')(text)]).toEqual([text, search('[s]', 'i')(text)]);
    expect([text, search('i', 'i')(text)]).toEqual([text, search('[i]', 'i')(text)]);
  }
});

test('the same pattern is compiled once', () => {
  expect(search('x\\d{3}')).toBe(search('x\\d{3}'));
  expect(search('x\\d{3}')).not.toBe(whole('x\\d{3}'));
});

test.each([
  ['(a+)+$', `${'a'.repeat(100_000)}!`],
  ['(a|a)*b', 'a'.repeat(100_000)],
  ['\\s+$', `${' '.repeat(100_000)}x`],
  ['(x+x+)+y', 'x'.repeat(100_000)],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(100_000)],
  ['(.*)*,(.*)*,(.*)*!', ','.repeat(100_000)],
  ['a.*b.*c.*d.*e', 'a\n'.repeat(50_000)],
  ['a.*b.*c.*d.*e', `${'abcd'.repeat(25_000)}`],
])('%s over hostile text answers at once', (source, text) => {
  expect(checkPattern(source)).toBeUndefined();
  const began = performance.now();
  expect(search(source)(text)).toBe(false);
  expect(whole(source)(text)).toBe(false);
  // Backtracking would take hours; this allows for a very busy machine.
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('no string throws, as a pattern or as a value', () => {
  const strange = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'ab.*+?()[]{}|^$\\\\<>:=!PQEdux0123,-\ud83d') }),
  );
  fc.assert(
    fc.property(strange, fc.oneof(fc.constantFrom('', 'i', 'ms'), fc.string({ maxLength: 3 })), strange, (source, flags, text) => {
      const problem = checkPattern(source, flags);
      if (problem !== undefined) expect(problem).toMatch(/^.+\.$/su);
      const found = search(source, flags)(text);
      if (whole(source, flags)(text)) expect(found).toBe(true);
      if (problem !== undefined) expect(found).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\t', '\t'],
  ['\\f', '\f'],
  ['\\v', '\v'],
])('%j is one control character, and not nothing', (written, char) => {
  const texts = [`a${char}b`, 'ab', `a${written}b`];
  expect(texts.map(whole(`a${written}b`))).toEqual([true, false, false]);
  expect(texts.map(search(`a${written}`))).toEqual([true, false, false]);
});

test('an error that the engine does not explain has a sentence too', () => {
  expect([new Error('x'), {}].map(reasonOf)).toEqual(Array(2).fill('The pattern is too large or not understood.'));
  expect(reasonOf({ error: 'never heard of', input: 7 })).toBe('Never heard of.');
});
