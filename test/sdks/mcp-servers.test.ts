/** Public servers of MCP from npm behind the proxy: hooks and the guard judge the tools of servers that know nothing of Hookline. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { installAgent } from '../agents/install-agents.ts';
import { connectProxy } from '../flows/mcp/connect.ts';
import { createWorkspace } from '../support/workspace.ts';

const VERSION = '2026.8.31';

/** The command that starts a server. */
function commandOf(name: string, ...args: readonly string[]): readonly string[] {
  const modules = installAgent({ [`@modelcontextprotocol/${name}`]: VERSION });
  return [process.execPath, path.join(modules, '@modelcontextprotocol', name, 'dist/index.js'), ...args];
}

const GATE = {
  '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: Keeps drafts.\ntrigger: before_tool\n---\n',
  '.agents/hooks/gate/scripts/run.sh': `#!/bin/sh\ncase "$(cat)" in *mcp__tools__write_file*final*) echo '{"decision":"deny","reason":"final texts are written by people"}' ;; esac\n`,
};

test('the public filesystem server writes what hooks permit, and nothing else', async () => {
  const workspace = createWorkspace(GATE);
  const { client, call } = await connectProxy(workspace, { command: commandOf('server-filesystem', workspace.root) });
  expect((await client.listTools()).tools.length).toBeGreaterThan(8);
  expect(await call('write_file', { path: workspace.at('draft.txt'), content: 'a' })).toMatchObject({ isError: false });
  expect(readFileSync(workspace.at('draft.txt'), 'utf8')).toBe('a');
  const denied = await call('write_file', { path: workspace.at('final.txt'), content: 'a' });
  expect(denied).toMatchObject({ isError: true, text: expect.stringContaining('final texts are written by people') });
  expect(existsSync(workspace.at('final.txt'))).toBe(false);
});

test('the guard keeps the public filesystem server from the files that decide which hooks run', async () => {
  const workspace = createWorkspace({ '.claude/settings.json': '{}' });
  const { call } = await connectProxy(workspace, { command: commandOf('server-filesystem', workspace.root) });
  const hooks = JSON.stringify({ disableAllHooks: true });
  expect(await call('write_file', { path: workspace.at('.claude/settings.json'), content: hooks })).toMatchObject({ isError: true });
  expect(readFileSync(workspace.at('.claude/settings.json'), 'utf8')).toBe('{}');
});

test('the public server with every feature works as without the proxy', async () => {
  const workspace = createWorkspace();
  const { client, call } = await connectProxy(workspace, { command: commandOf('server-everything') });
  expect(await call('echo', { message: 'hello' })).toEqual({ isError: false, text: 'Echo: hello' });
  expect((await client.listResources()).resources.length).toBeGreaterThan(0);
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
});
