/** Functions that run programs or delete files in languages without a reader of their own. */
import { describe, expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const decide = (text: string) => guardCommand(text, { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' }).decision;

describe('a function that runs or deletes is found', () => {
  test.each([
    `kotlinc -script <(echo 'Runtime.getRuntime().exec("rm -rf TARGET")')`,
    `nim --eval:'import os; discard execShellCmd("rm -rf TARGET")'`,
    `raku -e 'run <rm -rf TARGET>'`,
    `raku -e 'shell "rm -rf TARGET"'`,
    `octave --eval 'confirm_recursive_rmdir(0); rmdir("TARGET","s")'`,
    `gforth -e 's" rm -rf TARGET" system bye'`,
    `swipl -g "shell('rm -rf TARGET')" -t halt`,
    `maxima --batch-string='system("rm -rf TARGET");'`,
    "m4 <<EOF\nsyscmd(`rm -rf TARGET')\nEOF".replace('EOF', "'EOF'"),
    `sbcl --non-interactive --eval '(uiop:delete-directory-tree #p"TARGET/" :validate t)'`,
    `crystal eval 'Process.run("rm", ["-rf", "TARGET"])'`,
    `echo 'new File("TARGET").deleteDir()' | groovysh`,
    `scala-cli -e 'os.remove.all(os.Path("TARGET"))'`,
    `zsh -c '=rm -rf TARGET'`,
    `matlab -batch 'system("rm -rf TARGET")'`,
    `echo 'exec { commandLine "rm", "-rf", "TARGET" }' > build.gradle && gradle build`,
  ])('%s', (text) => {
    for (const target of ['/home/ada', '/etc']) expect([text, decide(text.replace('TARGET', target))]).not.toEqual([text, 'none']);
    expect([text, decide(text.replace('TARGET', 'build'))]).toEqual([text, 'none']);
  });
  test('with the home as the language reads it from the environment', () => {
    for (const home of ['(getenv "HOME")', '(sb-posix:getenv "HOME")'])
      expect(decide(`guile -c '(system* "rm" "-rf" ${home})'`)).not.toBe('none');
    expect(decide(`guile -c '(system* "ls" "-la" (getenv "HOME"))'`)).toBe('none');
  });
});
