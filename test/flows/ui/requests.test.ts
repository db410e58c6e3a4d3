/** Requests that the dashboard refuses, over a real socket, and the headers of every answer. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { loadAssets } from '../../../src/ui/assets.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { type AskOptions, askRaw, type Dashboard, openDashboard, READS, SECRET, SETTLES } from './dashboard.ts';

interface Row {
  readonly name: string;
  readonly path: string;
  readonly options: (dashboard: Dashboard) => AskOptions;
  readonly status: number;
  readonly says: string;
}

const bearer = ({ token }: Dashboard): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });
const port = ({ ui }: Dashboard): number => ui.port;
const LEAVE = { method: 'POST', body: {} } as const;

const ROWS: readonly Row[] = [
  {
    name: 'another host',
    path: '/v1/me',
    options: (d) => ({ headers: { ...bearer(d), host: 'evil.example' } }),
    status: 403,
    says: 'another host',
  },
  {
    ...{ name: 'a name that leads here, without the port', path: '/v1/me', status: 403, says: 'another host' },
    options: (d) => ({ headers: { ...bearer(d), host: '127.0.0.1' } }),
  },
  {
    ...{ name: 'another host for a page', path: '/', status: 403, says: 'another host' },
    options: (d) => ({ headers: { host: `evil.example:${port(d)}` } }),
  },
  {
    ...{ name: 'another origin', path: '/v1/me', status: 403, says: 'another page' },
    options: (d) => ({ headers: { ...bearer(d), origin: 'http://evil.example' } }),
  },
  {
    ...{ name: 'the origin of another port', path: '/v1/leave', status: 403, says: 'another page' },
    options: (d) => ({ ...LEAVE, headers: { ...bearer(d), origin: `http://127.0.0.1:${port(d) + 1}` } }),
  },
  {
    ...{ name: 'an origin that is null', path: '/v1/leave', status: 403, says: 'another page' },
    options: (d) => ({ ...LEAVE, headers: { ...bearer(d), origin: 'null' } }),
  },
  {
    ...{ name: 'a write without an origin', path: '/v1/leave', status: 403, says: 'from which page' },
    options: (d) => ({ ...LEAVE, isBare: true, headers: { ...bearer(d), 'content-type': 'application/json' } }),
  },
  {
    ...{ name: 'a request that the browser calls cross-site', path: '/v1/me', status: 403, says: 'another page' },
    options: (d) => ({ headers: { ...bearer(d), 'sec-fetch-site': 'cross-site' } }),
  },
  { name: 'no token', path: '/v1/me', options: () => ({}), status: 401, says: 'token' },
  { name: 'a wrong token', path: '/v1/me', options: () => ({ headers: { authorization: 'Bearer x' } }), status: 401, says: 'token' },
  {
    ...{ name: 'a token in a cookie', path: '/v1/me', status: 401, says: 'token' },
    options: ({ token }) => ({ headers: { cookie: `token=${token}` } }),
  },
  {
    ...{ name: 'a token in the address', path: '/v1/me?token=x', status: 401, says: 'token' },
    options: () => ({}),
  },
  { name: 'an unknown route', path: '/v1/nothing', options: (d) => ({ headers: bearer(d) }), status: 404, says: 'no such route' },
  {
    ...{ name: 'a wrong method', path: '/v1/me', status: 405, says: 'does not take POST' },
    options: (d) => ({ method: 'POST', body: {}, headers: bearer(d) }),
  },
  {
    ...{ name: 'an unknown parameter', path: '/v1/entries?limti=3', status: 400, says: 'Did you mean `limit`?' },
    options: (d) => ({ headers: bearer(d) }),
  },
  {
    ...{ name: 'a parameter of another type', path: '/v1/entries?limit=many', status: 400, says: '`limit` must be an integer' },
    options: (d) => ({ headers: bearer(d) }),
  },
  {
    ...{ name: 'a parameter out of bounds', path: '/v1/entries?limit=1001', status: 400, says: 'at most 1000' },
    options: (d) => ({ headers: bearer(d) }),
  },
  {
    ...{ name: 'a decision that is none', path: '/v1/entries?decision=deny,maybe', status: 400, says: 'must be one of' },
    options: (d) => ({ headers: bearer(d) }),
  },
  {
    ...{ name: 'a parameter given twice', path: '/v1/entries?tool=a&tool=b', status: 400, says: 'given twice' },
    options: (d) => ({ headers: bearer(d) }),
  },
  {
    ...{ name: 'a path that cannot be decoded', path: '/v1/entries/%ff', status: 404, says: 'no such route' },
    options: (d) => ({ headers: bearer(d) }),
  },
  {
    ...{ name: 'a body that is no JSON', path: '/v1/what-if', status: 400, says: 'no JSON' },
    options: (d) => ({ method: 'POST', body: '{', headers: bearer(d) }),
  },
  {
    ...{ name: 'a body of another type', path: '/v1/what-if', status: 415, says: 'must be JSON' },
    options: (d) => ({ method: 'POST', body: '{"command":"ls"}', headers: { ...bearer(d), 'content-type': 'text/plain' } }),
  },
  {
    ...{ name: 'an unknown field', path: '/v1/what-if', status: 400, says: 'has no `run`' },
    options: (d) => ({ method: 'POST', body: { command: 'ls', run: true }, headers: bearer(d) }),
  },
  {
    ...{ name: 'a field that every object has', path: '/v1/what-if', status: 400, says: 'has no `__proto__`' },
    options: (d) => ({ method: 'POST', body: '{"command":"ls","__proto__":{}}', headers: bearer(d) }),
  },
  {
    ...{ name: 'a body that is too large', path: '/v1/what-if', status: 413, says: 'more than' },
    options: (d) => ({ method: 'POST', body: { command: 'x'.repeat(2 ** 21) }, headers: bearer(d) }),
  },
  {
    ...{ name: 'a code without the secret', path: '/code', status: 404, says: 'no such page' },
    options: () => ({ method: 'POST', headers: { 'x-hookline-ui': 'guessed' } }),
  },
  { name: 'a page that is none', path: '/index.html', options: () => ({}), status: 404, says: 'no such page' },
  { name: 'a path above the pages', path: '/assets/..%2f..%2fpackage.json', options: () => ({}), status: 404, says: 'no such page' },
  { name: 'a write to a page', path: '/', options: () => ({ method: 'POST', body: {} }), status: 405, says: 'only be read' },
];

test('a request that is not that of the page is refused with what is wrong', async () => {
  const dashboard = await openDashboard();
  for (const { name, path, options, status, says } of ROWS) {
    const answer = await askRaw(`${dashboard.origin}${path}`, options(dashboard));
    expect([name, answer.status, answer.text]).toEqual([name, status, expect.stringContaining(says)]);
    expect([name, answer.headers['content-type']]).toEqual([name, 'application/problem+json; charset=utf-8']);
    expect(Object.keys(answer.json())).toEqual(expect.arrayContaining(['type', 'title', 'status', 'detail', 'hint']));
    expect([name, headersOf(answer.headers)]).toEqual([name, SAFE]);
  }
});

const SAFE = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'; .*require-trusted-types-for 'script'/),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** The headers that every answer has, and those that none may have. */
function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = [...Object.keys(SAFE), 'set-cookie', 'access-control-allow-origin'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

test('an answer that is given has the same headers, and none sets a cookie or lets another page read', async () => {
  const { ask, origin, token } = await openDashboard();
  const answers = await Promise.all([ask('/me'), ask('/openapi.json'), ask('/log/export'), ask('/log/verify'), askRaw(`${origin}/`)]);
  for (const { status, headers } of answers) expect([status, headersOf(headers)]).toEqual([200, SAFE]);
  const preflight = await askRaw(`${origin}/v1/me`, { method: 'OPTIONS', headers: { authorization: `Bearer ${token}` } });
  expect([preflight.status, headersOf(preflight.headers)]).toEqual([405, SAFE]);
});

test('bytes that are no request get the same headers, and a header cannot be added through an address', async () => {
  const { ui } = await openDashboard();
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(ui.port, '127.0.0.1', () => socket.end(text));
      let said = '';
      socket.setEncoding('utf8').on('data', (part: string) => {
        said += part;
      });
      socket.on('end', () => resolve(said)).on('error', reject);
    });
  expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*content-security-policy: default-src 'none'/s);
  const host = `Host: 127.0.0.1:${ui.port}`;
  const injected = await raw(`GET /v1/x%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
  expect(injected.split('\r\n\r\n')[0]).not.toMatch(/^set-cookie/im);
  expect(await raw(`GET http://127.0.0.1:${ui.port}/ HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  const above = await raw(`GET /assets/../../../../etc/passwd HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
  expect(above).toMatch(/^HTTP\/1\.1 404 /);
});

