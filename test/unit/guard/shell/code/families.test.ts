// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are code of other languages
/**
 * Deletions and commands inside code, as families: each way to reach a function × each function × each target. The tests make the code. It
 * is only ever read, never run.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';
import { actionsOf } from '../../../../../src/guard/shell/code/index.ts';

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const decide = (text: string) => guardCommand(text, { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' }).decision;

interface Language {
  readonly run: (code: string) => string;
  /** Ways to delete a folder. `TARGET` is the target. */
  readonly sinks: readonly string[];
  /** Expressions for the home. */
  readonly homes: readonly string[];
  /** Ways to write a statement. `S` is the statement. */
  readonly around: readonly string[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  python: {
    run: (code) => `python3 -c ${quote(code)}`,
    sinks: [
      'import shutil as s\ns.rmtree(TARGET)',
      'from shutil import rmtree as gone\ngone(TARGET)',
      'f = getattr(__import__("shutil"), "rm" + "tree")\nf(TARGET)',
      'import os\nfor r, d, f in os.walk(TARGET):\n  for x in f: os.unlink(os.path.join(r, x))',
      'import pathlib\nfor p in pathlib.Path(TARGET).rglob("*"): p.unlink()',
      'import os\n[os.remove(os.path.join(TARGET, x)) for x in os.listdir(TARGET)]',
      'import subprocess as q\nq.call(["rm", "-r", "-f", TARGET])',
      'import threading, shutil\nthreading.Thread(target=shutil.rmtree, args=(TARGET,)).start()',
      'import shutil\nlist(map(shutil.rmtree, [TARGET]))',
    ],
    homes: [
      '"/home/ada"',
      'os.path.expanduser("~")',
      'os.environ["HOME"]',
      'os.getenv("HOME")',
      'pathlib.Path.home()',
      'pwd.getpwuid(os.getuid()).pw_dir',
    ],
    around: [
      'import os, pathlib, pwd\nS',
      'import os, pathlib, pwd\nif True:\n  pass\nS',
      'import os, pathlib, pwd\nx = 1; y = [2, 3]\nS\nprint(x)',
    ],
  },
  javascript: {
    run: (code) => `node -e ${quote(code)}`,
    sinks: [
      'require("fs").rmSync(TARGET, { recursive: true, force: true })',
      'const { rmSync: gone } = require("node:fs"); gone(TARGET, { recursive: true })',
      'const f = require("fs"); f["rm" + "Sync"](TARGET, { recursive: true })',
      'import("fs").then((m) => m.rmSync(TARGET, { recursive: true }))',
      'const g = require("fs"); for (const n of g.readdirSync(TARGET)) g.rmSync(TARGET + "/" + n, { recursive: true })',
      'const { execFileSync } = require("child_process"); execFileSync("rm", ["-rf", TARGET])',
      'const c = require("child_process"); const run = c.spawnSync; run("rm", ["-r", "-f", TARGET])',
      "(0, eval)(\"require('fs').rmSync('/home/ada', { recursive: true })\")",
    ],
    homes: ['"/home/ada"', 'require("os").homedir()', 'process.env.HOME', 'process.env["HOME"]'],
    around: ['S', 'const a = 1;\nS;\nconsole.log(a)', '(() => { S })()', 'try { S } catch {}'],
  },
  ruby: {
    run: (code) => `ruby -rfileutils -e ${quote(code)}`,
    sinks: [
      'FileUtils.rm_rf(TARGET)',
      'FileUtils.rm_r TARGET',
      'Dir.children(TARGET).each { |n| FileUtils.rm_r(File.join(TARGET, n)) }',
      'Dir.glob(TARGET + "/*").each do |f|\n  File.delete(f)\nend',
      'system("rm", "-rf", TARGET)',
      'Kernel.send(:system, "rm", "-rf", TARGET)',
    ],
    homes: ['"/home/ada"', 'Dir.home', 'ENV["HOME"]', 'ENV.fetch("HOME")', 'File.expand_path("~")'],
    around: ['S', 'x = 1\nS\nputs x', 'begin\nS\nrescue\nend'],
  },
  perl: {
    run: (code) => `perl -MFile::Path -MFile::Find -e ${quote(code)}`,
    sinks: [
      'rmtree(TARGET)',
      'remove_tree(TARGET, {})',
      'system("rm", "-rf", TARGET)',
      'exec "rm", "-rf", TARGET',
      'finddepth(sub { unlink $_ }, TARGET)',
      'unlink glob(TARGET . "/*")',
    ],
    homes: ['"/home/ada"', '$ENV{HOME}', '"$ENV{HOME}"', '(getpwuid($<))[7]'],
    around: ['S;', 'my $x = 1; S; print $x;'],
  },
  php: {
    run: (code) => `php -r ${quote(code)}`,
    sinks: [
      'array_map("unlink", glob(TARGET . "/*"));',
      'foreach (glob(TARGET . "/*") as $f) unlink($f);',
      'system("rm -rf " . TARGET);',
      '$f = "sys" . "tem"; $f("rm -rf " . TARGET);',
    ],
    homes: ['"/home/ada"', 'getenv("HOME")', '$_SERVER["HOME"]'],
    around: ['S', '$x = 1; S echo $x;'],
  },
};

