// A loop whose tools are those of an MCP server, as the contract suite runs it. The guard is on the client or on the server.
import { Client } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { HaltError, TICKET_KEY } from 'hookline/mcp';
import { connectOverHttp } from './mcp-http.mjs';

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };

/** Returns the agent of the contract. Both guards get the pair, and each puts the hooks before its own side. */
export function loopWith(guard) {
  return async ({ hookline, session, calls, answer, tools, signal, resume }) => {
    const server = new Server({ name: 'contract', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: Object.keys(tools).map((name) => ({ name, inputSchema })) }));
    // An error of this server is an error of the protocol: `McpServer` would make it a result.
    server.setRequestHandler('tools/call', async ({ params }) => ({
      content: [{ type: 'text', text: await tools[params.name](params.arguments) }],
    }));
    const client = new Client({ name: 'loop', version: '1.0.0' });
    guard({ client, server }, hookline, ({ meta }) => ({ session, callId: meta['contract/call'] }));
    const close = await connectOverHttp(client, server);
    try {
      return await run(client, { calls, answer, signal, resume });
    } finally {
      await close();
    }
  };
}

async function run(client, { calls, answer, signal, resume }) {
  const seen = resume?.seen ?? {};
  let modelCalls = resume ? 0 : 1;
  const made = (resume?.calls ?? calls).filter(({ id }) => !(id in seen));
  const results = await Promise.allSettled(
    made.map(({ id, tool, input }) => client.callTool({ name: tool, arguments: input, _meta: { 'contract/call': id } }, { signal })),
  );
  const held = [];
  for (const [index, { value, reason }] of results.entries()) {
    const { id } = made[index];
    if (reason instanceof HaltError) return { modelCalls, seen, modelInput: '', held: [], state: null, output: reason.message };
    if (value?._meta?.[TICKET_KEY]) held.push(id);
    else seen[id] = value ? value.content.map(({ text }) => text).join('\n') : `Error: ${reason.message}`;
  }
  if (held.length > 0) return { modelCalls, seen, modelInput: '', held, state: { seen, calls: resume?.calls ?? calls }, output: '' };
  modelCalls += 1;
  return { modelCalls, seen, modelInput: JSON.stringify(seen), held, state: null, output: answer };
}
