import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandsOf, targetsOf, UNTOLD } from '../../../../src/core/event/facet.ts';

test('every command of a line is a target, substitutions and those behind variables included', () => {
  expect(commandsOf('cd x && FOO="a b" git push; echo "$(id)" | tee `date`')).toEqual(
    expect.arrayContaining(['cd x', 'git push', 'id', 'tee', 'date']),
  );
});

test('what single quotes hold is no command, unless the line can not be told apart', () => {
  expect(commandsOf("echo 'a; git push'")).not.toContain('git push');
  expect(commandsOf("cat <<X 'a; git push'")).toContain('git push');
  expect(commandsOf("echo 'a; git push")).toContain('git push');
});

test('a line that can not be told apart has one target more, which no command is', () => {
  const untold = (line: string) => commandsOf(line).includes(UNTOLD);
  for (const line of [
    'cat <<E',
    'f() { id; }',
    '{ id; }',
    'bash <(id)',
    'echo "$(id)"',
    'echo `id`',
    'echo "$X"',
    'echo a{b,c}',
    'case x in x) id;; esac',
    '(id) &',
    "echo 'x",
  ])
    expect([line, untold(line)]).toEqual([line, true]);
  for (const line of [
    'id',
    'a && b | c; (d)',
    "echo '$(id) `'",
    "echo '{a,b} $X'",

    'echo $((1+1))',
    'x > y 2>&1 &',
    'if a; then b; fi',
  ])
    expect([line, untold(line)]).toEqual([line, false]);
});

test('a command is bare without what the shell reads before it and after it', () => {
  expect(commandsOf('if ! A=1 git  push >x 2>&1; then true; fi')).toEqual(expect.arrayContaining(['git push', 'true', 'fi']));
});

test('paths and addresses are targets, and other input has none', () => {
  expect(targetsOf({ file_path: '/a' })).toEqual(['/a']);
  expect(targetsOf({ url: 'https://u@example.com:8/x' })).toContain('domain:example.com');
  expect(targetsOf({ command: ['bash', '-lc', 'git push'] })).toContain('bash -lc git push');
  expect([targetsOf({ n: 1 }), targetsOf('x'), targetsOf(undefined)]).toEqual([undefined, undefined, undefined]);
});

test('the whole line is always a target, whatever stands in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => {
      const found = commandsOf(line);
      expect(line.trim() === '' ? found.length === 0 : found.includes(line.trim())).toBe(true);
    }),
  );
});
