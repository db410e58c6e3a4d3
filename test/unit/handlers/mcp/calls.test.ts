/** The process and the input that a tool of an MCP server gets, and the end of everything that the server started. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleCall } from '../../../../src/api/testing/describe-handler.ts';
import type { Call } from '../../../../src/core/contracts/handler.ts';
import type { HookHandler } from '../../../../src/core/contracts/hook.ts';
import { MCP_TOOL } from '../../../../src/handlers/kit/describe.ts';
import { mcpToolHandler } from '../../../../src/handlers/mcp/index.ts';
import { MCP_SERVER, stdioTool, toolOf } from '../../../support/mcp-servers.ts';

const handler = mcpToolHandler();
const mark = (name: string): string => `\${${name}}`;

async function echo(tool: HookHandler, more: Partial<Call> = {}) {
  const answer = await handler.handle({ ...sampleCall('mcp_tool', { handler: tool }, {}), ...more });
  if (answer.kind !== 'process') throw new Error(JSON.stringify(answer));
  return JSON.parse(answer.stdout) as { input: unknown; env: Record<string, string>; cwd: string; args: string[] };
}

test('parts of the event take the place of their marks, at any depth', async () => {
  const input = {
    path: mark('tool_input.file_path'),
    both: `${mark('session_id')}: ${mark('tool_input.edits.1.new')}`,
    list: [mark('tool_input'), 7, { deep: mark('tool_input.count') }],
    none: `<${mark('tool_input.absent')}>`,
    proto: mark('tool_input.constructor'),
    plain: '$HOME and {braces}',
  };
  const tool_input = { file_path: '/a "b"', edits: [{ new: 'x' }, { new: mark('session_id') }], count: 2 };
  const seen = await echo(stdioTool('echo', { input }), { payload: { session_id: 's1', tool_input } });
  expect(seen.input).toEqual({
    path: '/a "b"',
    // The text of an event is data: a mark in it stays.
    both: `s1: ${mark('session_id')}`,
    list: [JSON.stringify(tool_input), 7, { deep: '2' }],
    none: '<>',
    proto: '',
    plain: '$HOME and {braces}',
  });
});

test('a server sees the variables that every hook sees, its own, and none of the others', async () => {
  const environment = { PATH: process.env['PATH'], HOME: '/home/me', API_TOKEN: 'hidden', REGION: 'eu' };
  const env = { SCANNER_KEY: mark('API_TOKEN'), LEVEL: mark('LEVEL:-high'), PLAIN: 'a b' };
  const seen = await echo(stdioTool('echo', { env, args: ['stdio', mark('REGION'), `-${mark('NONE:-x y')}-`] }), { environment });
  expect(seen.env).toMatchObject({ HOME: '/home/me', SCANNER_KEY: 'hidden', LEVEL: 'high', PLAIN: 'a b', HOOKLINE_DEPTH: '0' });
  expect(Object.keys(seen.env).filter((name) => ['API_TOKEN', 'REGION'].includes(name))).toEqual([]);
  expect(seen.args).toEqual(['echo', 'stdio', 'eu', '-x y-']);
});

test('a variable that the definition needs and nobody has set is a fault that names it', async () => {
  const tool = stdioTool('echo', { env: { KEY: mark('NOT_SET_ANYWHERE') } });
  const answer = await handler.handle(sampleCall('mcp_tool', { handler: tool }, {}));
  expect(answer).toMatchObject({ fault: 'unavailable', detail: expect.stringContaining('NOT_SET_ANYWHERE') });
});

test('a definition without marks is used as it is written', async () => {
  const definition = { transport: 'stdio', command: process.execPath, args: [MCP_SERVER, 'echo', 'stdio', mark('HOME')], expands: false };
  const seen = await echo(toolOf({ ...definition, passes: ['REGION'], cwd: '/' }), { environment: { PATH: '/bin', REGION: 'eu' } });
  expect([seen.args, seen.env['REGION'], seen.cwd]).toEqual([['echo', 'stdio', mark('HOME')], 'eu', '/']);
});

test('a call that is given up ends everything that the server started', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const note = path.join(folder, 'pid');
  const caller = new AbortController();
  const tool = stdioTool('offspring', { args: ['stdio', note] });
  const answer = handler.handle({ ...sampleCall('mcp_tool', { handler: tool }, {}), signal: caller.signal });
  await until(() => existsSync(note) && readFileSync(note, 'utf8') !== '');
  const pid = Number(readFileSync(note, 'utf8'));
  expect(isAlive(pid)).toBe(true);
  caller.abort();
  expect(await answer).toMatchObject({ fault: 'cancelled' });
  await until(() => !isAlive(pid));
});

test('an audit is told the line that starts the server, with its variables', () => {
  const describe = (more: object) => MCP_TOOL.describe({ server: 's', tool: 't', definition: { transport: 'stdio', ...more } });
  expect(describe({ command: 'node', args: ['a b.mjs', "it's"], expands: true })).toEqual({
    does: 'run',
    command: `node 'a b.mjs' 'it'\\''s'`,
  });
  const line = `node "${mark('ROOT:-.')}/s.mjs" "\\$(id) \\"${mark('X')}"`;
  expect(describe({ command: 'node', args: [`${mark('ROOT:-.')}/s.mjs`, `$(id) "${mark('X')}`], expands: true })).toMatchObject({
    command: line,
  });
  expect(describe({ command: 'node', args: [mark('X')], expands: false, cwd: 'in here' })).toMatchObject({
    command: `cd 'in here' && node '${mark('X')}'`,
  });
  expect(MCP_TOOL.describe({ server: 's', tool: 't', definition: { transport: 'http', url: 'https://e.example/' } })).toMatchObject({
    does: 'request',
    url: 'https://e.example/',
  });
  expect(MCP_TOOL.describe({ server: 's', tool: 't' })).toMatchObject({ does: 'ask' });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead process that its parent has not reaped yet has this state.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
