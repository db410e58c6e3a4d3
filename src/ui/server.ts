/**
 * The listener of the dashboard: one loopback port, no cookies, no process that it could start. Each request passes the same checks in the same order:
 * its host, its origin, its route, its token, its parameters, its body.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { redactText } from '../core/values/redact.ts';
import type { Assets } from './assets.ts';
import { createCredentials, type Session } from './credentials.ts';
import { createFeed, type FeedLimits } from './feed.ts';
import { openApi } from './openapi.ts';
import type { UiParts } from './parts.ts';
import { addressOf, bodyOf, checkPage, codeSecretOf, foundRoute, queryOf, tokenOf } from './request.ts';
import { HEADERS, rawRefusal, sendJson, sendProblem } from './respond.ts';
import { notFound, Refusal, type Route, type RouteParts, type Streamed } from './route.ts';
import { ROUTES } from './routes/table.ts';

export interface UiOptions {
  readonly parts: UiParts;
  readonly assets: Assets;
  /** 0: any free port. */
  readonly port: number;
  /** How long it runs while no page is open. */
  readonly idleMs: number;
  /** With this secret, another `hookline ui` of the same user asks for a code. */
  readonly secret: string;
  /** Finds out for whom such a code is. */
  welcome(request: IncomingMessage): Promise<Session>;
  readonly limits?: FeedLimits;
}

export interface RunningUi {
  readonly port: number;
  /** Returns a new code. */
  issue(session: Session): string;
  /** Resolves with the reason when it has stopped. */
  readonly stopped: Promise<string>;
  stop(why: string): Promise<void>;
}

/** How long a server that stops waits for answers that are being written. */
const GRACE_MS = 1000;
const LONGEST_CHECK_MS = 5000;
const MOST_CONNECTIONS = 256;
/** Asked by another `hookline ui`. It is no part of the API. */
const CODE_PATH = '/code';

export async function startUi({ parts, assets, port, idleMs, secret, welcome, limits }: UiOptions): Promise<RunningUi> {
  const credentials = createCredentials(parts.now);
  const feed = createFeed(parts, limits);
  const stopping = new AbortController();
  const sockets = new Set<Socket>();
  let busy = 0;
  let lastUsed = performance.now();
  const all: RouteParts = { ...parts, feed, login: credentials.redeem, document: () => openApi(ROUTES, parts.about.version) };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkPage(request);
    const url = addressOf(request);
    if (url.pathname === CODE_PATH) return giveCode(request, response);
    if (!url.pathname.startsWith('/v1/')) {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'A page can only be read.', 'Use GET.');
      if (!assets.serve(url.pathname, request, response)) throw notFound('such page', 'The pages begin at `/`.');
      return;
    }
    const { route, path } = foundRoute(ROUTES, request.method ?? '', url.pathname.slice('/v1'.length));
    const session = route.isOpen ? undefined : credentials.sessionOf(tokenOf(request));
    if (!session && !route.isOpen)
      throw new Refusal(401, 'The token is missing or unknown.', 'Run `hookline ui` for a new link, and open it.');
    lastUsed = performance.now();
    const query = queryOf(url.searchParams, route);
    const body = await bodyOf(request, route);
    const lastEventId = request.headers['last-event-id'];
    const signal = AbortSignal.any([stopping.signal, closed(response)]);
    const call = { path, query, body, session: session as Session, signal, lastEventId: [lastEventId ?? []].flat()[0] };
    await reply(response, route, await route.handle(call, all));
  };

  const giveCode = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST' || !codeSecretOf(request, secret)) throw notFound('such page', 'The pages begin at `/`.');
    const session = await welcome(request);
    lastUsed = performance.now();
    sendJson(response, { code: credentials.issue(session), may: session.may, because: session.because });
  };

  const server = createServer({ keepAliveTimeout: 5000, headersTimeout: 10_000, requestTimeout: 30_000 }, (request, response) => {
    busy++;
    response.once('close', () => {
      busy--;
      lastUsed = performance.now();
    });
    void answer(request, response).catch((error: unknown) => refuse(response, error));
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('clientError', (_, socket) => socket.end(rawRefusal()));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listening(server, port);

  let settle: (why: string) => void = () => {};
  const stopped = new Promise<string>((resolve) => {
    settle = resolve;
  });
  let ending: Promise<void> | undefined;
  const stop = (why: string): Promise<void> => {
    ending ??= (async () => {
      clearInterval(check);
      stopping.abort();
      const allClosed = new Promise((resolve) => server.close(resolve));
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, GRACE_MS);
      await feed.stop();
      server.closeIdleConnections();
      await allClosed;
      clearTimeout(cut);
      settle(why);
    })();
    return ending;
  };
  const check = setInterval(
    () => {
      if (busy === 0 && feed.clients === 0 && performance.now() - lastUsed >= idleMs) void stop('no page was open');
    },
    Math.min(LONGEST_CHECK_MS, idleMs),
  );
  feed.start();
  return { port: (server.address() as AddressInfo).port, issue: credentials.issue, stopped, stop };
}

async function reply(response: ServerResponse, { answer }: Route, value: unknown): Promise<void> {
  if (!('streams' in answer)) return sendJson(response, value);
  const { type, headers, write } = value as Streamed;
  // A feed writes its own head, once it knows that it can serve.
  if (headers) response.writeHead(200, { ...HEADERS, 'content-type': type, ...headers });
  await write(response);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else sendProblem(response, error instanceof Refusal ? error : new Refusal(500, textOf(error), 'Run `hookline doctor`, then try again.'));
  // A caller that is still sending reads the answer once its body is taken.
  response.req.resume();
}

function textOf(error: unknown): string {
  return redactText(error instanceof Error ? error.message : String(error));
}

function closed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