test('a code works once, for a minute', async () => {
  let time = 1_000_000;
  const { ui, origin } = await openDashboard({ now: () => time });
  const login = async (code: string): Promise<number> => (await askRaw(`${origin}/v1/login`, { method: 'POST', body: { code } })).status;
  const [used, old, fresh] = [ui.issue(SETTLES), ui.issue(SETTLES), ui.issue(SETTLES)];
  expect(await login(used)).toBe(200);
  expect(await login(used)).toBe(403);
  time += 59_000;
  expect(await login(fresh)).toBe(200);
  time += 2000;
  expect(await login(old)).toBe(403);
  expect(await login('')).toBe(400);
});

test('a code is given to a process with the secret of the file, for whom the server finds it to be', async () => {
  const { origin } = await openDashboard({ welcome: READS });
  const answer = await askRaw(`${origin}/code`, { method: 'POST', headers: { 'x-hookline-ui': SECRET, origin } });
  expect(answer.json()).toMatchObject({ may: 'read', because: READS.because });
  const { code } = answer.json();
  expect((await askRaw(`${origin}/v1/login`, { method: 'POST', body: { code } })).json()).toMatchObject({ may: 'read' });
  // A page cannot ask, because it does not know the secret.
  expect((await askRaw(`${origin}/code`, { method: 'POST' })).status).toBe(404);
});

