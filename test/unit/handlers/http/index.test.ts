/** The laws of HTTP hooks, on real servers: what is sent, what comes back, and what is a fault. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createRawServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../../src/core/contracts/handler.ts';
import { NOT_NESTED } from '../../../../src/core/contracts/nesting.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { httpHandler } from '../../../../src/handlers/http/index.ts';

const open: { close(): unknown }[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const server of open.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
});

async function listen(server: Server | ReturnType<typeof createRawServer>): Promise<string> {
  open.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/hook`;
}

const serve = (listener: RequestListener) => listen(createServer(listener));

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

function ask(config: JsonObject, options: Partial<Call> = {}) {
  const hook: Call['hook'] = {
    id: 'h',
    name: 'h',
    dialect: 'd',
    event: 'E',
    when: [],
    handler: { type: 'http', config },
    timeoutMs: 1000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: '/f', scope: 'user' },
  };
  return httpHandler.handle({
    hook,
    payload: { tool: 'Bash', text: 'é' },
    ask: {
      timeout: { unit: 'ms', fallbackMs: 1000 },
      command: { launch: 'shell', input: 'stdin', json: 'spaced', capture: 'split', environment: [] },
      http: { redirects: 0 },
      judge: null,
    },
    cwd: '/',
    timeoutMs: 10_000,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
    ...options,
  });
}

test('the payload is posted as compact JSON, and status and body come back', async () => {
  const url = await serve(async (request, response) => {
    const { method, headers } = request;
    response.writeHead(201);
    response.end(JSON.stringify([method, headers['content-type'], headers['connection'], await bodyOf(request)]));
  });
  expect(await ask({ url })).toEqual({
    kind: 'http',
    status: 201,
    body: JSON.stringify(['POST', 'application/json', 'close', '{"tool":"Bash","text":"é"}']),
  });
});

test('method, headers and body of the hook are sent as they are written', async () => {
  const url = await serve(async (request, response) => {
    response.end(
      JSON.stringify([
        request.method,
        request.headers['content-type'],
        request.headers['x-a'],
        request.headers['x-n'],
        await bodyOf(request),
      ]),
    );
  });
  const config = {
    url,
    method: 'put',
    headers: { 'Content-Type': 'text/plain', 'X-A': 'b', 'x-n': 5, 'Content-Length': '3' },
    body: 'as {it} is',
  };
  expect(await ask(config)).toMatchObject({ body: JSON.stringify(['PUT', 'text/plain', 'b', '5', 'as {it} is']) });
});

test('a hook can not garble the exchange: how the body is framed is not its to say', async () => {
  const url = await serve(async (request, response) => {
    const { headers } = request;
    response.end(
      JSON.stringify([
        headers['content-length'],
        headers['transfer-encoding'],
        headers['connection'],
        headers['expect'],
        await bodyOf(request),
      ]),
    );
  });
  const headers = { 'Content-Length': '3', 'transfer-encoding': 'chunked', Connection: 'keep-alive', Expect: '100-continue' };
  expect(await ask({ url, headers, body: 'whole' })).toMatchObject({ body: JSON.stringify(['5', null, 'close', null, 'whole']) });
});

test.each(['GET', 'HEAD'])('%s has no body', async (method) => {
  let seen: unknown;
  const url = await serve(async (request, response) => {
    seen = [request.method, await bodyOf(request), request.headers['content-type']];
    response.end();
  });
  expect(await ask({ url, method, body: 'x' })).toEqual({ kind: 'http', status: 200, body: '' });
  expect(seen).toEqual([method, '', undefined]);
});

test('a redirect is an answer and is not followed', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    response.writeHead(307, { location: '/elsewhere' }).end('over there');
  });
  expect(await ask({ url })).toEqual({ kind: 'http', status: 307, body: 'over there' });
  expect(asked).toBe(1);
});

test('an answer that never ends is cut at the limit, between characters, and its connection closed', async () => {
  let closed = false;
  const url = await serve((_, response) => {
    const timer = setInterval(() => response.write('é'.repeat(1000)), 1);
    response.on('close', () => {
      clearInterval(timer);
      closed = true;
    });
  });
  expect(await ask({ url }, { limits: { ...DEFAULT_LIMITS, outputBytes: 4001 } })).toEqual({
    kind: 'http',
    status: 200,
    body: 'é'.repeat(2000),
    cut: true,
  });
  await expect.poll(() => closed).toBe(true);
});

test('an answer of exactly the limit is not cut', async () => {
  const url = await serve((_, response) => void response.end('abcd'));
  expect(await ask({ url }, { limits: { ...DEFAULT_LIMITS, outputBytes: 4 } })).toEqual({ kind: 'http', status: 200, body: 'abcd' });
});

test.each([
  ['before a word is said', () => {}],
  ['after the head', (response: Parameters<RequestListener>[1]) => void response.write('half')],
])('the time limit is over the whole exchange: it ends one that hangs %s', async (_, begin) => {
  const url = await serve((_request, response) => begin(response));
  expect(await ask({ url }, { timeoutMs: 200 })).toEqual({ kind: 'fault', fault: 'timeout', detail: 'did not answer within 200 ms' });
  await expect.poll(() => sockets.size).toBe(0);
});

test('an abort closes the connection and is fault `cancelled`', async () => {
  const controller = new AbortController();
  const url = await serve(() => controller.abort());
  expect(await ask({ url }, { signal: controller.signal })).toMatchObject({ kind: 'fault', fault: 'cancelled' });
  await expect.poll(() => sockets.size).toBe(0);
});

test('a call that is aborted before it starts sends nothing', async () => {
  let asked = false;
  const url = await serve(() => {
    asked = true;
  });
  expect(await ask({ url }, { signal: AbortSignal.abort() })).toMatchObject({ fault: 'cancelled' });
  expect(asked).toBe(false);
});

test('no socket is left after an answer', async () => {
  const url = await serve((_, response) => void response.end('ok'));
  await Promise.all(Array.from({ length: 20 }, () => ask({ url })));
  await expect.poll(() => sockets.size).toBe(0);
});

test.each([
  ['a connection refused', { url: 'http://127.0.0.1:1/' }, 'ECONNREFUSED'],
  ['a host that does not exist', { url: 'http://no-such-host.invalid/' }, 'no-such-host.invalid could not be asked'],
  ['no URL', {}, 'has no url'],
  ['a relative URL', { url: '/hook' }, 'is not a valid URL'],
  ['a URL that is not HTTP', { url: 'file:///etc/passwd' }, 'only http: and https:'],
  ['a header with a line break', { url: 'http://127.0.0.1:1/', headers: { a: 'b\r\nc: d' } }, 'cannot be made'],
  ['a header with no name', { url: 'http://127.0.0.1:1/', headers: { '': 'b' } }, 'cannot be made'],
  ['a method with a space', { url: 'http://127.0.0.1:1/', method: 'GET /x' }, 'cannot be made'],
])('%s is fault `network` and says so', async (_, config: JsonObject, detail) => {
  expect(await ask(config)).toMatchObject({ kind: 'fault', fault: 'network', detail: expect.stringContaining(detail) });
});

test.each([
  ['is no HTTP', 'hello\r\n\r\n'],
  ['breaks off in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
  ['breaks off in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf'],
  ['turns into another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ['is empty', ''],
])('an answer that %s is fault `network`, never half an answer', async (_, text) => {
  const url = await listen(createRawServer((socket) => void socket.once('data', () => socket.end(text))));
  expect(await ask({ url })).toMatchObject({ kind: 'fault', fault: 'network' });
});

test('TLS that is not spoken at the other end is fault `network`', async () => {
  const url = await serve((_, response) => void response.end());
  expect(await ask({ url: url.replace('http:', 'https:') })).toMatchObject({ kind: 'fault', fault: 'network' });
});

test('a payload above the limit is not sent; a body of the hook’s own does not need it', async () => {
  const url = await serve((_, response) => void response.end('ok'));
  const limits = { ...DEFAULT_LIMITS, payloadBytes: 5 };
  expect(await ask({ url }, { limits })).toMatchObject({ kind: 'fault', fault: 'oversize' });
  expect(await ask({ url, body: 'ping' }, { limits })).toMatchObject({ kind: 'http', body: 'ok' });
});

test('a secret in the URL is not repeated in a fault', async () => {
  const answer = await ask({ url: 'http://user:secret@127.0.0.1:1/?token=secret' });
  expect(JSON.stringify(answer)).not.toContain('secret');
});
