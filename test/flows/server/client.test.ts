/** The shell client: whatever state the server is in, the answer is the server's or that of the program itself, and never consent by accident. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import { type EventRule, isBlockingEvent, isGating } from '../../../src/core/meaning/profile.ts';
import { makeFolder, publishEndpoint, type ServeFiles, sweepSpool } from '../../../src/server/endpoint.ts';
import type { EventRequest } from '../../../src/server/request.ts';
import { type Bench, CLIENT, createBench, VERSION } from './client-run.ts';

const PAYLOAD = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo \\"é\\" $HOME `id`\\n"}}';
const echo = async ({ host, event, payload, cwd, env }: EventRequest) => ({
  stdout: `${JSON.stringify({ host, event, payload, cwd, env })}\n\n`,
  stderr: 'no: é\n\n',
  exit: 2,
});

test('the client is of the version of the package', () => {
  expect(/^VERSION=(.*)$/m.exec(readFileSync(CLIENT, 'utf8'))?.[1]).toBe(VERSION);
});

test('the client knows every event on which a refusal only sends the agent back to work', () => {
  const stops = HOSTS.flatMap(({ id, entry, dialect: { profile } }) =>
    entry.events.filter((event) => isSentBack(profile.events[event] as EventRule)).map((event) => `${id}/${event}`),
  );
  expect(/^STOPS='([^']*)'$/m.exec(readFileSync(CLIENT, 'utf8'))?.[1]?.trim()).toBe(stops.join(' '));
});

for (const curl of [false, true]) {
  describe(curl ? 'by curl' : 'by bash', () => {
    test('the answer of the server arrives byte by byte, with its exit code', async () => {
      const bench = createBench();
      await bench.serve(echo);
      const surroundings = { AGENT_DIR: ' a "b" ', LINES_OF: 'two\nlines&more=1', EMPTY: '', ACCENT: 'é' };
      const ran = await bench.ask(PAYLOAD, { curl, env: surroundings });
      expect(ran).toMatchObject({ stderr: 'no: é\n\n', exit: 2 });
      expect(ran.stdout.endsWith('\n\n')).toBe(true);
      const { env, ...asked } = JSON.parse(ran.stdout);
      expect(asked).toEqual({ host: 'claude-code', event: 'PreToolUse', payload: PAYLOAD, cwd: bench.cwd });
      expect(env).toMatchObject(surroundings);
      const { PATH } = process.env;
      expect(env).toMatchObject({ PATH, HOOKLINE_HOME: bench.home });
    });

    test.each([['C.UTF-8'], [''], [undefined]])(
      'the locale %s of the caller reaches the server and the program as it is',
      async (locale) => {
        const bench = createBench();
        const { LC_ALL: _, ...env } = process.env;
        const own = { ...env, ...(locale !== undefined && { LC_ALL: locale }) } as Record<string, string>;
        expect(inProcess((await bench.ask(PAYLOAD, { curl, only: own })).stdout)[3]).toBe(locale ?? '');
        await bench.serve(echo);
        expect(JSON.parse((await bench.ask(PAYLOAD, { curl, only: own })).stdout).env['LC_ALL']).toBe(locale);
      },
    );

    test('an answer without a word is one, and 0 is only 0 if the server says so', async () => {
      const bench = createBench();
      await bench.serve(async () => ({ stdout: '', stderr: '', exit: 0 }));
      expect(await bench.ask(PAYLOAD, { curl, args: ['codex'] })).toMatchObject({ stdout: '', stderr: '', exit: 0 });
    });

    test('a large answer is whole', async () => {
      const bench = createBench();
      const stdout = `${'é"$`\\'.repeat(40_000)}\n`;
      await bench.serve(async () => ({ stdout, stderr: 'x'.repeat(100_000), exit: 0 }));
      const ran = await bench.ask(PAYLOAD, { curl });
      expect(ran.stdout === stdout && ran.stderr.length === 100_000 && ran.exit === 0).toBe(true);
    });

    test('what a shell cannot hold is left out of an answer, and the rest arrives', async () => {
      const bench = createBench();
      const stdout = `a\x1e\0b\x7f\x01`;
      await bench.serve(async () => ({ stdout, stderr: '', exit: 0 }));
      const ran = await bench.ask(PAYLOAD, { curl });
      expect(ran).toMatchObject({ stdout: 'ab\x7f\x01', exit: 0 });
    });

    test('a server that is working for long is waited for', async () => {
      const bench = createBench();
      await bench.serve((asked) => new Promise((resolve) => setTimeout(() => resolve(echo(asked)), 5000)));
      expect((await bench.ask(PAYLOAD, { curl })).stderr).toBe('no: é\n\n');
    });

    test('without a server the program itself is asked', async () => {
      const ran = await createBench().ask(PAYLOAD, { curl });
      expect(inProcess(ran.stdout)).toEqual([
        ['hook', 'claude-code', 'PreToolUse'],
        Buffer.byteLength(PAYLOAD),
        PAYLOAD.slice(0, 100),
        process.env['LC_ALL'] ?? '',
      ]);
      expect(ran.exit).toBe(2);
    });

    for (const [what, behave] of Object.entries(BAD_SERVERS)) {
      test(`a server that ${what} is done without, and the payload is not lost`, async () => {
        const bench = createBench();
        await pretend(bench.files, behave);
        const ran = await bench.ask(PAYLOAD, { curl, env: { LC_ALL: 'C.UTF-8' } });
        expect(inProcess(ran.stdout)).toEqual([
          ['hook', 'claude-code', 'PreToolUse'],
          Buffer.byteLength(PAYLOAD),
          PAYLOAD.slice(0, 100),
          'C.UTF-8',
        ]);
        expect(ran).toMatchObject({ stderr: '', exit: 2 });
      });
    }

    test('a server that fails is done without', async () => {
      const bench = createBench();
      await bench.serve(() => Promise.reject(new Error('no')));
      expect((await bench.ask(PAYLOAD, { curl })).stdout).toContain('in process');
    });

    test('a server of another version is done without', async () => {
      const bench = createBench();
      await bench.serve(echo, { version: '0.0.1' });
      expect((await bench.ask(PAYLOAD, { curl })).stdout).toContain('in process');
    });

    test('a socket and an endpoint that a dead server left over are done without', async () => {
      const bench = createBench();
      const server = await bench.serve(echo);
      await server.stop('for the test');
      publishEndpoint(bench.files, { ...server.endpoint, pid: deadPid() });
      expect((await bench.ask(PAYLOAD, { curl })).stdout).toContain('in process');
      publishEndpoint(bench.files, server.endpoint);
      expect((await bench.ask(PAYLOAD, { curl })).stdout).toContain('in process');
    });

    test('a payload of 5 MB arrives whole', async () => {
      const bench = createBench();
      const lengths: number[] = [];
      await bench.serve(async ({ payload }) => ({ stdout: `server: ${lengths.push(String(payload).length)}`, stderr: '', exit: 0 }));
      const ran = await bench.ask(`{"x":"${'y'.repeat(5 * 1024 * 1024)}"}`, { curl });
      // Bash leaves it to Node; curl reads files.
      if (curl) expect([ran.stdout, lengths]).toEqual(['server: 1', [5 * 1024 * 1024 + 8]]);
      else expect(inProcess(ran.stdout)[1]).toBe(5 * 1024 * 1024 + 8);
    });

    test('from within a hook, and with options, the program itself is asked', async () => {
      const bench = createBench();
      await bench.serve(echo);
      expect((await bench.ask(PAYLOAD, { curl, env: { HOOKLINE_DEPTH: '1' } })).stdout).toContain('in process');
      expect((await bench.ask(PAYLOAD, { curl, args: ['claude-code', '--strict'] })).stdout).toContain('"--strict"');
      expect((await bench.ask(PAYLOAD, { curl, env: { HOOKLINE_SERVE: 'off' } })).stdout).toContain('in process');
    });

    test('nothing of the payload is left on disk', async () => {
      const bench = createBench();
      await bench.serve(echo);
      await bench.ask(PAYLOAD, { curl });
      const left = readdirSync(bench.files.folder).filter((name) => name.startsWith('in.'));
      expect(left.filter((name) => statSync(path.join(bench.files.folder, name)).size > 0)).toEqual([]);
      sweepSpool(bench.files, Date.now() + 60_000);
      expect(readdirSync(bench.files.folder).filter((name) => name.startsWith('in.'))).toEqual([]);
    });
  });
}

describe('when nothing can be asked', () => {
  test('a program that is missing blocks, and says so', async () => {
    expect(await createBench(null).ask(PAYLOAD)).toMatchObject({ stdout: '', stderr: expect.stringContaining('is missing'), exit: 2 });
  });

  test('a program that ends without an answer blocks', async () => {
    for (const program of [
      'throw new Error("x")',
      'process.kill(process.pid, "SIGKILL"); setTimeout(() => {}, 1000)',
      'process.exitCode = 70',
      // A preload of somebody's own that ends the program before its first line.
      '',
      'process.exitCode = 9',
      'console.log("{}")',
    ])
      expect(await createBench(program).ask(PAYLOAD)).toMatchObject({ stderr: expect.stringContaining('could not be asked'), exit: 2 });
  });

  test('no Node on the path blocks', async () => {
    expect(await createBench().ask(PAYLOAD, { env: { PATH: '/usr/nowhere' } })).toMatchObject({
      stderr: expect.stringContaining('node'),
      exit: 2,
    });
  });

  test('an exit code of the agent is passed on', async () => {
    expect((await createBench().ask(PAYLOAD, { env: { STUB_EXIT: '49' } })).exit).toBe(49);
    expect((await createBench().ask(PAYLOAD, { env: { STUB_EXIT: '0' } })).exit).toBe(0);
  });
});

test('what the environment calls functions and start-up files is not run', async () => {
  const bench = createBench();
  await bench.serve(echo);
  const file = `${bench.home}/start-up`;
  writeFileSync(file, 'echo planted; exit 0');
  const env = { BASH_ENV: file, ENV: file, 'BASH_FUNC_read%%': '() { echo planted; exit 0; }', 'BASH_FUNC_printf%%': '() { exit 0; }' };
  expect(await bench.ask(PAYLOAD, { env })).toMatchObject({ stderr: 'no: é\n\n', exit: 2 });
});

test('what a server leaves for its clients is for the user alone', async () => {
  const bench: Bench = createBench();
  const { endpoint } = await bench.serve(echo);
  for (const file of [bench.files.endpoint, bench.files.headers, bench.files.token, endpoint.socket])
    expect(statSync(file).mode & 0o077).toBe(0);
  expect(statSync(bench.files.folder).mode & 0o077).toBe(0);
});

/** How a connection that is no proper answer may look. */
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-hookline-answer\r\n\r\n';
const BAD_SERVERS: Readonly<Record<string, (socket: Socket, proof: string) => unknown>> = {
  hangs: () => {},
  'closes at once': (socket) => socket.destroy(),
  'hangs after the head': (socket) => socket.write(HEAD),
  'is killed in the middle of its answer': (socket, proof) => socket.end(`${HEAD}hookline-answer 1 ${proof} 0 100 0\nhalf of it`),
  'is killed before the end of its answer': (socket, proof) => socket.end(`${HEAD}hookline-answer 1 ${proof} 0 2 0\nok\x1e\x1e`),
  'says more than it should': (socket, proof) => socket.end(`${HEAD}hookline-answer 1 ${proof} 0 2 0\nmore\x1e\x1e${proof}\n`),
  'names no exit code': (socket, proof) => socket.end(`${HEAD}hookline-answer 1 ${proof}  0 0\n\x1e\x1e${proof}\n`),
  'has an impossible exit code': (socket, proof) => socket.end(`${HEAD}hookline-answer 1 ${proof} 256 0 0\n\x1e\x1e${proof}\n`),
  'is somebody else': (socket) => socket.end(`${HEAD}hookline-answer 1 ${'0'.repeat(64)} 0 0 0\n\x1e\x1e${'0'.repeat(64)}\n`),
  'speaks something else': (socket) => socket.end('220 smtp ready\r\n'),
  refuses: (socket) => socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'),
};

