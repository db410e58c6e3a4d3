// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are code of other languages
/** Code is only ever searched here, never run. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deletedPaths, readPaths, shellTexts } from '../../../../../src/guard/shell/foreign/index.ts';

describe('the shell commands that code runs', () => {
  test.each([
    ['python3', "import os; os.system('ls -l')", 'ls -l'],
    ['python3', "import subprocess; subprocess.run(['rm', '-r', 'a b'], check=True)", "'rm' '-r' 'a b'"],
    ['python3', "from subprocess import run\nrun('date', shell=True)", 'date'],
    ['python3', "c = 'da' + 'te'\nimport os\nos.popen(c)", 'date'],
    ['python3', 'exec("import os; os.system(\'date\')")', 'date'],
    ['python3', "import base64, os; os.system(base64.b64decode('ZGF0ZQ==').decode())", 'date'],
    ['python3', "x = 1 # don't\nimport os\nos.system('date')", 'date'],
    ['node', "const { spawnSync } = require('child_process'); spawnSync('rm', ['-r', 'x'], { stdio: 'inherit' })", "'rm' '-r' 'x'"],
    ['node', 'const c = "date"; require("child_process").execSync(c)', 'date'],
    ['node', "const d = 'x'; require('child_process').execSync(`ls ${d}`)", 'ls x'],
    ['ruby', 'system "rm", "-r", "x"', "'rm' '-r' 'x'"],
    ['ruby', 'puts `date`', 'date'],
    ['expect', 'spawn bash; send "date\\r"; interact', 'date\n'],
    ['perl', 'my $c = "da" . "te"; system($c)', 'date'],
    ['perl', 'print qx(date)', 'date'],
    ['php', "shell_exec('date');", 'date'],
    ['lua', "os.execute('date')", 'date'],
    ['awk', 'BEGIN { "date" | getline d }', 'date'],
    ['osascript', 'do shell script "date"', 'date'],
  ])('%s: %s', (name, code, text) => expect(shellTexts(code, name)).toContain(text));

  test.each([
    ['node', 'console.log("execSync(\\"date\\")")'],
    ['node', 'const a = `date`; console.log(a)'],
    ['python3', 'print("os.system(\'date\')")'],
    ['python3', "# os.system('date')\nprint(1)"],
    ['node', "// execSync('date')\nlet a"],
  ])('a text about a call is none: %s %s', (name, code) => expect(shellTexts(code, name)).toEqual([]));

  test('of a text that is only partly known the rest is marked', () => {
    expect(shellTexts("import os; os.system('rm -r ' + path)", 'python3')).toEqual(['rm -r \uE000']);
  });
});

describe('the files that code reads', () => {
  test.each([
    ['python3', "open('a.txt')", 'a.txt'],
    ['python3', "from pathlib import Path; (Path.home() / '.x' / 'y').read_text()", '~/.x/y'],
    ['python3', "f = 'x'; open(f'{f}.txt')", 'x.txt'],
    ['python3', "import os; open(os.path.join(os.path.expanduser('~'), 'a'))", '~/a'],
    ['node', "require('fs').readFileSync('a.txt', 'utf8')", 'a.txt'],
    ['bun', "const read = Bun.file; const p = 'a.txt'; read(p)", 'a.txt'],
    ['node', "const p = ['a', 'txt'].join('.'); fs.readFile(p, cb)", 'a.txt'],
    ['node', "fs.readFileSync(Buffer.from('YS50eHQ=', 'base64').toString())", '\uE002a.txt'],
    ['ruby', "File.read('a.txt')", 'a.txt'],
    ['perl', 'open F, "<a.txt"; print <F>', 'a.txt'],
    ['perl', 'open(my $f, "<", "a.txt")', 'a.txt'],
    ['php', "echo file_get_contents('a.txt');", 'a.txt'],
    ['lua', "io.open('a.txt', 'r')", 'a.txt'],
    ['tclsh', 'puts [read [open a.txt]]', 'a.txt'],
    ['pwsh', 'Get-Content -Path a.txt', 'a.txt'],
    ['awk', 'BEGIN { while ((getline l < "a.txt") > 0) print l }', 'a.txt'],
  ])('%s: %s', (name, code, path) => expect(readPaths(code, name)).toContain(path));

  test.each([
    ['python3', "open('a.txt', 'w').write('x')"],
    ['perl', 'open(F, ">", "a.txt")'],
    ['node', "fs.writeFileSync('a.txt', 'x')"],
    ['node', "fs.existsSync('a.txt')"],
    ['node', 'console.log("readFileSync(\'a.txt\')")'],
    ['node', "const p = 'a.txt'; console.log(p)"],
  ])('what is written, looked for or printed is not read: %s %s', (name, code) => expect(readPaths(code, name)).not.toContain('a.txt'));
});

test('folders that are deleted are told', () => {
  expect(deletedPaths("import shutil; shutil.rmtree('/srv')", 'python3')).toEqual(['/srv']);
  expect(deletedPaths("require('fs').rmSync('/srv', { recursive: true })", 'node')).toEqual(['/srv']);
  expect(deletedPaths('FileUtils.rm_rf("/srv")', 'ruby')).toEqual(['/srv']);
});

describe('any code', { timeout: 60_000 }, () => {
  test('is searched without an error', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '[',
      '"',
      "'",
      '`',
      '.',
      '+',
      '=',
      ',',
      'open',
      'exec',
      'a',
      '$b',
      '\\',
      '#',
      '/',
      '{',
      '\n',
      'q(',
      '%x{',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), fc.constantFrom('node', 'python3', 'perl', 'ruby', 'php', ''), (parts, name) => {
        const code = parts.join('');
        return Array.isArray(shellTexts(code, name)) && Array.isArray(readPaths(code, name)) && Array.isArray(deletedPaths(code, name));
      }),
      { numRuns: 500 },
    );
  });
  test.each(['(', 'f(', 'f([{', 'x="a"+', "'", '`', 'open("a",', '/a', 'a.b(', 'q(', '"a"+('])('%s again and again ends', (part) => {
    const code = part.repeat(Math.floor(100_000 / part.length));
    const start = performance.now();
    for (const name of ['node', 'perl']) {
      shellTexts(code, name);
      readPaths(code, name);
    }
    // Work that grows with the square of the length would take minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
