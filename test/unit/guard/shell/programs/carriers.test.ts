/** The commands that are built out of input. Texts are only ever analysed here, never run. */
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../../../src/guard/shell/analyse.ts';
import { printable } from '../../../../../src/guard/shell/marks.ts';

const runs = (text: string) => analyse(text).commands.map(({ argv }) => printable(argv.join(' ')));

describe('a command is built out of input', () => {
  test.each<readonly [text: string, command: string]>([
    ['echo a b | xargs -n 1 -P4 ls -l', 'ls -l a b'],
    ['echo a | xargs -I {} ls {}/x', 'ls a/x'],
    ['echo a | xargs -I% ls %', 'ls a'],
    ['echo a | xargs -i ls {}', 'ls a'],
    ['echo a | xargs --replace=X ls X', 'ls a'],
    ["printf 'a b\\nc' | xargs -d '\\n' ls", 'ls a b c'],
    ['xargs ls <<< a', 'ls a'],
    ['echo a > list; xargs -a list ls', 'ls a'],
    ['xargs -0 --arg-file=list ls', 'ls ‹?›'],
    ["printf 'ls x\\n' | xargs sh -c 'eval \"$1\"' _", 'ls x'],
    ['parallel ls {} ::: a', 'ls a'],
    ['parallel -j 4 ls {2}-{1} ::: a ::: b', 'ls b-a'],
    ['parallel ls -l ::: a', 'ls -l a'],
    ["parallel 'ls {.}' ::: a", 'ls a'],
    ["parallel ::: 'ls a'", 'ls a'],
    ['echo ls a | parallel', 'ls a'],
    ['parallel --dry-run echo \'{= system("ls a") =}\' ::: x', 'ls a'],
    ['find x -name y -exec ls {} \\;', 'ls x/‹?›/‹?›'],
    ['find . -exec ls a \\; -ok cat b \\;', 'cat b'],
  ])('%j', (text, command) => {
    expect(runs(text)).toContain(command);
  });
});

test('with nothing to work on nothing is run', () => {
  for (const text of ["printf '' | xargs -r ls", "printf '' | xargs -I{} ls {}", 'parallel --dry-run ls ::: a', 'parallel --version'])
    expect(runs(text).some((command) => command.startsWith('ls'))).toBe(false);
});

test('words that belong to a test of find are no actions', () => {
  for (const text of ['find . -fprintf out -exec', 'find . -name -exec', 'find . -newer -ok -print']) expect(runs(text)).toHaveLength(1);
});

test('an action of find that does not end is a guess', () => {
  const [, inner] = analyse('find . -exec ls {}').commands;
  expect(inner).toMatchObject({ name: 'ls', guessed: true });
});

test('more commands than can be looked at leave a doubt', () => {
  const row = Array.from({ length: 40 }, (_, i) => `x${i}`).join(' ');
  expect(analyse(`parallel ls ::: ${row} ::: ${row}`).doubts).toMatchObject([{ limit: true }]);
  expect(analyse(`parallel ls ::: ${row}`).doubts).toEqual([]);
});