/** Somebody who listens where the endpoint says, and behaves. */
async function pretend(files: ServeFiles, behave: (socket: Socket, proof: string) => unknown): Promise<void> {
  makeFolder(files.folder);
  rmSync(files.socket, { force: true });
  const proof = 'ab'.repeat(32);
  const listen = (where: number | string): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((socket) => {
        sockets.add(socket.on('error', () => {}));
        // Only once it was asked: an answer before the question would be lost with the connection.
        socket.once('data', () => setTimeout(() => behave(socket, proof), 50));
      });
      server.listen(where as string, () => resolve(server));
    });
  const sockets = new Set<Socket>();
  const [onPort, onSocket] = [await listen(0), await listen(files.socket)];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of [onPort, onSocket]) server.close();
  });
  const { port } = onPort.address() as { port: number };
  const rest = { version: VERSION, pid: process.pid, node: '', program: '', variables: [] };
  publishEndpoint(files, { ...rest, port, token: 'cd'.repeat(32), proof, socket: files.socket });
}

function inProcess(stdout: string): unknown[] {
  expect(stdout).toMatch(/^in process: /);
  return JSON.parse(stdout.slice('in process: '.length));
}

function isSentBack(rule: EventRule): boolean {
  return isGating(rule) && !isBlockingEvent(rule);
}

function deadPid(): number {
  return Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
}
