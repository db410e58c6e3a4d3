/** The HTTP channel on real sockets. */
import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { HooklineError } from '../../../../src/core/values/errors.ts';
import { type HttpChannel, type HttpOptions, httpChannel } from '../../../../src/runtime/channels/http.ts';
import type { ChannelMessage, LivingAgent, Turn } from '../../../../src/runtime/contract.ts';
import { POLL } from '../../../support/patience.ts';
import { noAgent, turn } from './turns.ts';

const open: HttpChannel[] = [];
afterEach(async () => {
  for (const channel of open.splice(0)) {
    await channel.stop();
    await channel.closed;
  }
});

type Answer = (message: ChannelMessage) => Promise<Turn>;

async function started(answer: Answer, options: HttpOptions = {}, agent: LivingAgent = noAgent): Promise<HttpChannel> {
  const channel = httpChannel(options);
  open.push(channel);
  await channel.start(answer, agent);
  return channel;
}

const echo =
  (channel: () => HttpChannel): Answer =>
  async ({ text, session = '' }) => {
    await channel().send({ text: `you said ${text}`, session });
    return turn({ text: `you said ${text}`, session, sent: true });
  };

async function post(channel: HttpChannel, body: unknown, more: { path?: string; headers?: Record<string, string>; method?: string } = {}) {
  const response = await fetch(`${channel.address?.url}${more.path ?? '/v1/messages'}`, {
    method: more.method ?? 'POST',
    headers: { authorization: `Bearer ${channel.token}`, 'content-type': 'application/json', ...more.headers },
    ...(more.method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a message is answered in its response, and names its session', async () => {
  const channel: HttpChannel = await started(echo(() => channel));
  expect(channel.address?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const first = await post(channel, { text: 'hello', session: 'a', user: 'ann' });
  expect(first).toEqual({
    status: 200,
    body: { session: 'a', status: 'done', text: 'you said hello', reason: null, held: [], notices: [], messages: ['you said hello'] },
  });
});

test('messages without a session have a session each', async () => {
  const channel: HttpChannel = await started(echo(() => channel));
  const sessions = (await Promise.all([1, 2].map(() => post(channel, { text: 'x' })))).map(({ body }) => body['session']);
  expect(new Set(sessions).size).toBe(2);
});

test('answers of two sessions do not cross', async () => {
  const ends = new Map<string, () => void>();
  const channel: HttpChannel = await started(async ({ text, session = '' }) => {
    await new Promise<void>((resolve) => ends.set(session, resolve));
    await channel.send({ text, session });
    return turn({ text, session, sent: true });
  });
  const both = [post(channel, { text: 'of a', session: 'a' }), post(channel, { text: 'of b', session: 'b' })];
  await expect.poll(() => ends.size, POLL).toBe(2);
  ends.get('b')?.();
  ends.get('a')?.();
  expect((await Promise.all(both)).map(({ body }) => body['messages'])).toEqual([['of a'], ['of b']]);
});

test('a text that no request waits for is not sent, and its sender learns that', async () => {
  const channel = await started(async () => turn());
  expect(() => channel.send({ text: 'x', session: 'a' })).toThrow('No request of the session `a` waits for an answer.');
});

test('a parked turn is 202 with its tickets, and the same session is resumed later', async () => {
  const held = [{ ticket: 't-1', expiresAt: 'later', session: 'a', kind: 'tool.before' as const, reason: 'to production' }];
  const resumed: string[] = [];
  const agent = {
    resume: async (session: string) => {
      resumed.push(session);
      if (session === 'none') throw new HooklineError('bad-option', 'No turn of this session is parked.');
      return turn({ session, text: 'deployed' });
    },
  } as unknown as LivingAgent;
  const channel = await started(async () => turn({ status: 'parked', held }), {}, agent);
  expect(await post(channel, { text: 'deploy', session: 'a' })).toMatchObject({ status: 202, body: { status: 'parked', held } });
  expect(await post(channel, { session: 'a' }, { path: '/v1/resume' })).toMatchObject({ status: 200, body: { text: 'deployed' } });
  expect(await post(channel, { session: 'none' }, { path: '/v1/resume' })).toMatchObject({
    status: 409,
    body: { error: 'No turn of this session is parked.' },
  });
  expect(resumed).toEqual(['a', 'none']);
});

test('a turn that fails is an error, and the channel goes on', async () => {
  const channel: HttpChannel = await started(async ({ text }) => {
    if (text === 'fail') throw new Error('no model');
    return turn({ text });
  });
  expect(await post(channel, { text: 'fail' })).toMatchObject({ status: 500, body: { error: 'The turn failed: no model' } });
  expect(await post(channel, { text: 'go on' })).toMatchObject({ status: 200, body: { text: 'go on' } });
});

describe('a request is refused', () => {
  const never: Answer = () => Promise.reject(new Error('a refused request must not reach the agent'));

  test.each([
    ['without a token', { headers: { authorization: '' } }, 401, 'Send `Authorization: Bearer TOKEN`.'],
    ['with another token', { headers: { authorization: 'Bearer wrong' } }, 401, 'The token is missing or wrong.'],
    ['from a web page', { headers: { origin: 'http://127.0.0.1' } }, 403, 'Requests from web pages are not accepted.'],
    ['at another path', { path: '/v1/other' }, 404, 'Use /v1/messages or /v1/resume.'],
    ['with another method', { method: 'GET' }, 405, '/v1/messages takes POST.'],
    ['that is not JSON by its type', { headers: { 'content-type': 'text/plain' } }, 415, 'Send `Content-Type: application/json`.'],
  ])('%s', async (_, more, status, error) => {
    const channel = await started(never);
    const refused = await post(channel, { text: 'x' }, more);
    expect(refused).toMatchObject({ status, body: { error: expect.stringContaining(error) } });
  });

  test.each([
    ['{"text":', 'The body is not JSON: '],
    ['[]', 'The body must be an object.'],
    [{}, '`text` is missing.'],
    [{ text: 1 }, '`text` must be text that is not empty.'],
    [{ text: 'x', session: '' }, '`session` must be text that is not empty.'],
    [{ text: 'x', sesion: 'a' }, 'There is no `sesion`. The body has `text`, `session`, `user`.'],
  ])('with the body %j', async (body, error) => {
    const channel = await started(never);
    expect(await post(channel, body)).toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } });
  });

  test('with a body over the limit', async () => {
    const channel = await started(never, { maxBytes: 100 });
    expect(await post(channel, { text: 'x'.repeat(200) })).toMatchObject({
      status: 413,
      body: { error: 'The body has more than 100 bytes.' },
    });
  });

  test('with the name of another host, as a page that rebinds its name sends it', async () => {
    const channel = await started(never);
    const { port } = channel.address as { port: number };
    const headers = { host: `evil.example:${port}`, authorization: `Bearer ${channel.token}`, 'content-type': 'application/json' };
    const status = await new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/messages', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.once('error', reject);
      sent.end('{"text":"x"}');
    });
    expect(status).toBe(403);
  });
});

