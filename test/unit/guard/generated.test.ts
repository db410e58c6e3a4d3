// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/**
 * Harmful commands as families: each sink × each way of writing × each wrapper × each carrier. The tests make the texts, in the shell and in
 * every language that the guard reads. The same frames around harmless commands are not stopped. The texts are only ever judged, never run.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardCommand } from '../../../src/guard/guard.ts';

const folders = { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' };
const decide = (text: string) => guardCommand(text, folders).decision;
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** A text in double quotes of most languages. */
const literal = (text: string) => JSON.stringify(text);

type Frame = (command: string) => string;
type Frames = Readonly<Record<string, Frame>>;

const SINKS = ['rm -rf ~', 'rm -r -f /home/ada', 'find ~ -delete', 'dd if=/dev/zero of=/dev/sda', 'mkfs.ext4 /dev/sda1', 'chmod -R 777 /'];
const HARMLESS = ['ls -l src', 'npm test', 'git status', 'rm -rf dist'];

/** Ways of writing one command that mean the same to a shell. */
const WRITTEN: Frames = {
  plainly: (t) => t,
  'with quotes in a word': (t) => t.replace(/^(\w)(\w+)/, "$1''$2"),
  'with a backslash': (t) => t.replace(/^(\w)/, '\\$1'),
  'with a path': (t) => `/usr/bin/${t}`,
  'from a variable': (t) => `c=${quote(t)}; eval "$c"`,
  'from a nameref': (t) => `declare -n r=c; c=${quote(t)}; eval "$r"`,
  'from an array': (t) => `a=(${t}); "\${a[@]}"`,
  'by the arguments': (t) => `set -- ${t}; "$@"`,
  'from base64': (t) => `echo ${Buffer.from(t).toString('base64')} | base64 -d | sh`,
  'from octal numbers': (t) =>
    `$(printf ${quote([...t].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join(''))})`.replace(/^/, 'eval '),
  'as an alias on a line before': (t) => `shopt -s expand_aliases\nalias go=${quote(t)}\ngo`,
  'as a function': (t) => `go() { ${t}; }; go`,
  'in a here-document': (t) => `bash <<'END_OF_IT'\n${t}\nEND_OF_IT`,
  'in a here-string': (t) => `sh <<< ${quote(t)}`,
  'in a subscript': (t) => `[[ ${quote(`a[$(${t})]`)} -eq 0 ]]`,
  'in a variable that a calculation names': (t) => `a=${quote(`x[$(${t})]`)}; echo $((a + 1))`,
  'in a variable that `let` names': (t) => `a=${quote(`x[$(${t})]`)}; let b=a`,
  'in a variable that is declared a number': (t) => `a=${quote(`x[$(${t})]`)}; declare -i b=a`,
  'in a variable that is a place in a text': (t) => `a=${quote(`x[$(${t})]`)}; echo "\${s:a}" "\${l[a]}"`,
  'in a variable of a counting loop': (t) => `a=${quote(`x[$(${t})]`)}; for ((i = a; i < 1; i++)); do :; done`,
  'in a substitution': (t) => `echo "$(${t})"`,
  'to a descriptor': (t) => `exec 3> >(sh); echo ${quote(t)} >&3`,
  'into a script': (t) => `echo ${quote(t)} > go.sh && sh go.sh`,
  'into a script by sed': (t) => `sed -i ${quote(`1i ${t}`)} go.sh && bash go.sh`,
  'into an exported function': (t) => `env ${quote(`BASH_FUNC_go%%=() { ${t}; }`)} bash -c go`,
};
const WRAPPERS: Frames = {
  'bash -c': (t) => `bash -c ${quote(t)}`,
  eval: (t) => `eval ${quote(t)}`,
  'sudo sh -c': (t) => `sudo -n sh -c ${quote(t)}`,
  'env -i': (t) => `env -i A=b sh -c ${quote(t)}`,
  'timeout and nice': (t) => `timeout 9 nice -n 3 bash -c ${quote(t)}`,
  xargs: (t) => `echo ${quote(t)} | xargs -I{} sh -c {}`,
  'find -exec': (t) => `find . -maxdepth 0 -exec sh -c ${quote(t)} \\;`,
  'a subshell in the background': (t) => `( ${t} ) &`,
  'a condition': (t) => `if true; then ${t}; fi`,
  'a loop': (t) => `for i in 1; do ${t}; done`,
  'a trap': (t) => `trap ${quote(t)} EXIT`,
  'the output of strace': (t) => `strace -o ${quote(`|${t}`)} ls`,
  tmux: (t) => `tmux new-session -d ${quote(t)}`,
  busybox: (t) => `busybox sh -c ${quote(t)}`,
};
const CARRIERS: Frames = {
  'an alias of git': (t) => `git -c ${quote(`alias.go=!${t}`)} go`,
  'rebase of git': (t) => `git rebase -x ${quote(t)} HEAD~2`,
  make: (t) => `printf 'all:\\n\\t%s\\n' ${quote(t)} > Makefile && make`,
  tar: (t) => `tar cf a.tar . --checkpoint=1 --checkpoint-action=exec=${quote(t)}`,
  ssh: (t) => `ssh -o ${quote(`ProxyCommand=${t}`)} host.invalid`,
  'a pager': (t) => `PAGER=${quote(t)} man ls`,
  'the script of a package': (t) => `echo ${quote(JSON.stringify({ scripts: { go: t } }))} > package.json && npm run go`,
  vim: (t) => `vim -es -c ${quote(`!${t}`)} -c q`,
};
/** A command that code runs, in each language: several ways to reach the function. */
const CODE: Frames = {
  'python os.system': (t) => `python3 -c ${quote(`import os as o; o.system(${literal(t)})`)}`,
  'python subprocess': (t) => `python3 -c ${quote(`from subprocess import run as r; r(${literal(t)}, shell=True)`)}`,
  'python getattr': (t) => `python3 -c ${quote(`f = getattr(__import__("os"), "sys" + "tem"); f(${literal(t)})`)}`,
  'python in a here-document': (t) => `python3 - <<'END_OF_IT'\nimport os\nfor c in [${literal(t)}]:\n    os.system(c)\nEND_OF_IT`,
  'javascript execSync': (t) => `node -e ${quote(`require("child_process").execSync(${literal(t)})`)}`,
  'javascript destructured': (t) => `node -e ${quote(`const { exec: go } = require("node:child_process"); go(${literal(t)})`)}`,
  'javascript import': (t) => `node --input-type=module -e ${quote(`import { execSync as x } from "child_process"; x(${literal(t)})`)}`,
  'ruby system': (t) => `ruby -e ${quote(`system(${literal(t)})`)}`,
  'ruby send': (t) => `ruby -e ${quote(`Kernel.send(:system, ${literal(t)})`)}`,
  'perl system': (t) => `perl -e ${quote(`my $c = ${literal(t)}; system($c)`)}`,
  'perl join': (t) => `perl -e ${quote(`my $c = join " ", ${t.split(' ').map(literal).join(', ')}; system $c`)}`,
  'php function in a variable': (t) => `php -r ${quote(`$f = "sys"."tem"; $f(${literal(t)});`)}`,
  'awk system': (t) => `awk ${quote(`BEGIN { system(${literal(t)}) }`)}`,
  'awk into a shell': (t) => `awk ${quote(`BEGIN { print ${literal(t)} | "sh" }`)}`,
  lua: (t) => `lua -e ${quote(`os.execute(${literal(t)})`)}`,
  R: (t) => `Rscript -e ${quote(`system(${literal(t)})`)}`,
  lisp: (t) => `sbcl --non-interactive --eval ${quote(`(uiop:run-program ${literal(t)})`)}`,
  haskell: (t) => `ghc -e ${quote(`System.Process.callCommand ${literal(t)}`)}`,
  clojure: (t) => `clojure -M -e ${quote(`(clojure.java.shell/sh "sh" "-c" ${literal(t)})`)}`,
  erlang: (t) => `erl -noshell -eval ${quote(`os:cmd(${literal(t)}).`)}`,
  'emacs in batch mode': (t) => `emacs --batch --eval ${quote(`(shell-command ${literal(t)})`)}`,
};
const stops = (text: string) => expect([text, decide(text)]).not.toEqual([text, 'none']);
const passes = (text: string) => expect([text, decide(text)]).toEqual([text, 'none']);

describe.each(Object.entries({ ...WRITTEN, ...WRAPPERS, ...CARRIERS, ...CODE }))('%s', (_, frame) => {
  test.each(SINKS)('does not hide %s', (sink) => stops(frame(sink)));
});

/** Frames that the guard asks about whatever they run: a program in an option of git or ssh, rights of the administrator, words from a pipe. */
const ASKED = /git|ssh|pager|tar$|vim|sudo|xargs/;

describe.each(Object.entries({ ...WRAPPERS, ...CARRIERS, ...CODE }).filter(([name]) => !ASKED.test(name)))(
  '%s with a harmless command',
  (_, frame) => {
    test.each(HARMLESS)('is not stopped: %s', (command) => passes(frame(command)));
  },
);

test('any frame inside any wrapper inside any carrier does not hide a sink', () => {
  const pick = (frames: Frames) => fc.constantFrom(...Object.values(frames));
  const inner = fc.oneof(pick(WRITTEN), pick(CODE));
  const outer = fc.oneof(pick(WRAPPERS), pick(CARRIERS));
  fc.assert(
    fc.property(fc.constantFrom(...SINKS), inner, pick(WRAPPERS), outer, (sink, write, wrap, carry) => {
      // A carrier takes one line.
      const text = wrap(write(sink));
      stops(text);
      if (!text.includes('\n')) stops(carry(text));
    }),
    { numRuns: 400, seed: 7 },
  );
});

const WINDOWS_FOLDERS = ['C:\\', 'C:\\Users\\ada', '$HOME', '$env:USERPROFILE', 'C:\\Windows'];
const POWERSHELL: Frames = {
  'Remove-Item': (path) => `Remove-Item -Recurse -Force ${path}`,
  'an alias': (path) => `ri ${path} -r -fo`,
  'a pipeline': (path) => `Get-ChildItem ${path} -Recurse | Remove-Item -Force -Recurse`,
  'a loop': (path) => `Get-ChildItem ${path} | ForEach-Object { Remove-Item -Recurse -Force $_.FullName }`,
  'a method of .NET': (path) => `[System.IO.Directory]::Delete("${path}", $true)`,
  'Invoke-Expression': (path) => `Invoke-Expression 'Remove-Item -Recurse -Force ${path}'`,
};
const POWERSHELLS: Frames = {
  'powershell -Command': (t) => `powershell -NoProfile -Command ${quote(t)}`,
  'pwsh -c': (t) => `pwsh -c ${quote(t)}`,
  'pwsh from standard input': (t) => `pwsh -Command - <<'END_OF_IT'\n${t}\nEND_OF_IT`,
  '-EncodedCommand': (t) => `powershell -EncodedCommand ${Buffer.from(t, 'utf16le').toString('base64')}`,
};

describe.each(Object.entries(POWERSHELLS))('%s', (_, start) => {
  describe.each(Object.entries(POWERSHELL))('%s', (__, written) => {
    test.each(WINDOWS_FOLDERS)('does not hide the deletion of %s', (path) => stops(start(written(path))));
  });
});

test.each(['C:\\', 'C:\\Users', '%USERPROFILE%', 'C:\\Windows'])('cmd does not hide the deletion of %s', (path) => {
  for (const written of [`rd /s /q ${path}`, `rmdir /s /q ${path}`, `del /f /s /q ${path}`])
    for (const start of [`cmd /c ${quote(written)}`, `cmd.exe /C ${quote(`echo x && ${written}`)}`]) stops(start);
});

test.each(['Remove-Item "a', 'if ($x) { Get-Item a', 'foo )', "Write-Host 'x"])(
  'PowerShell that cannot be parsed is asked about: %s',
  (code) => {
    stops(`pwsh -c ${quote(code)}`);
  },
);

test('any program in any language is judged without an error', () => {
  const names = [
    'python3 -c',
    'node -e',
    'ruby -e',
    'perl -e',
    'php -r',
    'awk',
    'lua -e',
    'pwsh -c',
    'cmd /c',
    'sbcl --eval',
    'Rscript -e',
    'sed',
    'fd . -x',
  ];
  const piece = fc.oneof(
    fc.constantFrom(
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '`',
      '$',
      '=>',
      'for x in y',
      'def f(a):',
      '\n',
      ';',
      '|',
      '\\',
      '$_',
      '..',
      'require',
      'rm',
    ),
    fc.string({ maxLength: 12, unit: 'binary' }),
  );
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' '));
  fc.assert(
    fc.property(fc.constantFrom(...names), text, (name, code) => {
      expect(['deny', 'ask', 'none']).toContain(decide(`${name} ${quote(code)}`));
    }),
    { numRuns: 600 },
  );
});

test.each(['a|', 'cat x | ', 'cat <<E\nx\nE\n', 'f(){ a; }; ', '$(a) ', 'declare -n a=b; ', '~- '])(
  '120 KB of %j are bounded by steps, and asked about',
  (part) => {
    const verdict = guardCommand(`${part.repeat(Math.ceil((120 * 1024) / part.length))}a`, folders);
    expect({ decision: verdict.decision, complete: verdict.complete }).toEqual({ decision: 'ask', complete: false });
  },
);
