/** `hookline mcp --http`: the official client gets in with the token; every other request is refused before anything is read. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { BIN } from './connect.ts';

interface Served {
  readonly url: URL;
  readonly token: string;
  readonly tokenFile: string;
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
}

async function serve({ root, home }: Workspace): Promise<Served> {
  const child = spawn(process.execPath, [BIN, 'mcp', '--http', '--json'], {
    ...{ cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { PATH: process.env['PATH'], HOME: home, HOOKLINE_HOME: home },
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const told = await new Promise<string>((resolve) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.endsWith('}\n')) resolve(said);
    });
  });
  const { url, tokenFile } = JSON.parse(told);
  return { url: new URL(url), token: readFileSync(tokenFile, 'utf8').trim(), tokenFile, child, exit };
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Node's `fetch` sets some of these headers itself. */
function post(url: URL, headers: Readonly<Record<string, string>>, body = '{}'): Promise<Answer> {
  const whole = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: whole }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

for (const mode of ['legacy', 'auto'] as const) {
  test(`the official client lists and calls tools over HTTP (${mode})`, async () => {
    const { url, token } = await serve(createWorkspace());
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(await client.callTool({ name: 'hook_list', arguments: {} })).toMatchObject({ structuredContent: { hooks: [] } });
  });
}

test('a request without the token, from a page, for another host, or that is too large is refused', async () => {
  const { url, token, tokenFile } = await serve(createWorkspace());
  const authorization = `Bearer ${token}`;
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  expect(await post(url, {})).toEqual({ status: 401, text: 'Refused: the token is missing or wrong.\n' });
  expect((await post(url, { authorization: `Bearer ${token.replace(/./g, '0')}` })).status).toBe(401);
  expect((await post(url, { authorization, host: 'evil.example' })).status).toBe(403);
  expect((await post(url, { authorization, host: `evil.example:${url.port}` })).status).toBe(403);
  expect((await post(url, { authorization, origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(url, { authorization, origin: 'null' })).status).toBe(403);
  expect((await post(new URL('/other', url), { authorization })).status).toBe(404);
  expect((await post(url, { authorization }, ' '.repeat(5 * 1024 * 1024))).status).toBe(413);
  expect((await post(url, { authorization }, '{')).status).toBe(400);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect(await post(url, { authorization }, JSON.stringify(list))).toMatchObject({
    status: 200,
    text: expect.stringContaining('hook_why'),
  });
});

test('it listens on the loopback address alone, and a signal ends it with exit code 0 and without its token', async () => {
  const { url, tokenFile, child, exit } = await serve(createWorkspace());
  expect(url.hostname).toBe('127.0.0.1');
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(existsSync(tokenFile)).toBe(false);
});