describe.each(Object.entries(LANGUAGES))('a home that %s code deletes', (_, { run, sinks, homes, around }) => {
  const cases = sinks.flatMap((sink) => homes.map((home) => ({ sink, home })));
  test.each(cases)('is stopped: $sink of $home', ({ sink, home }) => {
    for (const way of around) {
      const code = way.replace('S', () => sink.replaceAll('TARGET', () => home));
      expect([code, decide(run(code))]).not.toEqual([code, 'none']);
    }
  });
  test('is stopped in a here-document and in a written file as well', () => {
    for (const sink of sinks) {
      const [name = ''] = run('').split(' ');
      const code = (around[0] ?? 'S').replace('S', () => sink.replaceAll('TARGET', () => homes[0] ?? ''));
      const text = name === 'php' ? `<?php ${code}` : code;
      expect([code, decide(`${name} <<'END_OF_IT'\n${text}\nEND_OF_IT\n`)]).not.toEqual([code, 'none']);
      expect([code, decide(`cat > job <<'END_OF_IT'\n${text}\nEND_OF_IT\n${name} job`)]).not.toEqual([code, 'none']);
    }
  });
  test('is not stopped if it is a folder of the build', () => {
    for (const sink of sinks.filter((one) => !one.includes('/home/ada'))) {
      const code = (around[0] ?? 'S').replace('S', () => sink.replaceAll('TARGET', '"build/cache"'));
      expect([code, decide(run(code))]).toEqual([code, 'none']);
    }
  });
});

test.each([
  ['python3', 'import os\nfor r, d, f in os.walk("."):\n  for x in f:\n    if x.endswith(".pyc"): os.remove(os.path.join(r, x))'],
  ['node', 'const re = /rm -rf/; console.log(re.exec("rm -rf /"))'],
  ['python3', 'cursor.execute("select * from orders")'],
  ['node', 'const path = "/home/ada"; console.log("rm -rf " + path)'],
  ['ruby', 'puts "rm -rf #{Dir.home}"'],
])('harmless code is not stopped: %s %s', (name, code) =>
  expect([code, decide(`${name} -e ${quote(code)}`.replace('python3 -e', 'python3 -c'))]).toEqual([code, 'none']),
);

test('code on a command line above 16 KB is asked about', () => {
  expect(decide(`python3 -c ${quote(`x = 1\n${'x = x\n'.repeat(4000)}`)}`)).not.toBe('none');
  expect(decide(`python3 -c ${quote('x = 1\n'.repeat(20))}`)).toBe('none');
});

describe('any code', { timeout: 120_000 }, () => {
  const PIECES =
    '( ) [ ] { } , ; : . = => -> :: + % / | " \' ` $ @ # ${ #{ f"{x}" import from as def function sub lambda for in of if do end os system rmtree require unlink $_ $ENV{HOME} a b x| \\ \n'.split(
      ' ',
    );
  const code = fc.array(fc.constantFrom(...PIECES, '\n', ' ', '"rm -r x"'), { maxLength: 90 }).map((parts) => parts.join(' '));
  const name = fc.constantFrom('python3', 'node', 'ruby', 'perl', 'php', 'lua', 'groovy', 'elixir', 'go');
  test('is read without an error, and twice alike', () => {
    fc.assert(
      fc.property(code, name, (text, by) => {
        const read = () => actionsOf(text, by, { file: () => undefined, stdin: '' });
        expect(read()).toEqual(read());
      }),
      { numRuns: 600 },
    );
  });
  test.each(['(', 'f(', 'f([{', 'x => ', '{|x| ', '"a"+', 'a.b(', 'for x in ', 'lambda x: ', '#{', 'sub{', 'def f(x):\n '])(
    '%s again and again ends',
    (part) => {
      for (const by of ['python3', 'node', 'ruby', 'perl'])
        expect(Array.isArray(actionsOf(part.repeat(Math.floor(16_000 / part.length)), by, { file: () => undefined, stdin: '' }))).toBe(
          true,
        );
    },
  );
});
