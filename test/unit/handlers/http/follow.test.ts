/** The laws of redirects and refused places, on real servers. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sampleCall } from '../../../../src/api/testing/describe-handler.ts';
import type { Call } from '../../../../src/core/contracts/handler.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { redirected } from '../../../../src/handlers/http/exchange.ts';
import { httpHandler } from '../../../../src/handlers/http/index.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ask(config: JsonObject, more: Partial<Call> = {}, redirects = 3) {
  const call = sampleCall('http', { handler: { type: 'http', config } }, {});
  return httpHandler.handle({ ...call, ask: { ...call.ask, http: { redirects } }, ...more });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

/** Redirects `/` to `location`, and says what arrives anywhere else. */
const leading =
  (status: number, location: string): RequestListener =>
  async (request, response) => {
    if (request.url === '/') response.writeHead(status, { location }).end();
    else response.end(JSON.stringify({ method: request.method, headers: request.headers, body: await bodyOf(request) }));
  };

test.each([307, 308])('a %i within the origin is followed, and the event sent again as it was', async (status) => {
  const url = await serve(leading(status, '/there'));
  const answer = await ask({ url, headers: { authorization: 'Bearer x' } });
  expect(answer).toMatchObject({ kind: 'http', status: 200 });
  const { method, headers, body } = JSON.parse((answer as { body: string }).body);
  expect([method, headers.authorization, JSON.parse(body)]).toEqual(['POST', 'Bearer x', { tool: 'Bash', input: { command: 'ls' } }]);
});

test.each([301, 302, 303])('on a %i the event is not sent again: that is a fault, not an answer', async (status) => {
  const url = await serve(leading(status, '/there'));
  expect(await ask({ url })).toMatchObject({ fault: 'network', detail: expect.stringContaining(`with status ${status}`) });
});

test('the event is not sent to another origin', async () => {
  let arrived = 0;
  const other = await serve((_, response) => void response.end(String(++arrived)));
  const url = await serve(leading(307, `${other}/there`));
  expect(await ask({ url })).toMatchObject({ fault: 'network', detail: expect.stringContaining('another origin') });
  expect(arrived).toBe(0);
});

test('a request without a body goes to another origin without any header of the hook', async () => {
  const other = await serve(leading(200, ''));
  const url = await serve(leading(302, `${other}/there`));
  const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k' };
  const answer = await ask({ url, method: 'GET', headers });
  const { headers: seen } = JSON.parse((answer as { body: string }).body);
  expect(Object.keys(seen).sort()).toEqual(['connection', 'hookline-depth', 'host']);
  expect(JSON.parse(((await ask({ url: `${other}/x`, method: 'GET', headers })) as { body: string }).body).headers).toMatchObject(headers);
});

test('three redirects are followed, a fourth is a fault', async () => {
  const url = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('there');
    else response.writeHead(307, { location: `/${left - 1}` }).end();
  });
  expect(await ask({ url: `${url}/3` })).toMatchObject({ status: 200, body: 'there' });
  expect(await ask({ url: `${url}/4` })).toMatchObject({ fault: 'network', detail: expect.stringContaining('more than 3 times') });
});

test('where a format follows none, a redirect is an answer', async () => {
  const url = await serve(leading(307, '/there'));
  expect(await ask({ url }, {}, 0)).toMatchObject({ kind: 'http', status: 307 });
});

test('a redirect without a place to go is an answer', async () => {
  const url = await serve((_, response) => void response.writeHead(302).end('lost'));
  expect(await ask({ url })).toMatchObject({ kind: 'http', status: 302, body: 'lost' });
});

test.each([
  ['https to http', 'https://a.test/', 'http://a.test/'],
  ['another protocol', 'https://a.test/', 'file:///etc/passwd'],
  ['no URL', 'https://a.test/', 'http://['],
])('a redirect to %s is refused, with or without a body', (_, from, to) => {
  for (const body of [undefined, Buffer.from('{}')]) {
    expect(redirected({ url: new URL(from), method: 'GET', headers: {}, ours: {}, body }, 307, to)).toMatchObject({ fault: 'network' });
  }
});

test('a redirect does not lead to a refused place', async () => {
  const url = await serve(leading(302, 'http://169.254.169.254/latest/meta-data/'));
  expect(await ask({ url, method: 'GET' })).toMatchObject({
    fault: 'network',
    detail: expect.stringContaining('metadata service of a cloud'),
  });
});

test('a refused place is not connected to, and an exception permits it', async () => {
  const url = 'http://[::ffff:0.0.0.0]:1/';
  expect(await ask({ url })).toMatchObject({ fault: 'network', detail: expect.stringContaining('allowAddresses') });
  const permits = { ...sampleCall('http', {}, {}).permits, allowAddresses: ['0.0.0.0/8'] };
  expect(await ask({ url }, { permits })).toMatchObject({ fault: 'network', detail: expect.stringContaining('could not be asked') });
});

test('a name is looked up and asked', async () => {
  const url = await serve((_, response) => void response.end('here'));
  expect(await ask({ url: url.replace('127.0.0.1', 'localhost') })).toMatchObject({ status: 200, body: 'here' });
});

test('the time limit is over all redirects together', async () => {
  const url = await serve((_, response) => void setTimeout(() => response.writeHead(307, { location: '/' }).end(), 150));
  expect(await ask({ url }, { timeoutMs: 250 })).toEqual({ kind: 'fault', fault: 'timeout', detail: 'did not answer within 250 ms' });
});

test('the server is told how deep the hook is, whatever the hook says itself', async () => {
  const url = await serve((request, response) => void response.end(request.headers['hookline-depth']));
  const nesting = { depth: 3, hooks: [] };
  expect(await ask({ url, headers: { 'Hookline-Depth': '0' } }, { nesting })).toMatchObject({ body: '3' });
});

test('a hook that is nested too deep sends nothing', async () => {
  let asked = false;
  const url = await serve((_, response) => {
    asked = true;
    response.end();
  });
  expect(await ask({ url }, { nesting: { depth: 6, hooks: [] } })).toMatchObject({ fault: 'depth' });
  expect(asked).toBe(false);
});
