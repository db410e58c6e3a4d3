/** The laws of command hooks, on real processes: what they see, what comes back, and what is a fault. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../../src/core/contracts/handler.ts';
import { NOT_NESTED } from '../../../../src/core/contracts/nesting.ts';
import type { Ask } from '../../../../src/core/meaning/profile.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { handler } from './way.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookline-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Command = Ask['command'];
interface Options extends Partial<Omit<Call, 'ask' | 'hook'>> {
  readonly command?: Partial<Command>;
  readonly env?: Record<string, string>;
}

function ask(config: string | JsonObject, options: Options = {}) {
  const { command, env, ...rest } = options;
  const hook: Call['hook'] = {
    id: 'h',
    name: 'h',
    dialect: 'd',
    event: 'E',
    when: [],
    handler: { type: 'command', config: typeof config === 'string' ? { command: config } : config },
    timeoutMs: 10_000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: '/f', scope: 'user' },
    ...(env ? { env } : {}),
  };
  return handler().handle({
    hook,
    payload: { tool: 'Bash' },
    ask: {
      timeout: { unit: 'ms', fallbackMs: 10_000 },
      command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [], ...command },
      http: { redirects: 0 },
      judge: null,
    },
    cwd: folder,
    timeoutMs: 20_000,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
    ...rest,
  });
}

function file(name: string, text: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test('exit code, stdout and stderr come back apart', async () => {
  expect(await ask('echo out; echo err >&2; exit 7')).toEqual({ kind: 'process', exit: 7, stdout: 'out\n', stderr: 'err\n' });
});

test.each([
  ['cat', '{"tool":"Bash"}', ''],
  ['cat /dev/stdin', '{"tool":"Bash"}', ''],
  ['jq -r .tool /dev/stdin', 'Bash\n', ''],
  ['read -r line < /dev/stdin; echo "$line"', '', ''],
  ['cat < /dev/stdin', '{"tool":"Bash"}', ''],
  ['echo one > /dev/stdout; echo two', 'one\ntwo\n', ''],
  ['echo first >&2; echo x > /dev/stderr; echo last >&2', '', 'first\nx\nlast\n'],
  ['echo x | tee /dev/stderr', 'x\n', 'x\n'],
  ['echo x | tee /dev/fd/2', 'x\n', 'x\n'],
  ["bash -c 'echo x > >(cat >&2); wait $!'", '', 'x\n'],
  ['exec <&-; echo closed', 'closed\n', ''],
])('the idiom works in a hook: %s', async (command, stdout, stderr) => {
  const answer = await ask(command);
  expect(answer).toMatchObject({ kind: 'process', stderr });
  // `read` needs a newline to succeed, and the payload ends without one: it prints what it has read.
  expect(answer).toHaveProperty('stdout', command.startsWith('read') ? '{"tool":"Bash"}\n' : stdout);
});

test('a joined capture keeps the order in which both streams were written', async () => {
  const answer = await ask('echo one; echo two >&2; echo three; echo four > /dev/stderr', { command: { capture: 'joined' } });
  expect(answer).toEqual({
    kind: 'process',
    exit: 0,
    stdout: 'one\ntwo\nthree\nfour\n',
    stderr: '',
    output: 'one\ntwo\nthree\nfour\n',
  });
});

test('a joined capture keeps the order of a thousand lines on alternating streams', async () => {
  const answer = await ask('n=0; while [ $n -lt 500 ]; do echo o$n; echo e$n >&2; n=$((n+1)); done', { command: { capture: 'joined' } });
  const lines = Array.from({ length: 500 }, (_, n) => `o${n}\ne${n}\n`).join('');
  expect(answer).toMatchObject({ output: lines });
});

test('a large payload reaches a hook byte for byte, whatever its characters', async () => {
  // One of the two has the first half of a character just before 64 KB, and the second half after it.
  for (const text of ['x', 'é', '€', '😀'])
    for (const before of [65_525, 65_526]) {
      const payload = { text: `${'-'.repeat(before)}${text.repeat(70_000)}` };
      expect(await ask('cat', { payload })).toHaveProperty('stdout', JSON.stringify(payload));
    }
});

test('the spaced payload is what a script that searches for `"command": "` needs', async () => {
  const answer = await ask(`grep -o '"command": "[^"]*"'`, { payload: { command: 'ls, a:b' }, command: { json: 'spaced' } });
  expect(answer).toMatchObject({ exit: 0, stdout: '"command": "ls, a:b"\n' });
});

test('a payload that is a line lets a hook stop at what `read` can not read', async () => {
  const reads = (json: 'compact' | 'line') => ask('set -e; read -r line; echo "$line"', { payload: { a: 1 }, command: { json } });
  expect(await reads('line')).toMatchObject({ exit: 0, stdout: '{"a":1}\n' });
  expect(await reads('compact')).toMatchObject({ exit: 1, stdout: '' });
});

test('a payload in a variable leaves stdin empty and at its end', async () => {
  expect(await ask('cat; echo "$HOOK_INPUT"', { command: { input: { env: 'HOOK_INPUT' } } })).toMatchObject({
    exit: 0,
    stdout: '{"tool":"Bash"}\n',
  });
});

test('the hook has its own variables, those of this process, and its working directory', async () => {
  expect(await ask('echo "$MINE $HOME"; pwd', { env: { MINE: 'm' } })).toMatchObject({ stdout: `m ${process.env['HOME']}\n${folder}\n` });
});

test('the largest payload that fits a variable is shown, and one byte more is not', async () => {
  const input = { command: { input: { env: 'HOOK_INPUT' } as const } };
  const payload = (bytes: number) => ({ x: 'y'.repeat(bytes - '{"x":""}'.length) });
  const count = `printf %s "$HOOK_INPUT" | wc -c; printf %s "\${HOOK_INPUT-unset}" | head -c 5; exit 2`;
  expect(await ask(count, { ...input, payload: payload(131_060) })).toMatchObject({ kind: 'process', stdout: '131060\n{"x":' });
  const answer = await ask(count, { ...input, payload: payload(131_061) });
  expect(answer).toMatchObject({ kind: 'fault', fault: 'oversize', reply: { kind: 'process', exit: 2, stdout: '0\nunset' } });
});

test('a payload that was not shown stays `oversize` whatever else goes wrong, and an inherited variable does not take its place', async () => {
  const options = { command: { input: { env: 'HOOK_INPUT' } as const }, payload: { x: 'y'.repeat(200_000) } };
  expect(await ask('kill -9 $$', options)).toMatchObject({ fault: 'oversize', detail: expect.stringContaining('SIGKILL') });
  expect(await ask('echo "$HOOK_INPUT"', { ...options, env: { HOOK_INPUT: 'old' } })).toMatchObject({
    reply: { stdout: '\n' },
  });
});

test('an environment too large with the payload in it is the payload not fitting; without it, it is a fault of its own', async () => {
  const env = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`FILL${n}`, 'x'.repeat(100_000)]));
  const payload = { x: 'y'.repeat(1000) };
  expect(await ask('true', { env, payload, command: { input: { env: 'HOOK_INPUT' } } })).toMatchObject({ fault: 'oversize' });
  expect(await ask('true', { env, payload })).toMatchObject({
    fault: 'spawn',
    detail: expect.stringContaining('larger than the system permits'),
  });
});

test('a payload above the limit, or too deep to be written, starts nothing', async () => {
  const mark = join(folder, 'started');
  expect(await ask(`touch ${mark}`, { limits: { ...DEFAULT_LIMITS, payloadBytes: 10 } })).toMatchObject({ fault: 'oversize' });
  let deep: JsonObject = {};
  for (let n = 0; n < 200_000; n += 1) deep = { deep };
  expect(await ask(`touch ${mark}`, { payload: deep })).toMatchObject({ fault: 'oversize' });
  expect(existsSync(mark)).toBe(false);
});

test('a hook that never reads a payload of 2 MB is answered for by its exit code', async () => {
  expect(await ask('exit 3', { payload: { x: 'y'.repeat(2_000_000) } })).toMatchObject({ kind: 'process', exit: 3 });
});

test('a payload of 8 MB arrives whole', async () => {
  expect(await ask('wc -c', { payload: { x: 'é'.repeat(4_000_000) } })).toMatchObject({ stdout: '8000008\n' });
});

test.each(['plain', 'caf\u00e9 \u0080', '\u20ac \u{1f600}', 'half \ud83d a character'])(
  'a payload arrives byte by byte as UTF-8: %j',
  async (text) => {
    const reply = await ask('od -An -v -tx1 | tr -d " \\n"', { payload: { text } });
    expect(reply).toMatchObject({ kind: 'process', stdout: Buffer.from(JSON.stringify({ text })).toString('hex') });
  },
);

test.runIf(process.platform === 'linux')('a hook ignores and blocks no signal from its start on', async () => {
  const reply = await ask('grep -E "^Sig(Blk|Ign):" /proc/self/status');
  expect(reply).toMatchObject({ stdout: 'SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n' });
});

test('20 MB on both streams are read to the end and cut at the limit', async () => {
  const half = `head -c 20000000 /dev/zero | tr '\\0'`;
  const answer = await ask(`${half} a; ${half} b >&2; exit 4`, { limits: { ...DEFAULT_LIMITS, outputBytes: 1_000_000 } });
  expect(answer).toEqual({
    kind: 'process',
    exit: 4,
    stdout: 'a'.repeat(1_000_000),
    stderr: 'b'.repeat(1_000_000),
    cut: ['stdout', 'stderr'],
  });
});

test('output below the limit is complete, however much is left in the pipe at the exit', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('head -c 3000000 /dev/zero; head -c 60000 /dev/zero >&2')));
  for (const answer of answers) {
    if (answer.kind !== 'process') throw new Error(answer.kind);
    expect([answer.stdout.length, answer.stderr.length, answer.cut]).toEqual([3_000_000, 60_000, undefined]);
  }
});

test('characters are whole although they are written in pieces', async () => {
  expect(await ask(`printf '\\303'; sleep 0.1; printf '\\251\\360\\237'; sleep 0.1; printf '\\230\\200'`)).toMatchObject({ stdout: 'é😀' });
});

test('a cut goes between characters', async () => {
  expect(await ask(`printf 'aé'`, { limits: { ...DEFAULT_LIMITS, outputBytes: 2 } })).toMatchObject({ stdout: 'a', cut: ['stdout'] });
});

test('a process in the background holds neither the answer nor its own life to it', async () => {
  const mark = join(folder, 'lived');
  const started = performance.now();
  const answer = await ask(
    `echo hi; (for i in 1 2 3 4 5 6; do sleep 0.1; echo noise; echo noise >&2; done; touch ${mark}; sleep 20) & exit 0`,
  );
  expect(answer).toEqual({ kind: 'process', exit: 0, stdout: 'hi\n', stderr: '' });
  expect(performance.now() - started).toBeLessThan(15_000);
  await expect.poll(() => existsSync(mark), { timeout: 5000 }).toBe(true);
});

test('a flood from a background process ends neither the answer nor the reading', async () => {
  const answer = await ask('echo mine; (timeout 1 yes) & exit 0', { limits: { ...DEFAULT_LIMITS, outputBytes: 5 } });
  expect(answer).toMatchObject({ kind: 'process', exit: 0, stdout: 'mine\n' });
});

test('200 hooks at once, some with writers left behind, never hear each other', async () => {
  const runs = Array.from({ length: 200 }, async (_, n) => {
    const left = n % 10 === 0 ? `(sleep 1.5; echo late-${n}; echo late-${n} >&2) &` : '';
    const answer = await ask(`${left} cat; echo ${n} > /dev/stderr; exit ${n % 100}`, { payload: { n }, timeoutMs: 60_000 });
    if (answer.kind !== 'process') throw new Error(answer.kind);
    // While this process is busy starting others, a hook's own late writer may still be heard; nobody else's ever is.
    const said = [answer.exit, answer.stdout.replace(`late-${n}\n`, ''), answer.stderr.replace(`late-${n}\n`, '')];
    expect(said).toEqual([n % 100, `{"n":${n}}`, `${n}\n`]);
  });
  await Promise.all(runs);
  for (let n = 0; n < 300; n += 1) {
    expect(await ask(`echo ${n}; echo ${n} >&2`)).toEqual({ kind: 'process', exit: 0, stdout: `${n}\n`, stderr: `${n}\n` });
  }
});

test('descriptors are used again, not used up', async () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const burst = () => Promise.all(Array.from({ length: 10 }, () => ask('echo x')));
  await burst();
  const before = open();
  for (let n = 0; n < 10; n += 1) await burst();
  expect(open()).toBeLessThanOrEqual(before + 8);
});

test('death by a signal is a fault that names it, never an exit code', async () => {
  expect(await ask('echo said; kill -SEGV $$')).toMatchObject({ kind: 'fault', fault: 'signal', detail: 'was ended by SIGSEGV' });
});

test.for([
  ['no-such-command-here', 'no-such-command-here'],
  ['no-such-command-here --flag 2>/dev/null', 'no-such-command-here'],
  ['A=1 exec no-such-command-here x', 'no-such-command-here'],
  ['./no-such.sh', './no-such.sh'],
  ['"$ROOM/no such.sh" x', 'no such.sh'],
  ['python3 no-such.py', 'no-such.py'],
  ['python3 -u $ROOM/no-such.py 2>&1', 'no-such.py'],
  ['sh no-such.sh', 'no-such.sh'],
  ['bash -e "no such.sh"', 'no such.sh'],
  ['. ./no-such.sh', './no-such.sh'],
  ['node no-such.js', 'no-such.js'],
  ['true && no-such-command-here', 'no-such-command-here'],
])('`%s` is a launch that failed, with the missing name, never a reply', async ([line, name]) => {
  const answer = await ask(line as string, { env: { ROOM: '/no/such' }, cwd: folder });
  expect(answer).toMatchObject({ kind: 'fault', fault: 'spawn', detail: expect.stringContaining(name as string) });
});

test('a file that may not be executed, and an interpreter that `env` does not find, are launches that failed', async () => {
  expect(await ask('/dev/null')).toMatchObject({ fault: 'spawn', detail: expect.stringMatching(/126/) });
  const script = join(folder, 'lost.sh');
  writeFileSync(script, '#!/usr/bin/env no-such-interpreter\n');
  chmodSync(script, 0o755);
  expect(await ask({ script })).toMatchObject({ fault: 'spawn', detail: expect.stringContaining("'no-such-interpreter'") });
  const gone = join(folder, 'gone.py');
  expect(await ask({ script: gone, viaShebang: true })).toMatchObject({ fault: 'spawn', detail: `the script '${gone}' does not exist` });
});

test('a hook that can be started keeps its exit code, and a program that only looks like an interpreter keeps its reply', async () => {
  writeFileSync(join(folder, 'deny.sh'), 'echo no >&2; exit 2\n');
  for (const line of [
    'sh deny.sh',
    'sh ./deny.sh x',
    `sh '${folder}/deny.sh'`,
    'node deny.sh.missing || sh deny.sh',
    'sh -c "exit 2" no-such.sh',
  ])
    expect(await ask(line, { cwd: folder })).toMatchObject({ kind: 'process', exit: 2 });
  expect(await ask(`exit 127 # no-such`)).toMatchObject({ fault: 'spawn' });
  expect(await ask(`echo '{"decision":"deny"}'; exit 127`)).toMatchObject({ kind: 'process', exit: 127 });
  writeFileSync(join(folder, 'python'), '#!/bin/sh\necho hello\n');
  chmodSync(join(folder, 'python'), 0o755);
  const env = { PATH: `${folder}:${process.env['PATH']}` };
  expect(await ask('python no-such.py', { cwd: folder, env })).toMatchObject({ kind: 'process', exit: 0, stdout: 'hello\n' });
});

test('a missing working directory is called that, and so is one that is a file', async () => {
  expect(await ask('true', { cwd: '/no/such/dir' })).toMatchObject({
    fault: 'spawn',
    detail: "its working directory '/no/such/dir' does not exist",
  });
  expect(await ask('true', { cwd: '/dev/null' })).toMatchObject({
    fault: 'spawn',
    detail: "its working directory '/dev/null' is not a directory",
  });
});

test('a script is run by its first line, also where it may not be executed, and by the shell without one', async () => {
  const script = { command: { launch: 'script' as const } };
  expect(await ask({ script: file('with space.sh', '#!/bin/bash\n[ -n "$BASH_VERSION" ] && echo bash; cat') }, script)).toMatchObject({
    stdout: 'bash\n{"tool":"Bash"}',
  });
  expect(await ask({ script: file('plain', 'echo plain; exit 5\n') }, script)).toMatchObject({ exit: 5, stdout: 'plain\n' });
  const plain = file('plain.txt', 'echo "read by $0"', 0o644);
  expect(await ask({ script: plain, viaShebang: true }, script)).toMatchObject({ exit: 0, stdout: `read by ${plain}\n` });
  const bash = file('bash.txt', '#!/usr/bin/env bash\n[ -n "$BASH_VERSION" ] && echo bash', 0o644);
  expect(await ask({ script: bash, viaShebang: true }, script)).toMatchObject({ exit: 0, stdout: 'bash\n' });
});

test('a script that can not be started says why', async () => {
  const detail = async (config: JsonObject) => {
    const answer = await ask(config);
    return answer.kind === 'fault' && answer.fault === 'spawn' ? answer.detail : answer;
  };
  expect(await detail({ script: join(folder, 'gone') })).toContain('does not exist');
  expect(await detail({ script: file('bad', '#!/no/such/interpreter\n') })).toContain('the interpreter that the first line of');
  expect(await detail({ script: file('locked', '#!/bin/sh\n', 0o644) })).toContain('chmod +x');
  expect(await detail({ script: file('x', '#!no-such-program', 0o644), viaShebang: true })).toContain("'no-such-program' cannot be found");
  expect(await detail({})).toContain('neither a command nor a script');
  expect(await detail({ command: 'a\0b' })).toContain('could not be started');
});
