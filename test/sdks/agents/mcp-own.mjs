// The laws of MCP alone: each scene runs the official client and the official server over HTTP, and is printed as JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer, Server } from '@modelcontextprotocol/server';
import { createHookline } from 'hookline';
import { guardClient, guardServer, TICKET_KEY } from 'hookline/mcp';
import { connectOverHttp, serveOverHttp } from './mcp-http.mjs';

const INPUT = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } });
const OUTPUT = fromJsonSchema({ type: 'object', properties: { key: { type: 'string' } }, required: ['key'] });
const DENY = () => ({ decision: 'deny', reason: 'notes are private' });
const textOf = ({ content }) => content.map(({ text }) => text).join('\n');
const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Each scene gets a fresh engine, server and client, and returns its observations. */
const scenes = {
  async registered({ hookline, server, connect, ran }) {
    hookline.on('tool.before', DENY);
    server.registerTool('early', { inputSchema: INPUT }, run(ran, 'early'));
    guardServer(server, hookline, { session: 's' });
    server.registerTool('late', { inputSchema: INPUT }, run(ran, 'late'));
    const client = await connect();
    const results = [await client.callTool({ name: 'early', arguments: {} }), await client.callTool({ name: 'late', arguments: {} })];
    return { ran, errors: results.map(({ isError }) => isError), texts: results.map(textOf) };
  },

  async replacedHandlers({ hookline, connect, ran }) {
    hookline.on('tool.before', DENY);
    const raw = guardServer(new Server({ name: 'raw', version: '1' }, { capabilities: { tools: {} } }), hookline, { session: 's' });
    raw.setRequestHandler('tools/call', async ({ params }) => run(ran, params.name)(params.arguments));
    const first = await connect(new Client({ name: 'c', version: '1' }), raw);
    const set = await first.callTool({ name: 'set', arguments: {} });
    const fallback = new Server({ name: 'fallback', version: '1' }, { capabilities: { tools: {} } });
    guardServer(fallback, hookline, { session: 's' });
    fallback.fallbackRequestHandler = async ({ params }) => run(ran, params.name)(params.arguments);
    const second = await connect(new Client({ name: 'c', version: '1' }), fallback);
    const fell = await second.callTool({ name: 'fell', arguments: {} });
    return { ran, errors: [set.isError, fell.isError] };
  },

  async toolErrors({ hookline, server, connect }) {
    const kinds = [];
    for (const kind of ['tool.after', 'tool.error']) hookline.on(kind, () => void kinds.push(kind));
    hookline.on('tool.after', ({ data }) => ({ replace: data.result.content[0].text.replace('SECRET', 'hidden') }));
    guardServer(server, hookline, { session: 's' });
    server.registerTool('broken', { inputSchema: INPUT }, async () => {
      throw new Error('the key SECRET is wrong');
    });
    const { isError, ...result } = await (await connect()).callTool({ name: 'broken', arguments: {} });
    return { kinds, isError, text: textOf(result) };
  },

  async structured({ hookline, server, connect }) {
    hookline.on('tool.after', ({ data }) => ({ replace: data.input.text === 'text' ? 'a text' : { key: 'hidden' } }));
    guardServer(server, hookline, { session: 's' });
    server.registerTool('key', { inputSchema: INPUT, outputSchema: OUTPUT }, async () => ({
      ...text('SECRET'),
      structuredContent: { key: 'SECRET' },
    }));
    const client = await connect();
    await client.listTools();
    const object = await client.callTool({ name: 'key', arguments: { text: 'object' } });
    const asText = await client.callTool({ name: 'key', arguments: { text: 'text' } });
    return { object: object.structuredContent, isError: asText.isError, leaks: JSON.stringify([object, asText]).includes('SECRET') };
  },

  async onceEach({ hookline, server, connect, ran }) {
    const asked = [];
    hookline.on('tool.before', ({ data }) => {
      asked.push(data.tool);
      return data.input.text === 'bad' ? DENY() : undefined;
    });
    server.registerTool('read', { inputSchema: INPUT }, run(ran, 'read'));
    const client = guardClient(new Client({ name: 'c', version: '1' }), hookline, { session: 's', server: 'files' });
    await connect(client);
    await client.callTool({ name: 'read', arguments: { text: 'a' } });
    await client.request({ method: 'tools/call', params: { name: 'read', arguments: { text: 'b' } } });
    const refused = await client.request({ method: 'tools/call', params: { name: 'read', arguments: { text: 'bad' } } });
    return { asked, ran, isError: refused.isError };
  },

  async retries({ hookline, server, connect, ran }) {
    hookline.on('tool.before', () => ({ decision: 'hold', reason: 'a person decides' }));
    guardServer(server, hookline, { session: 's' });
    server.registerTool('deploy', { inputSchema: INPUT }, run(ran, 'deploy'));
    const client = await connect();
    const call = () => client.callTool({ name: 'deploy', arguments: { text: 'production' } });
    const held = await call();
    const ticket = held._meta[TICKET_KEY];
    const says = textOf(held).includes(`hookline approvals approve ${ticket}`);
    const early = await call();
    const before = ran.length;
    await hookline.approvals.approve(ticket, { by: 'ann' });
    const after = textOf(await call());
    const replay = await call();
    return { says, early: early.isError, before, after, replay: replay.isError, ran };
  },

  async parallel({ hookline, server, connect, ran }) {
    hookline.on('tool.before', async ({ data }) => {
      await new Promise(setImmediate);
      return Number(data.input.text) % 2 === 1 ? DENY() : { rewrite: { text: `${data.input.text}!` } };
    });
    guardServer(server, hookline, { session: 's' });
    server.registerTool('read', { inputSchema: INPUT }, run(ran, 'read'));
    const client = await connect();
    const calls = Array.from({ length: 20 }, (_, index) => client.callTool({ name: 'read', arguments: { text: String(index) } }));
    const results = await Promise.all(calls);
    return { ran: ran.map((one) => one.replace('read ', '')).sort(), denied: results.filter(({ isError }) => isError).length };
  },

  async badContext({ hookline, server, connect, ran }) {
    guardServer(server, hookline, ({ tool }) => {
      if (tool === 'thrown') throw new Error('no such user');
      return {};
    });
    for (const name of ['thrown', 'nobody']) server.registerTool(name, { inputSchema: INPUT }, run(ran, name));
    const client = await connect();
    const results = [await client.callTool({ name: 'thrown', arguments: {} }), await client.callTool({ name: 'nobody', arguments: {} })];
    return { ran, texts: results.map(textOf) };
  },

  async sessions({ hookline, server, connect }) {
    const sessions = [];
    guardServer(server, hookline, ({ sessionId, meta, handlerContext }) => {
      sessions.push([typeof sessionId, meta['app/user'], typeof handlerContext]);
      return { session: `${sessionId}` };
    });
    server.registerTool('read', { inputSchema: INPUT }, async () => text('ok'));
    await (await connect()).callTool({ name: 'read', arguments: {}, _meta: { 'app/user': 'ann' } });
    return { sessions };
  },

  async elicitation({ hookline, server, connect }) {
    const asked = [];
    hookline.on('elicitation.before', ({ data }) => (data.message.includes('password') ? DENY() : undefined));
    hookline.on('elicitation.after', ({ data }) => (data.content.name === 'root' ? DENY() : undefined));
    const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: {} } });
    // One handler is set before the guard, as in an agent that is guarded later.
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: params.message.includes('admin') ? 'root' : 'ann' } };
    });
    guardClient(client, hookline, { session: 's', server: 'forms' });
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    server.registerTool('ask', { inputSchema: INPUT }, async (input, { mcpReq }) => {
      const { action, content } = await mcpReq.elicitInput({ message: input.text, requestedSchema });
      return text(`${action} ${content?.name}`);
    });
    await connect(client);
    const answers = [];
    for (const question of ['your password?', 'your name?', 'the admin?'])
      answers.push(textOf(await client.callTool({ name: 'ask', arguments: { text: question } })));
    return { asked, answers };
  },

  async rounds({ hookline, ran, onEnd }) {
    const asked = [];
    hookline.on('tool.before', ({ data }) => void asked.push(data.tool));
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const url = await serveNewest(onEnd, (server) => {
      server.registerTool('ask', { inputSchema: INPUT }, async (input, { mcpReq }) => {
        if (mcpReq.inputResponses) return run(ran, 'ask')(input);
        return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: 'your name?', requestedSchema }) } });
      });
      return guardServer(server, hookline, { session: 's' });
    });
    const client = newestClient({ capabilities: { elicitation: {} } });
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'ann' } }));
    await client.connect(new StreamableHTTPClientTransport(url));
    onEnd(() => client.close());
    const answer = await client.callTool({ name: 'ask', arguments: { text: 'x' } });
    return { asked, ran, text: textOf(answer) };
  },

  async sampling({ hookline, server, connect }) {
    const asked = [];
    hookline.on('llm.before', ({ data }) => (JSON.stringify(data.input).includes('secret') ? DENY() : undefined));
    hookline.on('llm.after', ({ data }) => (data.output.includes('SECRET') ? { replace: 'a redacted answer' } : undefined));
    const client = guardClient(new Client({ name: 'c', version: '1' }, { capabilities: { sampling: {} } }), hookline, { session: 's' });
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      asked.push(params.messages[0].content.text);
      return { model: 'm', role: 'assistant', content: { type: 'text', text: 'the key is SECRET' } };
    });
    server.registerTool('think', { inputSchema: INPUT }, async (input, { mcpReq }) => {
      const messages = [{ role: 'user', content: { type: 'text', text: input.text } }];
      return text((await mcpReq.requestSampling({ messages, maxTokens: 10 })).content.text);
    });
    await connect(client);
    const denied = await client.callTool({ name: 'think', arguments: { text: 'a secret' } });
    const replaced = await client.callTool({ name: 'think', arguments: { text: 'a question' } });
    return { asked, denied: textOf(denied), replaced: textOf(replaced) };
  },

  async newestProtocol({ hookline, ran, onEnd }) {
    hookline.on('tool.before', ({ data }) => (data.input.text === 'bad' ? DENY() : { rewrite: { text: 'rewritten' } }));
    const url = await serveNewest(onEnd, (server) => {
      server.registerTool('read', { inputSchema: INPUT }, run(ran, 'read'));
      return guardServer(server, hookline, { session: 's' });
    });
    const client = newestClient();
    await client.connect(new StreamableHTTPClientTransport(url));
    onEnd(() => client.close());
    const bad = await client.callTool({ name: 'read', arguments: { text: 'bad' } });
    const good = await client.callTool({ name: 'read', arguments: { text: 'good' } });
    return { era: client.getProtocolEra(), isError: bad.isError, text: textOf(good), ran };
  },
};

