/** An MCP server that is asked over HTTP. Every address is judged before anything is sent there, and no redirect is followed. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import type { Call } from '../../core/contracts/handler.ts';
import { type Fault, fault } from '../../core/decision/reply.ts';
import { destinations } from '../http/destination.ts';
import type { Connection } from './connection.ts';
import { createFailures, type Failures } from './failures.ts';
import type { ClientPackage } from './package.ts';

export interface HttpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message has more than the text of the answer in it. */
const ROOM_BYTES = 256 * 1024;
/** A server that is told goodbye need not hear it. */
const FAREWELL_MS = 500;

export function httpConnection({ url, headers }: HttpTarget, server: string, call: Call, sdk: ClientPackage): Connection | Fault {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return fault('network', `'${url}' of the MCP server '${server}' is no http or https URL`);
  const failures = createFailures();
  const open = new Set<ClientRequest>();
  const own = { ...headers, 'hookline-depth': String(call.nesting.depth) };
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: own },
    fetch: guardedFetch(call, server, open, failures),
    reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1, maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1 },
  });
  return {
    transport,
    failure: failures.failure,
    onFailure: failures.onFailure,
    async farewell() {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FAREWELL_MS);
      });
      await Promise.race([transport.terminateSession().catch(() => {}), enough]);
      clearTimeout(timer);
    },
    async close() {
      for (const request of open) request.destroy();
    },
  };
}

/** The function that the SDK calls in place of `fetch`, which could neither judge an address nor be sure to leave no socket. */
function guardedFetch(call: Call, server: string, open: Set<ClientRequest>, { fail }: Failures) {
  const places = destinations(call.permits.allowAddresses);
  const most = call.limits.outputBytes + ROOM_BYTES;
  return async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(target);
    const refused = places.check(url);
    if (refused) {
      fail(refused);
      throw new Error(refused.detail);
    }
    const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
    const method = init.method ?? 'GET';
    const headers = Object.fromEntries(new Headers(init.headers));
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent: false, lookup: places.lookup, ...(init.signal && { signal: init.signal }) });
      open.add(sent);
      sent.on('close', () => open.delete(sent));
      sent.on('error', (error) => {
        // The stream of notifications is optional, and so is the end of a session.
        if (method === 'POST' && !init.signal?.aborted)
          fail(fault('network', `the MCP server '${server}' (${url.host}) could not be asked: ${messageOf(error)}`));
        reject(error);
      });
      sent.on('response', (response) => {
        const status = response.statusCode ?? 0;
        if (method === 'POST' && (status < 200 || status > 299))
          fail(fault('status', `the MCP server '${server}' (${url.host}) answered status ${status}`));
        response.on('close', () => {
          if (method === 'POST' && !response.complete)
            fail(fault('network', `the MCP server '${server}' (${url.host}) ended the connection without a whole answer`));
        });
        const oversize = (): void => fail(fault('oversize', `the MCP server '${server}' sent more than ${most} bytes`));
        resolve(responseOf(response, status, most, oversize));
      });
      sent.end(typeof init.body === 'string' ? init.body : undefined);
    });
  };
}

function responseOf(response: IncomingMessage, status: number, most: number, oversize: () => void): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) if (value !== undefined) headers.set(name, String(value));
  if (status < 200 || status > 599 || [204, 205, 304].includes(status)) {
    response.resume();
    return new Response(null, { status: status < 200 || status > 599 ? 500 : status, headers });
  }
  let size = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _, next) {
      size += chunk.length;
      if (size <= most) return next(null, chunk);
      oversize();
      return next(new Error('too large'));
    },
  });
  limited.on('error', () => response.destroy());
  response.on('error', (error) => limited.destroy(error));
  // A connection that breaks off has no end of its own.
  response.on('close', () => limited.end());
  return new Response(Readable.toWeb(response.pipe(limited)) as ReadableStream, { status, headers });
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