test('a further name of the machine is accepted if it is given', async () => {
  const channel: HttpChannel = await started(async () => turn({ text: 'yes' }), { hosts: ['Agent.example:80'] });
  const { port } = channel.address as { port: number };
  const headers = { host: 'agent.example:80', authorization: `Bearer ${channel.token}`, 'content-type': 'application/json' };
  const status = await new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/messages', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end('{"text":"x"}');
  });
  expect(status).toBe(200);
});

test('a caller that disconnects ends its turn', async () => {
  let seen: AbortSignal | undefined;
  const channel = await started(
    ({ signal }) =>
      new Promise((resolve) => {
        seen = signal;
        signal?.addEventListener('abort', () => resolve(turn({ status: 'aborted' })));
      }),
  );
  const caller = new AbortController();
  const { url } = channel.address as { url: string };
  const headers = { authorization: `Bearer ${channel.token}`, 'content-type': 'application/json' };
  const asked = fetch(`${url}/v1/messages`, { method: 'POST', headers, body: '{"text":"x"}', signal: caller.signal }).catch(() => 'gone');
  await expect.poll(() => seen, POLL).toBeDefined();
  caller.abort();
  expect(await asked).toBe('gone');
  await expect.poll(() => seen?.aborted, POLL).toBe(true);
});

test('a channel that is stopped answers the request that runs, and accepts no other', async () => {
  let end: (() => void) | undefined;
  const channel: HttpChannel = await started(
    ({ session = '' }) =>
      new Promise((resolve) => {
        end = () => resolve(turn({ text: 'late', session }));
      }),
  );
  const { url } = channel.address as { url: string };
  const running = post(channel, { text: 'x' });
  await expect.poll(() => end, POLL).toBeDefined();
  await channel.stop();
  expect(channel.address).toBeUndefined();
  await expect(fetch(`${url}/v1/messages`, { method: 'POST' })).rejects.toThrow();
  end?.();
  expect(await running).toMatchObject({ status: 200, body: { text: 'late' } });
  await channel.closed;
});

test('a port that is taken rejects the start', async () => {
  const first = await started(async () => turn());
  const second = httpChannel({ port: first.address?.port ?? 0 });
  await expect(Promise.resolve(second.start(async () => turn(), noAgent))).rejects.toThrow('EADDRINUSE');
});

test('a short token is an error, and a token that is left out is random', () => {
  expect(() => httpChannel({ token: 'short' })).toThrow('The token of the HTTP channel has 5 characters, and 16 are the least.');
  expect(httpChannel().token).not.toBe(httpChannel().token);
  expect(httpChannel().token.length).toBeGreaterThan(40);
});