/** Serves the newest protocol, in which each request has a server of its own. */
async function serveNewest(onEnd, prepare) {
  const handler = createMcpHandler(() => prepare(new McpServer({ name: 'newest', version: '1' }, { capabilities: { tools: {} } })));
  const { url, close } = await serveOverHttp((request) => handler.fetch(request));
  onEnd(close);
  return url;
}

function newestClient(options) {
  return new Client({ name: 'c', version: '1' }, { ...options, versionNegotiation: { mode: 'auto' } });
}

function run(ran, name) {
  return async (input) => {
    ran.push(`${name} ${input.text}`);
    return text(`${name} ${input.text}`);
  };
}

const folder = mkdtempSync(path.join(tmpdir(), 'hookline-mcp-'));
const report = {};
for (const [name, scene] of Object.entries(scenes)) {
  const hookline = await createHookline({ root: folder, home: folder, store: `sqlite:${path.join(folder, `${name}.db`)}` });
  const server = new McpServer({ name: 'own', version: '1.0.0' }, { capabilities: { tools: {} } });
  const ends = [];
  const onEnd = (end) => ends.push(end);
  const connect = async (client = new Client({ name: 'c', version: '1' }), to = server) => {
    onEnd(await connectOverHttp(client, to));
    return client;
  };
  report[name] = await scene({ hookline, server, connect, ran: [], onEnd }).catch((error) => ({ failed: error.stack }));
  for (const end of ends.reverse()) await end();
  await hookline.close(0);
}
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(report));
