/** The client of MCP is an optional package: it is found where Hookline is installed or in the user's folder, and never in the project. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MCP_SERVER } from '../../support/mcp-servers.ts';
import { createWorkspace } from '../../support/workspace.ts';

const repository = path.join(import.meta.dirname, '../../..');
const CLIENT = 'node_modules/@modelcontextprotocol/client';
const HOOK = { hooks: { PreToolUse: [{ hooks: [{ type: 'mcp_tool', server: 'scanner', tool: 'gate' }] }] } };
const SERVERS = { mcpServers: { scanner: { command: process.execPath, args: [MCP_SERVER, 'answer'] } } };

test('a hook without the package is a fault that says how to install it, and a package in the project is not used', () => {
  const workspace = createWorkspace({ '~/.claude/settings.json': JSON.stringify(HOOK), '~/.claude.json': JSON.stringify(SERVERS) });
  const installed = workspace.at('~/installed');
  for (const part of ['package.json', 'dist', 'bin']) cpSync(path.join(repository, part), path.join(installed, part), { recursive: true });
  const link = (folder: string): void => {
    mkdirSync(path.dirname(path.join(folder, CLIENT)), { recursive: true });
    symlinkSync(path.join(repository, CLIENT), path.join(folder, CLIENT), 'junction');
  };
  const fire = (): string => {
    const args = [path.join(installed, 'bin/hookline.js'), 'fire', 'tool.before', '--tool', 'Bash', '--input', '{}', '--json'];
    const env = { PATH: process.env['PATH'], HOME: workspace.home };
    try {
      return execFileSync(process.execPath, args, { cwd: workspace.root, env, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return String((error as { readonly stdout?: unknown }).stdout);
    }
  };
  expect(fire()).toContain('npm install @modelcontextprotocol/client@2');
  link(workspace.root);
  expect(fire()).toContain('npm install @modelcontextprotocol/client@2');
  link(workspace.at('~/.config/hookline'));
  expect(fire()).toContain('by the tool');
});
