// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** Texts are only ever judged here, never run. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeCommand } from './index.ts';

const severe = (text: string) => judgeCommand(text).filter(({ severity }) => severity !== 'medium');

describe('hostile text', { timeout: 60_000 }, () => {
  test('any text is judged', () => {
    const piece = fc.constantFrom(
      '$(',
      ')',
      '`',
      '"',
      "'",
      '{',
      '}',
      ',',
      '<<E\n',
      '|',
      '&',
      ';',
      '\n',
      '${',
      ':-',
      '$x',
      'rm',
      '-rf',
      '/',
      'eval ',
      'sh -c ',
      'if ',
      'do ',
      '<(',
      '((',
      '[[',
      '\\',
      '\0',
      '\uE001',
      'x=',
      'f(){ ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
        ),
        (text) => Array.isArray(judgeCommand(text)),
      ),
      { numRuns: 400 },
    );
  });
  test.each([
    ['nested parentheses', '('.repeat(10_000)],
    ['nested substitutions', `${'$('.repeat(5000)}${')'.repeat(5000)}`],
    ['a long line', 'a '.repeat(64_000)],
    ['many commands', 'a;'.repeat(60_000)],
    ['braces', '{a,b}'.repeat(5000)],
    ['doubling', `a=xx;${'a=$a$a;'.repeat(2000)}eval $a`],
    ['growing arrays', 'a+=(x);'.repeat(10_000)],
    ['backticks', '`'.repeat(20_000)],
    ['functions', `${Array.from({ length: 2000 }, (_, i) => `f${i}(){ f${i + 1}; f${i + 1}; }`).join(';')};f0`],
    ['replacing', `a=${'x'.repeat(60_000)}; b=\${a//x/$a}; c=\${b//x/$b}; echo $c`],
    ['foreign code', `perl -e '${'exec STDIN fork '.repeat(4000)}'`],
    ['spaces', `perl -e 'fork${' '.repeat(60_000)}x'`],
  ])('%s end', (_, text) => {
    expect(Array.isArray(judgeCommand(text))).toBe(true);
  });
  test('what is too long or too deep is uncertain, and severe if it could hide something', () => {
    expect(judgeCommand('x'.repeat(200_000))).toMatchObject([{ rule: 'uncertain', severity: 'medium' }]);
    expect(severe(`${'$('.repeat(400)}rm -rf /${')'.repeat(400)}`)).not.toEqual([]);
    expect(severe(`${'echo '.repeat(30_000)}; rm -rf /`)).not.toEqual([]);
  });
  test('brackets are counted before anything is parsed', () => {
    expect(judgeCommand('{'.repeat(100_000))).toMatchObject([{ rule: 'uncertain', message: expect.stringContaining('nested too deep') }]);
  });
  test('what is not shell code, or only known when it runs, is uncertain', () => {
    for (const text of ['if then (', '$CMD -rf x', 'eval "$X"', '. "$F"', 'cat x | sh', '/???/r? x'])
      expect(judgeCommand(text)).toMatchObject([{ rule: 'uncertain', severity: 'medium' }]);
  });
  test('characters that hide or turn text are told', () => {
    expect(judgeCommand('ls \u202Etxt.sh')).toMatchObject([{ rule: 'hidden-text', severity: 'medium' }]);
  });
});
