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
    `echo 'Files.walk(Path.of("TARGET")).forEach(p -> p.toFile().delete());' | jshell -`,
    `Rscript -e 'fs::dir_delete("TARGET")'`,
    `groovy -e 'new AntBuilder().delete(dir: "TARGET")'`,
    `scala-cli -e 'os.remove.all(os.Path("TARGET"))'`,
    `zsh -c '=rm -rf TARGET'`,
    `matlab -batch 'system("rm -rf TARGET")'`,
    `echo 'exec { commandLine "rm", "-rf", "TARGET" }' > build.gradle && gradle build`,
  ])('%s', (text) => {
    for (const target of ['/home/ada', '/etc']) expect([text, decide(text.replace('TARGET', target))]).not.toEqual([text, 'none']);
    expect([text, decide(text.replace('TARGET', 'build'))]).toEqual([text, 'none']);
  });
  test('unless it deletes only in the current folder, whatever else the code knows', () => {
    const main = (body: string) => `cat > main.go <<'E'\nfunc main() { home, _ := os.UserHomeDir(); ${body} }\nE\ngo run main.go`;
    expect(decide(main('fmt.Println(home); os.RemoveAll("build/cache")'))).toBe('none');
    for (const body of [
      'filepath.Walk(os.Getenv("HOME"), func(p string) error { return os.Remove(p) })',
      'os.RemoveAll(home)',
      'os.RemoveAll("build"); os.RemoveAll(home)',
      'os.Chdir(home); os.RemoveAll("Documents")',
    ])
      expect([body, decide(main(body))]).not.toEqual([body, 'none']);
  });
  test('in the commands of an editor', () => {
    for (const code of ['call delete(expand("~"), "rf")', 'call delete($HOME, "rf")', 'lua vim.fn.delete(vim.env.HOME, "rf")'])
      expect([code, decide(`nvim -es -c '${code}' -c q`)]).not.toEqual([code, 'none']);
    for (const code of ['call delete("build", "rf")', 'call delete("a.txt")', 'g/delete(/p'])
      expect([code, decide(`vim -es -c '${code}' -c q`)]).toEqual([code, 'none']);
  });
  test('with the home as the language reads it from the environment', () => {
    for (const home of ['(getenv "HOME")', '(sb-posix:getenv "HOME")'])
      expect(decide(`guile -c '(system* "rm" "-rf" ${home})'`)).not.toBe('none');
    expect(decide(`guile -c '(system* "ls" "-la" (getenv "HOME"))'`)).toBe('none');
  });
});
