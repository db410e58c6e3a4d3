/** The server: who may ask, that there is one, and when it goes. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { Misdirected } from '../../../src/server/answer-event.ts';
import { isLater } from '../../../src/server/authorize.ts';
import { askServer, HEALTH } from '../../../src/server/client.ts';
import { type Endpoint, publishEndpoint, readEndpoint, readOrCreateToken } from '../../../src/server/endpoint.ts';
import { decodeFrame, FRAME_TYPE } from '../../../src/server/frame.ts';
import { EVENT_TYPE, type EventRequest } from '../../../src/server/request.ts';
import { startServer } from '../../../src/server/server.ts';
import { createBench, refuse, VERSION } from './client-run.ts';

const pass = async () => ({ stdout: '{}', stderr: '', exit: 0 });
const EVENT = '/v1/hook/claude-code/PreToolUse';

test('a request without the token, or with another, is refused', async () => {
  const bench = createBench();
  const { endpoint } = await bench.serve(pass);
  for (const token of [undefined, '', 'x', endpoint.proof, `${endpoint.token}x`]) {
    const headers = token === undefined ? {} : { 'x-hookline-token': token };
    expect((await post(endpoint, EVENT, { headers })).status).toBe(401);
    expect((await post(endpoint, EVENT, { headers, socketPath: endpoint.socket })).status).toBe(401);
  }
  expect((await post(endpoint, EVENT, { headers: { authorization: `Bearer ${readOrCreateToken(bench.files)}` } })).status).toBe(200);
});

test('a page in a browser is refused even with the token, and is never given leave to ask', async () => {
  const { endpoint } = await createBench().serve(pass);
  const token = { 'x-hookline-token': endpoint.token };
  const pages: Readonly<Record<string, string>>[] = [
    { origin: 'http://evil.example' },
    { origin: `http://127.0.0.1:${endpoint.port}` },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { host: 'evil.example' },
    { host: `evil.example:${endpoint.port}` },
    { host: '127.0.0.1' },
  ];
  for (const headers of pages) {
    const { status, headers: said } = await post(endpoint, EVENT, { headers: { ...token, ...headers } });
    expect([status, Object.keys(said).filter((name) => name.startsWith('access-control'))]).toEqual([403, []]);
  }
  const asked = {
    origin: 'http://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-hookline-token',
  };
  const before = await post(endpoint, EVENT, { method: 'OPTIONS', headers: asked });
  expect([before.status, before.headers['access-control-allow-origin']]).toEqual([403, undefined]);
});

test('an event reaches the answer with where it comes from, and the answer comes back as HTTP', async () => {
  const seen: EventRequest[] = [];
  const { endpoint } = await createBench().serve(async (asked) => {
    seen.push(asked);
    return { stdout: '{"a":"é"}', stderr: 'w: é\n', exit: 0 };
  });
  const headers = {
    'x-hookline-token': endpoint.token,
    'x-hookline-cwd': '" /a b "',
    'x-hookline-root': '"/a"',
  };
  const said = await post(endpoint, '/v1/hook/cursor/a%3Ab', { headers, body: '{"é":1}' });
  const caller = expect.objectContaining({ isGone: false });
  const place = { cwd: ' /a b ', root: '/a', env: undefined, installed: undefined, parent: undefined };
  expect(seen).toEqual([{ host: 'cursor', event: 'a:b', payload: '{"é":1}', ...place, caller }]);
  expect(said).toMatchObject({ status: 200, body: '{"a":"é"}' });
  expect(said.headers).toMatchObject({
    'x-hookline-exit': '0',
    'x-hookline-stderr': 'w%3A%20%C3%A9%0A',
    'content-type': 'application/json',
  });
});

test('a no that is only an exit code is not an empty answer', async () => {
  const { endpoint } = await createBench().serve(async () => ({ stdout: '', stderr: 'not here', exit: 2 }));
  const headers = { 'x-hookline-token': endpoint.token };
  expect(await post(endpoint, EVENT, { headers })).toMatchObject({ status: 403, body: 'not here' });
});

test('a connection that an agent keeps is not closed under its next event', async () => {
  const { endpoint } = await createBench().serve(pass);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const { status, headers } = await post(endpoint, EVENT, { headers: { 'x-hookline-token': endpoint.token }, agent });
  // A server that would close it says after how long.
  expect([status, headers.connection, headers['keep-alive']]).toEqual([200, 'keep-alive', undefined]);
});

test('another version is told so; a later one makes the server go if it is installed, and not if a client only claims it', async () => {
  const bench = createBench();
  let isOutdated = false;
  const server = await bench.serve(pass, { isOutdated: () => isOutdated });
  const ask = (version: string) =>
    post(server.endpoint, EVENT, { headers: { 'x-hookline-token': server.endpoint.token, 'x-hookline-version': version } });
  expect((await ask(VERSION)).status).toBe(200);
  expect((await ask('0.0.1')).status).toBe(409);
  expect((await ask(VERSION)).status).toBe(200);
  expect((await ask('99.0.0')).status).toBe(409);
  expect((await ask(VERSION)).status).toBe(200);
  isOutdated = true;
  expect((await ask('99.0.0')).status).toBe(409);
  expect(await server.stopped).toContain('later version');
  expect(existsSync(bench.files.endpoint)).toBe(false);
  expect([isLater('0.10.0', '0.9.9'), isLater('0.9.9', '0.10.0'), isLater('1.0.0', '1.0.0')]).toEqual([true, false, false]);
});

test('what was fired from within a hook is not answered here', async () => {
  const { endpoint } = await createBench().serve(pass);
  expect((await post(endpoint, EVENT, { headers: { 'x-hookline-token': endpoint.token, 'x-hookline-depth': '1' } })).status).toBe(421);
});

test('there is one server for a user', async () => {
  const bench = createBench();
  const { endpoint } = await bench.serve(pass);
  const second = await startServer({ files: bench.files, idleMs: 0, version: VERSION, program: '', answer: pass, deny: refuse });
  expect(second).toEqual({ running: endpoint });
  expect((await askServer(endpoint, HEALTH))?.['pid']).toBe(process.pid);
});

test('what a server that was killed left over is replaced', async () => {
  const bench = createBench();
  const first = await bench.serve(pass);
  // As after a kill: the socket is there and nobody listens, the endpoint names a process that is gone.
  await first.stop('for the test');
  await leaveSocket(bench.files.socket);
  publishEndpoint(bench.files, { ...first.endpoint, pid: 2 ** 22 });
  expect(statSync(bench.files.socket).isSocket()).toBe(true);
  const { endpoint } = await bench.serve(pass);
  expect((await askServer(endpoint, HEALTH))?.['pid']).toBe(process.pid);
});

test('a server whose place was taken goes, and leaves the other its files', async () => {
  const bench = createBench();
  const first = await bench.serve(pass);
  const other: Endpoint = { ...first.endpoint, token: 'ef'.repeat(32) };
  publishEndpoint(bench.files, other);
  expect(await first.stopped).toContain('replaced');
  expect(readEndpoint(bench.files)).toEqual(other);
});

test('a server that nobody asks goes; one that is answering does not', async () => {
  const bench = createBench();
  const idleMs = 2000;
  const answerLate = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2 * idleMs));
    return { stdout: existsSync(bench.files.endpoint) ? 'late' : 'the server stopped', stderr: '', exit: 0 };
  };
  const server = await bench.serve(answerLate, { idleMs });
  const answer = post(server.endpoint, EVENT, { headers: { 'x-hookline-token': server.endpoint.token } });
  expect((await answer).body).toBe('late');
  expect(await server.stopped).toContain('idle');
  expect([existsSync(bench.files.endpoint), existsSync(bench.files.socket)]).toEqual([false, false]);
});

test('a server that is told to stop finishes what it was asked', async () => {
  const bench = createBench();
  const steps = new EventEmitter();
  const [arrived, released] = [once(steps, 'arrived'), once(steps, 'released')];
  const server = await bench.serve(async () => {
    steps.emit('arrived');
    await released;
    return { stdout: 'done', stderr: '', exit: 0 };
  });
  const headers = { 'x-hookline-token': server.endpoint.token, accept: FRAME_TYPE };
  const answer = post(server.endpoint, EVENT, { headers });
  await arrived;
  void server.stop('it was told to stop');
  steps.emit('released');
  expect(decodeFrame(Buffer.from((await answer).body), server.endpoint.proof)).toEqual({ stdout: 'done', stderr: '', exit: 0 });
  expect(await server.stopped).toContain('told to stop');
});

test("our own clients send their environment before the payload; without it they are not answered from the server's", async () => {
  const seen: EventRequest[] = [];
  const { endpoint } = await createBench().serve((asked) => {
    seen.push(asked);
    return pass();
  });
  const headers = { 'x-hookline-token': endpoint.token, 'content-type': EVENT_TYPE };
  const ask = (body: string) => post(endpoint, EVENT, { headers, body });
  expect((await ask('A=1=2\0B=\0=C\0D=x\ny&z\0&{"a":"\0&"}')).status).toBe(200);
  expect((await ask('&{}')).status).toBe(421);
  expect((await ask('{}')).status).toBe(421);
  expect(seen).toMatchObject([{ payload: '{"a":"\0&"}', env: { A: '1=2', B: '', D: 'x\ny&z' } }]);
});

test('a failure is refused in words to a host, which would take it for consent, and told as one to our clients', async () => {
  for (const fail of [() => Promise.reject(new Error('broken')), () => thrown('broken')]) {
    const { endpoint } = await createBench().serve(fail);
    const headers = { 'x-hookline-token': endpoint.token };
    expect(await post(endpoint, EVENT, { headers })).toMatchObject({ status: 200, body: expect.stringContaining('broken') });
    expect((await post(endpoint, EVENT, { headers: { ...headers, accept: FRAME_TYPE } })).status).toBe(500);
    expect((await post(endpoint, '/v1/else', { headers })).status).toBe(404);
  }
});

test('what only the caller itself can ask is sent back to our clients, and refused to a host', async () => {
  const { endpoint } = await createBench().serve(() => Promise.reject(new Misdirected('elsewhere')));
  const headers = { 'x-hookline-token': endpoint.token };
  expect((await post(endpoint, EVENT, { headers: { ...headers, accept: FRAME_TYPE } })).status).toBe(421);
  expect((await post(endpoint, EVENT, { headers })).body).toContain('elsewhere');
});

test("Node's own `fetch`, as agents use it, is no page", async () => {
  const bench = createBench();
  const { endpoint } = await bench.serve(pass);
  const headers = { 'x-hookline-token': readOrCreateToken(bench.files), 'content-type': 'application/json' };
  for (const name of ['127.0.0.1', 'localhost']) {
    const response = await fetch(`http://${name}:${endpoint.port}${EVENT}`, { method: 'POST', headers, body: '{}' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, 'application/json', '{}']);
  }
});

function thrown(message: string): never {
  throw new Error(message);
}

interface Said {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly socketPath?: string;
  readonly agent?: Agent;
}

function post({ port }: Endpoint, path: string, { method = 'POST', headers = {}, body = '{}', socketPath, agent }: Ask): Promise<Said> {
  return new Promise((resolve, reject) => {
    const where = socketPath === undefined ? { host: '127.0.0.1', port } : { socketPath };
    const asking = request({ ...where, path, method, headers, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), headers: response.headers }),
      );
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** A socket whose process was killed. */
function leaveSocket(file: string): Promise<unknown> {
  const program = `require('net').createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 'SIGKILL'))`;
  return new Promise((resolve) => spawn(process.execPath, ['-e', program], { stdio: 'ignore' }).once('exit', resolve));
}
