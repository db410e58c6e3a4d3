/** The laws of notifying by webhook, on real servers. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createRawServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { Notice, WebhookNotifierConfig } from '../../../../src/core/contracts/notifier.ts';
import { verifySignature, webhookNotifier } from '../../../../src/people/notifiers/webhook.ts';

const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

const notice: Notice = {
  id: 't1:opened',
  type: 'ticket.opened',
  at: 1_700_000_000_000,
  ticket: {
    id: 't1',
    state: 'open',
    kind: 'tool.before',
    tool: 'Bash',
    input: { command: 'echo é' },
    edit: null,
    masked: [],
    reason: 'why',
    heldBy: [],
    root: '/',
    session: 's',
    openedAt: 1,
    expiresAt: 2,
    by: null,
    note: null,
  },
};

const open: { close(): unknown }[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  vi.unstubAllEnvs();
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
const answering = (status: number, headers: Record<string, string> = {}) =>
  serve((_, response) => void response.writeHead(status, headers).end('x'));

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

const never = new AbortController().signal;
const tell = (config: Omit<WebhookNotifierConfig, 'type'>, signal = never, what = notice) =>
  webhookNotifier({ type: 'webhook', ...config }).notify(what, signal);

test('a notice is posted as JSON and signed, so that the receiver can tell it is genuine', async () => {
  let genuine = false;
  let seen: unknown;
  const url = await serve(async (request, response) => {
    const body = await bodyOf(request);
    genuine = verifySignature(SECRET, request.headers, body, Date.now() / 1000);
    const { method, headers } = request;
    seen = [method, headers['content-type'], headers['webhook-id'], JSON.parse(body)];
    response.writeHead(204).end();
  });
  expect(await tell({ url, secret: SECRET })).toBe('sent');
  expect(genuine).toBe(true);
  const body = { id: 't1:opened', type: 'ticket.opened', timestamp: '2023-11-14T22:13:20.000Z', data: notice.ticket };
  expect(seen).toEqual(['POST', 'application/json', 't1:opened', body]);
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
});

test('headers can be added, but none of those that frame or sign the request can be changed', async () => {
  let seen: IncomingMessage['headers'] = {};
  const url = await serve((request, response) => {
    seen = request.headers;
    request.resume().on('end', () => response.end());
  });
  const headers = { 'X-A': 'b', 'Webhook-Id': 'forged', 'Webhook-Signature': 'v1,forged', 'Content-Length': '1', Connection: 'keep-alive' };
  expect(await tell({ url, headers })).toBe('sent');
  expect(seen).toMatchObject({ 'x-a': 'b', 'webhook-id': 't1:opened', connection: 'close' });
  expect(seen['webhook-signature']).toBeUndefined();
  expect(Number(seen['content-length'])).toBeGreaterThan(100);
});

test('address, secret and headers can be kept in the environment', async () => {
  let genuine = false;
  let token: unknown;
  const url = await serve(async (request, response) => {
    genuine = verifySignature(SECRET, request.headers, await bodyOf(request), Date.now() / 1000);
    token = request.headers['authorization'];
    response.end();
  });
  vi.stubEnv('TELL_URL', url);
  vi.stubEnv('TELL_SECRET', SECRET);
  vi.stubEnv('TELL_TOKEN', 'Bearer abc');
  expect(await tell({ url: 'env:TELL_URL', secret: 'env:TELL_SECRET', headers: { authorization: 'env:TELL_TOKEN' } })).toBe('sent');
  expect([genuine, token]).toEqual([true, 'Bearer abc']);
});

test.each([
  [200, undefined],
  [204, undefined],
  [302, false],
  [400, false],
  [401, false],
  [404, false],
  [410, false],
  [429, true],
  [500, true],
  [503, true],
])('after status %i, whether it is told (undefined) or may be tried again is %s', async (status, retry) => {
  const url = await answering(status, { location: '/elsewhere' });
  const answer = await tell({ url });
  if (retry === undefined) expect(answer).toBe('sent');
  else expect(answer).toEqual({ failed: expect.stringContaining(`responded with ${status}`), retry });
});

test('who is gone is named as such, so that the notifier can be removed', async () => {
  expect(await tell({ url: await answering(410) })).toEqual({ failed: expect.stringContaining('accepts no more notices'), retry: false });
});

test('a redirect is not followed', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await tell({ url })).toMatchObject({ retry: false });
  expect(asked).toBe(1);
});

test('the other side may say when to try again, in seconds or as a date', async () => {
  expect(await tell({ url: await answering(429, { 'retry-after': '7' }) })).toMatchObject({ retry: true, afterMs: 7000 });
  const later = await tell({ url: await answering(503, { 'retry-after': new Date(Date.now() + 600_000).toUTCString() }) });
  const afterMs = typeof later === 'object' ? later.afterMs : undefined;
  expect(afterMs).toBeGreaterThan(500_000);
  expect(afterMs).toBeLessThanOrEqual(600_000);
  expect(await tell({ url: await answering(503, { 'retry-after': new Date(0).toUTCString() }) })).toMatchObject({ afterMs: 0 });
  expect(await tell({ url: await answering(503, { 'retry-after': 'soon' }) })).not.toHaveProperty('afterMs');
});

test('an answer without end is not listened to', async () => {
  const url = await serve((_, response) => {
    const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
    response.on('close', () => clearInterval(timer));
  });
  expect(await tell({ url })).toBe('sent');
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
});

test('the status counts although the rest of the answer never comes', async () => {
  const url = await serve((_, response) => void response.writeHead(200, { 'content-length': '100' }).write('half'));
  expect(await tell({ url, timeoutMs: 500 })).toBe('sent');
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
});

test('a server that does not answer in time, or hangs up, may be tried again', async () => {
  const silent = await serve(() => {});
  expect(await tell({ url: silent, timeoutMs: 200 })).toEqual({ failed: expect.stringContaining('within 200 ms'), retry: true });
  const rude = await listen(createRawServer((socket) => void socket.once('data', () => socket.end())));
  expect(await tell({ url: rude })).toMatchObject({ retry: true });
  expect(await tell({ url: 'http://127.0.0.1:1/' })).toEqual({ failed: '127.0.0.1:1 could not be reached: ECONNREFUSED', retry: true });
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
});

test('an abort ends the exchange', async () => {
  const controller = new AbortController();
  const url = await serve(() => controller.abort());
  expect(await tell({ url }, controller.signal)).toMatchObject({ retry: true });
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
  let asked = false;
  const other = await serve(() => {
    asked = true;
  });
  expect(await tell({ url: other }, AbortSignal.abort())).toMatchObject({ retry: true });
  expect(asked).toBe(false);
});

test.each([
  ['a url that is none', { url: 'hidden' }, 'its url is not valid'],
  ['a url of another kind', { url: 'file:///hidden' }, 'neither http: nor https:'],
  ['a secret that is no base64', { url: 'http://127.0.0.1:1/', secret: 'whsec_hidden!' }, 'at least 24 bytes'],
  ['a secret that can be guessed', { url: 'http://127.0.0.1:1/', secret: 'whsec_aGlkZGVu' }, 'at least 24 bytes'],
  ['a variable that is not set', { url: 'http://127.0.0.1:1/', secret: 'env:TELL_NOT_SET' }, 'TELL_NOT_SET'],
  ['a header that HTTP does not permit', { url: 'http://127.0.0.1:1/', headers: { a: 'hidden\r\nb: c' } }, 'ERR_INVALID_CHAR'],
])('%s is said without being shown, and not tried again', async (_, config, failed) => {
  const answer = await tell(config);
  expect(answer).toEqual({ failed: expect.stringContaining(failed), retry: false });
  expect(JSON.stringify(answer)).not.toContain('hidden');
});

test('a failure names the host and nothing else of the address', async () => {
  const answer = await tell({ url: 'http://user:hidden@127.0.0.1:1/hidden?token=hidden', secret: SECRET, headers: { 'x-key': 'hidden' } });
  expect(answer).toMatchObject({ failed: expect.stringContaining('127.0.0.1:1') });
  expect(JSON.stringify(answer)).not.toContain('hidden');
});

test('an id whose signature could be read in two ways is not sent', async () => {
  expect(await tell({ url: 'http://127.0.0.1:1/', secret: SECRET }, never, { ...notice, id: 'a.1' })).toMatchObject({ retry: false });
});
