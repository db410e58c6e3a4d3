/** The name of a server comes from its command, never from the server. */
import { expect, test } from 'vitest';
import { serverNameOf, toolNameOf } from '../../../../src/mcp/proxy/server-name.ts';

test.each([
  ['npx -y @modelcontextprotocol/server-filesystem /data', 'filesystem'],
  ['npx -y @scope/github-mcp@1.2.3', 'github'],
  ['node /opt/a/my-server.mjs --port 1', 'my'],
  ['uvx mcp-server-git', 'git'],
  ['pnpm dlx weather-mcp-server', 'weather'],
  ['/usr/local/bin/mail', 'mail'],
  ['python3 -m', 'python3'],
  ['C:\\tools\\db.exe', 'db'],
  ['mcp', 'mcp'],
  ['', 'server'],
])('%s is %s', (command, name) => {
  expect(serverNameOf(command.split(' '))).toBe(name);
});

test('a tool has the name that hooks for MCP match', () => {
  expect(toolNameOf('files', 'write_file')).toBe('mcp__files__write_file');
});
