// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** What would run, as a shell would have it. Texts are only ever analysed here, never run. */
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../../../src/guard/shell/analyse.ts';
import { printable } from '../../../../../src/guard/shell/marks.ts';

const S = String.raw;
/** The commands that would run, without those that only lead to them. */
const runs = (text: string) => analyse(text).commands.map(({ argv }) => printable(argv.join(' ')));
const last = (text: string) => runs(text).at(-1);

describe('a command has the words that a shell would give it', () => {
  test.each<readonly [text: string, command: string]>([
    ['IFS=:; t=a:b:c; $t', 'a b c'],
    ["IFS=,; t='a b'; $t", 'a b'],
    ['bash -c \'IFS=,; echo "$*"\' _ a b', 'echo a,b'],
    ['a=x; export a=y b=$a; echo "$b"', 'echo x'],
    ['a=x b=$a; echo "$b"', 'echo x'],
    ['a=x; f() { local a=y; }; f; echo $a', 'echo x'],
    ['a=x; f() { a=y; }; f; echo $a', 'echo y'],
    ['a=x; (a=y); echo $a', 'echo x'],
    ['a=x; echo y | read a; echo $a', 'echo x'],
    ['declare -l a=YES; echo $a', 'echo yes'],
    ['declare -u a; a=yes; echo $a', 'echo YES'],
    ['readonly a=x; a=y; echo $a', 'echo x'],
    ['a={x,y}; echo "$a"', 'echo {x,y}'],
    ["read a b <<< 'x y z'; echo $b", 'echo y z'],
    ["IFS=: read a b <<< 'x:y'; echo $b", 'echo y'],
    ["mapfile -t a <<< 'x y'; echo ${a[0]}", 'echo x y'],
    ["exec {fd}<<<'x'; mapfile -tu$fd a; echo ${a[0]}", 'echo x'],
    ["printf -v a '%s-%s' x y; echo $a", 'echo x-y'],
    ['unset a; echo ${a-x}', 'echo x'],
    ['unset a; echo ${a:+x}y', 'echo y'],
    ['a=; echo ${a-x}y', 'echo y'],
    ['unset a; echo ${a:=x}; echo $a', 'echo x'],
    ['a=(x y z); echo "${a[@]:1}"', 'echo y z'],
    ['a[1]=y; a[0]=x; echo "${a[@]}"', 'echo x y'],
    ['set -- x y z; shift; echo ${@:2}', 'echo z'],
    ['set x y; echo $2', 'echo y'],
    ['a=xyz; echo ${a:$((3-2))}', 'echo yz'],
    [S`echo $'\x61\u0062'`, 'echo ab'],
    [S`echo $'\UFFFFFFFF'`, 'echo ‹?›'],
    ['export a=x; env -i bash -c \'echo "$a"y\'', 'echo y'],
    ['export a=x; env -u a bash -c \'echo "$a"y\'', 'echo y'],
    ["bash -c 'echo $0 $1' x y", 'echo x y'],
    ['g() { f; }; f() { echo x; }; g', 'echo x'],
    ["alias l='ls -a'; l x", 'ls -a x'],
    ['hash -p /bin/ls l; l x', '/bin/ls x'],
    ['hash -p /bin/ls l; PATH=/bin; l x', 'l x'],
    ['cat > s <<E\necho x\nE\ncd /; cd -; sh s', 'sh s'],
    ["cd /t; echo 'echo x' > s; cd /u; sh ../t/s", 'echo x'],
    ["echo 'echo x' > s; mv s t; sh t", 'echo x'],
    ["echo 'echo x' > s; rm s; sh s", 'sh s'],
  ])('%j', (text, command) => {
    expect(last(text)).toBe(command);
  });
});

test('a pattern that is not closed leaves a doubt, and what stands before it counts', () => {
  for (const text of ['echo x; echo "', 'echo x; cat <<E\nbody', 'echo x; if true; then']) {
    expect(runs(text)).toContain('echo x');
    expect(analyse(text).doubts).not.toEqual([]);
  }
});

test('code that is made to be evaluated is known in its plain form alone', () => {
  for (const text of ['eval "$(ssh-agent -s)"', 'eval `brew shellenv`', '. <(helm completion zsh)'])
    expect(analyse(text).commands.some(({ argv }) => /^(eval|\.)$/.test(argv[0] ?? '') && argv.length > 1)).toBe(false);
  for (const text of [
    'eval "$(ssh-agent -s | cat)"',
    'builtin eval "$(ssh-agent -s)"',
    'eval "$(A=b ssh-agent)"',
    '. <(sudo helm completion zsh)',
  ])
    expect(analyse(text).commands.some(({ argv }) => /^(eval|\.)$/.test(argv[0] ?? '') && argv.length > 1)).toBe(true);
  expect(last('eval "$(cat settings.sh)"')).toBe('source settings.sh');
});

test('text for a command that nobody knows is judged as a guess, for one that reads text it is not', () => {
  const guessed = (text: string) => analyse(text).commands.some((command) => command.guessed);
  expect(guessed("frobnicate <<'E'\ngit reset --hard\nE")).toBe(true);
  expect(guessed("frobnicate <<'E'\nplain words\nE")).toBe(false);
  expect(guessed("cat <<'E'\ngit reset --hard\nE")).toBe(false);
  expect(guessed("'git reset --hard'")).toBe(true);
  expect(guessed('git reset --hard')).toBe(false);
});

test('a startup file is run before the program, and only where a shell would read it', () => {
  const starts = (text: string) => runs(text).includes('. rc');
  expect(
    ['BASH_ENV=rc bash x', 'export BASH_ENV=rc; bash x', 'bash --rcfile rc -i', 'bash --init-file=rc', 'ENV=rc sh -i'].map(starts),
  ).toEqual(Array(5).fill(true));
  expect(['BASH_ENV= bash x', 'BASH_ENV=rc sh x', 'ENV=rc sh x', 'BASH_ENV=rc ls'].map(starts)).toEqual(Array(4).fill(false));
});
