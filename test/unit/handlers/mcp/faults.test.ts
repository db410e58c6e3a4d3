/** Every way in which a tool of an MCP server can fail to answer is a fault with a name of its own, over stdio and over HTTP. */
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleCall } from '../../../../src/api/testing/describe-handler.ts';
import type { Call } from '../../../../src/core/contracts/handler.ts';
import type { HookHandler } from '../../../../src/core/contracts/hook.ts';
import type { Fault, Reply } from '../../../../src/core/decision/reply.ts';
import { mcpToolHandler } from '../../../../src/handlers/mcp/index.ts';
import { httpTool, startHttpServer, stdioTool, toolOf } from '../../../support/mcp-servers.ts';

const handler = mcpToolHandler();

async function ask(tool: HookHandler, more: Partial<Call> = {}): Promise<Reply | Fault> {
  return handler.handle({ ...sampleCall('mcp_tool', { handler: tool }, {}), ...more });
}

const LIMITS = { outputBytes: 1000, payloadBytes: 100_000, hookContext: 1000, totalContext: 1000 };

test.each<[string, string, Partial<Call>, string, string]>([
  ['a server that ends at its start', 'exit', {}, 'exit', 'exit code 4 before it answered: no licence'],
  ['a server that crashes while it is asked', 'crash', {}, 'exit', 'exit code 3'],
  ['a tool that answers an error', 'error', {}, 'threw', 'the scanner is broken'],
  ['a tool that answers a picture', 'picture', {}, 'malformed', 'without a text'],
  ['a server that answers something that is no result', 'strange', {}, 'malformed', 'cannot be used'],
  ['a tool that the server does not have', 'no-tool', {}, 'threw', 'refused'],
  ['a tool that answers too much', 'flood', { limits: LIMITS }, 'oversize', 'bytes'],
  ['a tool that never answers', 'hang', { timeoutMs: 1500 }, 'timeout', '1500 ms'],
  ['a server that never answers', 'mute', { timeoutMs: 1500 }, 'timeout', '1500 ms'],
])('%s is a fault', async (_, mode, more, kind, says) => {
  expect(await ask(stdioTool(mode), more)).toMatchObject({ kind: 'fault', fault: kind, detail: expect.stringContaining(says) });
});

test('a server that cannot be started is a fault that names the file', async () => {
  const answer = await ask(toolOf({ transport: 'stdio', command: '/nowhere/server', args: [], expands: true }));
  expect(answer).toMatchObject({ fault: 'spawn', detail: expect.stringContaining('/nowhere/server') });
});

test('a server that no file defines is a fault that says where it was searched', async () => {
  expect(await ask(toolOf({ from: 'nowhere' }, undefined, { missing: 'no file defines it (searched: /p/.mcp.json)' }))).toMatchObject({
    fault: 'unavailable',
    detail: "the MCP server 'scanner' cannot be asked: no file defines it (searched: /p/.mcp.json)",
  });
});

test('an input that is too large is a fault, and nothing is started', async () => {
  const tool = stdioTool('answer', { input: { text: 'x'.repeat(1000) } });
  expect(await ask(tool, { limits: { ...LIMITS, payloadBytes: 100 } })).toMatchObject({ fault: 'oversize' });
});

test('a server that greets on the wrong stream is asked all the same', async () => {
  expect(await ask(stdioTool('greeting'))).toMatchObject({ kind: 'process', exit: 0, stdout: expect.stringContaining('by the tool') });
});

test('a tool without an opinion answers nothing, and structured content is its answer', async () => {
  expect(await ask(stdioTool('nothing'))).toMatchObject({ kind: 'process', exit: 0, stdout: '' });
  expect(await ask(stdioTool('structured'))).toMatchObject({ stdout: '{"decision":"block","reason":"structured"}' });
});

const started: ChildProcess[] = [];
const urls = new Map<string, string>();
beforeAll(async () => {
  for (const mode of ['answer', 'error', 'crash', 'flood', 'hang']) {
    const { url, child } = await startHttpServer(mode, ...(mode === 'answer' ? ['Bearer t0'] : []));
    started.push(child);
    urls.set(mode, url);
  }
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

test('a tool is asked over HTTP, with the headers of its server', async () => {
  const answer = await ask(httpTool(urls.get('answer') ?? '', { authorization: 'Bearer t0' }));
  expect(answer).toMatchObject({ kind: 'process', exit: 0, stdout: expect.stringContaining('by the tool') });
  expect(await ask(httpTool(urls.get('answer') ?? ''))).toMatchObject({ fault: 'status', detail: expect.stringContaining('401') });
});

test.each<[string, string, Partial<Call>, string]>([
  ['answers an error', 'error', {}, 'threw'],
  ['answers too much', 'flood', { limits: LIMITS }, 'oversize'],
  ['never answers', 'hang', { timeoutMs: 1500 }, 'timeout'],
  ['crashes', 'crash', {}, 'network'],
  ['is not there any more', 'crash', {}, 'network'],
])('a server over HTTP that %s is a fault', async (_, mode, more, kind) => {
  expect(await ask(httpTool(urls.get(mode) ?? ''), more)).toMatchObject({ kind: 'fault', fault: kind });
});

test.each([
  ['http://169.254.169.254/mcp', 'metadata service'],
  ['file:///etc/passwd', 'no http or https URL'],
])('%s is never asked', async (url, says) => {
  expect(await ask(httpTool(url))).toMatchObject({ fault: 'network', detail: expect.stringContaining(says) });
});
