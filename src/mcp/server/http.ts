/**
 * Serves MCP over HTTP on a loopback address. A request needs the token, names this host, and comes from no web page. A body over the limit is
 * refused before it is read as JSON.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { checkAuthorized } from '../../server/authorize.ts';
import { readBody } from '../../server/request.ts';
import { sendText } from '../../server/response.ts';

export interface HttpOptions {
  readonly handler: McpHttpHandler;
  readonly token: string;
  readonly version: string;
  /** 0: any free port. */
  readonly port: number;
  /** Default: 4 MiB. */
  readonly mostBytes?: number;
}

export interface HttpServer {
  readonly port: number;
  /** Accepts no more requests and waits for those that are being answered, at most `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

export const PATH = '/mcp';
const MOST_BYTES = 4 * 1024 * 1024;
const HOST = '127.0.0.1';

/** Rejects if the port cannot be used. */
export async function serveHttp({ handler, token, version, port, mostBytes = MOST_BYTES }: HttpOptions): Promise<HttpServer> {
  const rules = { version, tokens: [token] };
  const server = createServer((request, response) => {
    const refused = checkAuthorized(request.headers, request.socket.localPort, rules);
    if (refused) return refuse(request, response, refused.status, refused.why);
    if (request.url?.split('?', 1)[0] !== PATH) return refuse(request, response, 404, `the address of this server is ${PATH}`);
    return readBody(request, mostBytes, (body) => {
      if (body === undefined) return sendText(response, 413, `Refused: the body is over ${mostBytes} bytes.`);
      void answer(handler, request, response, body).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else sendText(response, 500, `Hookline failed: ${error instanceof Error ? error.message : String(error)}`);
      });
      return undefined;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop(withinMs) {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), withinMs);
      await handler.close();
      await closed;
      clearTimeout(late);
    },
  };
}

/** The rest of the request is not read, so the connection ends with the answer. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, why: string): void {
  request.resume();
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  sendText(response, status, `Refused: ${why}.`);
}

async function answer(handler: McpHttpHandler, request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  const { method = 'GET' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value));
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    ...{ method, headers, signal: gone.signal },
    ...(method !== 'GET' && method !== 'HEAD' && { body }),
  });
  const given = await handler.fetch(asked);
  response.writeHead(given.status, Object.fromEntries(given.headers));
  if (given.body === null) response.end();
  else
    Readable.fromWeb(given.body as Parameters<typeof Readable.fromWeb>[0])
      .on('error', () => response.destroy())
      .pipe(response);
}
