// An MCP server behind the hooks, on stdio. `agent.mjs` starts it.
import path from 'node:path';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createHookline } from 'hookline';
import { guardServer } from 'hookline/mcp';

const folder = process.env.AGENT_STATE;
const hookline = await createHookline({ root: import.meta.dirname, home: folder, store: `sqlite:${path.join(folder, 'hookline.db')}` });
hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Deployments are approved by a person.' }), {
  name: 'ask-first',
  match: '^deploy$',
});

const server = guardServer(new McpServer({ name: 'deployer', version: '1.0.0' }), hookline, { session: 'chat-1' });
const inputSchema = fromJsonSchema({ type: 'object', properties: { to: { type: 'string' } } });
server.registerTool('deploy', { description: 'Deploys.', inputSchema }, async ({ to }) => ({
  content: [{ type: 'text', text: `deployed to ${to}` }],
}));
server.server.onclose = () => hookline.close();
await server.connect(new StdioServerTransport());
