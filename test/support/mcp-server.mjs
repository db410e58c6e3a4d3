// An MCP server for tests, on stdio, or over HTTP on a free port whose number it prints. The first argument says how its tool `gate` behaves.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [, , mode = 'answer', transport = 'stdio', note] = process.argv;
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const never = () => new Promise(() => {});

const BEHAVIOURS = {
  answer: () => text('{"decision": "block", "reason": "by the tool"}'),
  error: () => ({ ...text('the scanner is broken'), isError: true }),
  picture: () => ({ content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] }),
  nothing: () => ({ content: [] }),
  structured: () => ({ content: [], structuredContent: { decision: 'block', reason: 'structured' } }),
  flood: () => text('x'.repeat(1_000_000)),
  hang: never,
  crash: () => process.exit(3),
  // The tool answers with what it got and what it sees.
  echo: (input) => text(JSON.stringify({ input, env: process.env, cwd: process.cwd(), args: process.argv.slice(2) })),
  // A process that outlives its server unless the whole group is ended.
  offspring: () => {
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    writeFileSync(note, String(pid));
    return never();
  },
};

if (mode === 'exit') {
  console.error('no licence');
  process.exit(4);
}
if (mode === 'mute') {
  setInterval(() => {}, 1000);
  await never();
}
if (mode === 'greeting') console.log('Welcome to the server!');
if (mode === 'strange') {
  // Answers the handshake, then something that is no result.
  for await (const chunk of process.stdin) {
    for (const line of String(chunk).trim().split('\n')) {
      const { id, method, params } = JSON.parse(line);
      const { protocolVersion } = params ?? {};
      const serverInfo = { name: 'strange', version: '1' };
      const result = method === 'initialize' ? { protocolVersion, serverInfo, capabilities: { tools: {} } } : { content: 'none' };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  }
}

function serve() {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  // Any input is accepted.
  const inputSchema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  };
  server.registerTool(mode === 'no-tool' ? 'other' : 'gate', { inputSchema }, (input) => (BEHAVIOURS[mode] ?? BEHAVIOURS.answer)(input));
  return server;
}

if (transport === 'stdio') await serve().connect(new StdioServerTransport());
else {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    if (note !== undefined && headers.authorization !== note) return response.writeHead(401).end();
    let session = sessions.get(headers['mcp-session-id']);
    if (!session) {
      session = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, session),
        onsessionclosed: (id) => void sessions.delete(id),
      });
      await serve().connect(session);
    }
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const answer = await session.handleRequest(new Request(`http://${headers.host}${url}`, { method, headers, body }));
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'x-sessions': String(sessions.size) });
    response.flushHeaders();
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
}
