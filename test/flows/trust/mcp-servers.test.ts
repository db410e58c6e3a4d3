/** A hook that calls a tool of an MCP server is trusted together with the definition of the server and the files that the server runs. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { BASH, trustAll } from './trusted-project.ts';

const ASK = { trust: 'ask' } as const;
const HOOK = { hooks: { PreToolUse: [{ hooks: [{ type: 'mcp_tool', server: 'scanner', tool: 'scan' }] }] } };
const settings = JSON.stringify(HOOK);

/** A server without a package: it answers the handshake and every call, and leaves a mark that it ran. */
const server = (mark: string, reason = 'closed'): string => `
import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(mark)}, '');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const text = JSON.stringify({ decision: 'block', reason: ${JSON.stringify(reason)} + (process.env.LEVEL ?? '') });
  const result = method === 'initialize'
    ? { protocolVersion: params.protocolVersion, serverInfo: { name: 's', version: '1' }, capabilities: { tools: {} } }
    : { content: [{ type: 'text', text }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
`;

const definition = (more: object = {}): object => ({ scanner: { command: process.execPath, args: ['.claude/server.mjs'], ...more } });
const mcpJson = (more: object = {}): string => JSON.stringify({ mcpServers: definition(more) });

function project(): Workspace {
  const workspace = createWorkspace({ '.claude/settings.json': settings, '.mcp.json': mcpJson({ env: { LEVEL: '1' } }) });
  workspace.write({ '.claude/server.mjs': server(workspace.at('~/ran')) });
  return workspace;
}

const fire = async (workspace: Workspace) => (await workspace.open(ASK)).fire('tool.before', BASH);
const hasRun = (workspace: Workspace): boolean => existsSync(workspace.at('~/ran'));

test('a trusted hook calls the tool of a server that the project defines', async () => {
  const workspace = project();
  await trustAll(workspace);
  expect(await fire(workspace)).toMatchObject({ decision: 'deny', reason: 'closed1' });
});

test('the server of a hook that is not trusted is never started', async () => {
  const workspace = project();
  expect(await fire(workspace)).toMatchObject({ hooks: [{ status: 'skipped', skip: 'untrusted' }] });
  expect(hasRun(workspace)).toBe(false);
});

test.each<[string, (workspace: Workspace) => Record<string, string>]>([
  ['the command of the server', () => ({ '.mcp.json': mcpJson({ env: { LEVEL: '1' }, command: '/usr/bin/env' }) })],
  ['its arguments', () => ({ '.mcp.json': mcpJson({ env: { LEVEL: '1' }, args: ['.claude/server.mjs', '--quiet'] }) })],
  ['the value of a variable', () => ({ '.mcp.json': mcpJson({ env: { LEVEL: '2' } }) })],
  ['a variable', () => ({ '.mcp.json': mcpJson({ env: { LEVEL: '1', NODE_OPTIONS: '--no-warnings' } }) })],
  ['its kind', () => ({ '.mcp.json': JSON.stringify({ mcpServers: { scanner: { type: 'http', url: 'http://127.0.0.1:1/' } } }) })],
  ['its file', (workspace) => ({ '.claude/server.mjs': server(workspace.at('~/ran'), 'open') })],
])('a change of %s after the trust makes the hook untrusted, and the server is not started', async (_, change) => {
  const workspace = project();
  await trustAll(workspace);
  workspace.write(change(workspace));
  expect(await fire(workspace)).toMatchObject({ decision: 'deny', hooks: [{ status: 'skipped', skip: 'modified since it was trusted' }] });
  expect(hasRun(workspace)).toBe(false);
});

test('an engine that lives on starts what was trusted, and no other server, until it reloads', async () => {
  const workspace = project();
  await trustAll(workspace);
  const hookline = await workspace.open(ASK);
  workspace.write({ '.mcp.json': mcpJson({ env: { LEVEL: '2' } }) });
  expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'closed1' });
  await hookline.reload();
  expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', hooks: [{ skip: 'modified since it was trusted' }] });
});

test('a server that the user adds under the same name for this project asks for trust again', async () => {
  const workspace = project();
  await trustAll(workspace);
  workspace.write({ '~/.claude.json': JSON.stringify({ projects: { [workspace.root]: { mcpServers: definition() } } }) });
  expect((await (await workspace.open(ASK)).list()).hooks).toMatchObject([{ trust: 'modified' }]);
});

test('a hook of the user starts no server of a project', async () => {
  const workspace = project();
  workspace.write({ '~/.claude/settings.json': settings, '.claude/settings.json': '{}' });
  const hookline = await workspace.open(ASK);
  expect((await hookline.fire('tool.before', BASH)).hooks).toMatchObject([
    { status: 'faulted', fault: { kind: 'unavailable', detail: expect.stringContaining('only the project defines it') } },
  ]);
  expect(hasRun(workspace)).toBe(false);
  expect((await hookline.list()).diagnostics).toContainEqual(expect.objectContaining({ code: 'unknown-server', line: 1 }));
});

test("a hook of the user asks the user's own server, although the project has one of this name", async () => {
  const workspace = project();
  workspace.write({ '~/.claude/settings.json': settings, '.claude/settings.json': '{}' });
  workspace.write({
    '~/server.mjs': server(workspace.at('~/own'), 'by the user'),
    '~/.claude.json': JSON.stringify({ mcpServers: definition({ args: [workspace.at('~/server.mjs')] }) }),
  });
  expect(await fire(workspace)).toMatchObject({ decision: 'deny', reason: 'by the user' });
  expect([hasRun(workspace), existsSync(workspace.at('~/own'))]).toEqual([false, true]);
});

test('a server in the format of Codex is asked, and its definition is covered too', async () => {
  const hooks = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'mcp_tool', server: 'scanner', tool: 'scan' }] }] } });
  const toml = (level: string): string =>
    `[mcp_servers.scanner]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["server.mjs"]\n[mcp_servers.scanner.env]\nLEVEL = "${level}"\n`;
  const workspace = createWorkspace({ '.codex/hooks.json': hooks, '.codex/config.toml': toml('7') });
  workspace.write({ 'server.mjs': server(workspace.at('~/ran')) });
  await trustAll(workspace);
  expect(await fire(workspace)).toMatchObject({ decision: 'deny', reason: 'closed7' });
  workspace.write({ '.codex/config.toml': toml('8') });
  expect(await fire(workspace)).toMatchObject({ decision: 'deny', hooks: [{ skip: 'modified since it was trusted' }] });
});

test.each([
  ['broken', '{ "mcpServers": ', 'is no valid JSON'],
  ['without the server', '{ "mcpServers": {} }', 'no file defines it'],
  ['with a server of another kind', '{ "mcpServers": { "scanner": { "type": "sse", "url": "http://x/" } } }', 'has the type `sse`'],
])('a file of servers that is %s is a fault that says so', async (_, text, says) => {
  const workspace = project();
  workspace.write({ '.mcp.json': text });
  await trustAll(workspace);
  expect((await fire(workspace)).hooks).toMatchObject([{ fault: { kind: 'unavailable', detail: expect.stringContaining(says) } }]);
});