test('the built pages are served by their names alone, packed if the browser can read that', async () => {
  const { at } = createWorkspace();
  mkdirSync(at('web/assets'), { recursive: true });
  writeFileSync(at('web/index.html'), '<!doctype html><title>pages</title>');
  writeFileSync(at('web/assets/app.0123.js'), `export const text = '${'x'.repeat(5000)}';`);
  writeFileSync(at('web/assets/notes.txt'), 'not served');
  writeFileSync(at('web/secret.js'), 'not served');
  const { origin } = await openDashboard({ assets: loadAssets(at('web')) });
  expect(await askRaw(`${origin}/`)).toMatchObject({ status: 200, text: expect.stringContaining('<title>pages</title>') });
  const plain = await askRaw(`${origin}/assets/app.0123.js`);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': expect.stringContaining('immutable'),
  });
  const packed = await askRaw(`${origin}/assets/app.0123.js`, { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip' });
  expect(Number(packed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']));
  for (const path of ['/secret.js', '/assets/notes.txt', '/assets/', '/assets', '/assets/%2e%2e/secret.js', '//etc/passwd'])
    expect([path, (await askRaw(`${origin}${path}`)).status]).toEqual([path, 404]);
  expect((await askRaw(`${origin}/`, { method: 'HEAD' })).text).toBe('');
});

test('without built pages, the page says how to build them', async () => {
  const { origin } = await openDashboard();
  expect(await askRaw(`${origin}/`)).toMatchObject({ status: 200, text: expect.stringContaining('npm run build') });
});
