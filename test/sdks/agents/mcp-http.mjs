// Streamable HTTP on the loopback address: a real transport between the official client and the official server, in one process.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** Connects both over HTTP. Returns a function that ends the connection and the HTTP server. */
export async function connectOverHttp(client, server) {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport);
  const { url, close } = await serveOverHttp((request) => transport.handleRequest(request));
  await client.connect(new StreamableHTTPClientTransport(url));
  return async () => {
    await client.close();
    await server.close();
    close();
  };
}

/** Answers HTTP requests by a function of the web's `Request` and `Response`. */
export async function serveOverHttp(answerTo) {
  const http = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const answer = await answerTo(new Request(`http://${headers.host}${url}`, { method, headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  await new Promise((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const close = () => {
    http.closeAllConnections();
    http.close();
  };
  return { url: new URL(`http://127.0.0.1:${http.address().port}/mcp`), close };
}
