// An MCP server whose deployments wait for a person: node examples/sdks/mcp/agent.mjs
// The first start holds the call and ends. Approve it with `hookline approvals approve`, or with `approve` as an argument, and start it again.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createHookline } from 'hookline';

const folder = process.env.AGENT_STATE ?? path.join(import.meta.dirname, '.state');
mkdirSync(folder, { recursive: true });

if (process.argv[2] === 'approve') {
  const hookline = await createHookline({ root: import.meta.dirname, home: folder, store: `sqlite:${path.join(folder, 'hookline.db')}` });
  for (const { id } of await hookline.approvals.list({ state: 'open' })) {
    await hookline.approvals.approve(id, { by: 'you' });
    console.log(`approved ${id}`);
  }
  await hookline.close();
} else {
  // Any MCP client: it knows nothing of Hookline, and the server is a process of its own.
  const server = fileURLToPath(new URL('server.mjs', import.meta.url));
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server], env: { ...process.env, AGENT_STATE: folder } }),
  );
  const { content } = await client.callTool({ name: 'deploy', arguments: { to: 'production' } });
  console.log(content.map(({ text }) => text).join('\n'));
  await client.close();
}
