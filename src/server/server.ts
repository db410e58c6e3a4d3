/**
 * Serves events over a unix socket and a loopback address. Each user has one server. It stops when it has been idle for a while, when
 * another server has replaced it, or when a client of another version finds that a later one is installed.
 */

import { chmodSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import path from 'node:path';
import { type Answering, answerEvent, type OpenEvent } from './answer-event.ts';
import { checkAuthorized } from './authorize.ts';
import { askServer, HEALTH } from './client.ts';
import {
  type Endpoint,
  makeFolder,
  newSecret,
  publishEndpoint,
  readEndpoint,
  readOrCreateToken,
  type ServeFiles,
  sweepSpool,
  withdrawEndpoint,
} from './endpoint.ts';
import { sendText } from './response.ts';

/**
 * Uses the socket as a lock, so that each user has one server. The socket is bound under a temporary name and then renamed in one step. So
 * there is always a socket, and one left by a dead server is replaced. Returns false, with nothing bound, if another server answers on it.
 */
export async function claimSocket(server: Server, socket: string, isAnswering: () => Promise<boolean>): Promise<boolean> {
  const own = `${socket}.${process.pid}`;
  rmSync(own, { force: true });
  await listening(server, { path: own });
  chmodSync(own, 0o600);
  try {
    linkSync(own, socket);
    rmSync(own, { force: true });
    return true;
  } catch {
    // The name is taken, or this file system does not support links.
  }
  if (await isAnswering()) {
    await new Promise((done) => server.close(done));
    rmSync(own, { force: true });
    return false;
  }
  renameSync(own, socket);
  return true;
}

export function listening(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

export interface ServerOptions extends Answering {
  readonly files: ServeFiles;
  /** Default: the socket in `files`. */
  readonly socket?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** How long the server runs without an event before it stops. 0 means for ever. */
  readonly idleMs: number;
  readonly version: string;
  /** The program that clients run if they do not use the server. */
  readonly program: string;
  /** Whether a later version is installed than the one that runs (default: none is). Asked when a client has another version. */
  readonly isOutdated?: () => boolean;
}

export interface RunningServer {
  readonly endpoint: Endpoint;
  /** Resolves with the reason when the server has stopped. */
  readonly stopped: Promise<string>;
  /** Accepts no more events and waits for those that are being answered: until they are, or at most `withinMs`. Then their hooks end. */
  stop(why: string, withinMs?: number): Promise<void>;
}

/** Starts the server, or returns the endpoint of the one that is running. Throws if the port or the folder cannot be used. */
export async function startServer(options: ServerOptions): Promise<RunningServer | { readonly running: Endpoint }> {
  const { files, version, program } = options;
  const socket = options.socket ?? files.socket;
  makeFolder(files.folder);
  if (socket === files.socket) makeFolder(path.dirname(socket));
  const other = readEndpoint(files);
  if (other && other.socket !== socket && (await askServer(other, HEALTH))) return { running: other };
  const isAnswering = async (): Promise<boolean> => other?.socket === socket && (await askServer(other, HEALTH)) !== undefined;
  const server = new EventServer(options);
  if (!(await claimSocket(server.onSocket, socket, isAnswering))) return { running: other as Endpoint };
  try {
    await listening(server.onPort, { port: options.port ?? 0, host: '127.0.0.1' });
    const { port } = server.onPort.address() as AddressInfo;
    const secrets = { token: newSecret(), proof: newSecret() };
    const endpoint: Endpoint = { version, pid: process.pid, port, ...secrets, socket, node: process.execPath, program };
    server.open(endpoint, readOrCreateToken(files));
    publishEndpoint(files, endpoint);
    return server;
  } catch (error) {
    await Promise.all([server.onSocket, server.onPort].map(closed));
    throw error;
  }
}

const CHECK_MS = 2000;
/** A reason may name a folder, so there could be any number. */
const MOST_REASONS = 20;
/** How long a stopped server waits for the rest of a request that has begun to arrive. */
const HALF_SENT_MS = 1000;
const STOPPED = 'the server was stopped';

class EventServer implements RunningServer {
  readonly onSocket: Server;
  readonly onPort: Server;
  readonly stopped: Promise<string>;
  readonly #options: ServerOptions;
  readonly #startedAt = Date.now();
  #settle: (why: string) => void = () => {};
  #endpoint: Endpoint | undefined;
  #tokens: readonly string[] = [];
  #watch: NodeJS.Timeout | undefined;
  #stopping: Promise<void> | undefined;
  /** The event that each connection waits for. A slot for each connection costs less than a set that changes with every event. */
  readonly #connections = new Map<Socket, { event: OpenEvent | undefined }>();
  #isAbandoned = false;
  #busy = 0;
  #events = 0;
  /** How often each reason made the server refuse an event. */
  readonly #refused = new Map<string, number>();
  #lastUsed = performance.now();

  constructor(options: ServerOptions) {
    this.#options = options;
    // Idle connections stay open. An agent's next event could already be on its way in one, and the agent treats a lost event as consent.
    const make = (): Server => createServer({ keepAliveTimeout: 0 }, (request, response) => this.#serve(request, response));
    [this.onSocket, this.onPort] = [make(), make()];
    for (const server of [this.onSocket, this.onPort]) {
      server.on('connection', (socket) => {
        this.#connections.set(socket, { event: undefined });
        socket.once('close', () => this.#connections.delete(socket));
      });
    }
    this.stopped = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get endpoint(): Endpoint {
    if (this.#endpoint === undefined) throw new Error('the server was not opened');
    return this.#endpoint;
  }

  /** Starts to accept tokens. Until then every request is rejected. */
  open(endpoint: Endpoint, permanentToken: string): void {
    this.#endpoint = endpoint;
    this.#tokens = [endpoint.token, permanentToken];
    this.#watch = setInterval(() => this.#checkState(), Math.min(CHECK_MS, this.#options.idleMs || CHECK_MS));
  }

  stop(why: string, withinMs?: number): Promise<void> {
    if (withinMs !== undefined) setTimeout(() => this.#abandon(), withinMs).unref();
    if (this.#stopping) return this.#stopping;
    clearInterval(this.#watch);
    // Withdraws the endpoint first, so that new clients work without the server.
    withdrawEndpoint(this.#options.files, this.endpoint);
    const cleaning = setInterval(() => this.#closeUnused(), HALF_SENT_MS);
    this.#stopping = Promise.all([this.onSocket, this.onPort].map(closed)).then(() => {
      clearInterval(cleaning);
      this.#settle(why);
    });
    return this.#stopping;
  }

  /** An event that is not answered here is answered by the client's own program, or denied. */
  #abandon(): void {
    this.#isAbandoned = true;
    for (const { event } of this.#connections.values()) event?.abandon(STOPPED);
  }

  /** Closes the connections on which no event is being answered. A request that was sent by half would keep the server alive. */
  #closeUnused(): void {
    for (const [socket, { event }] of this.#connections) if (!event && socket.writableLength === 0) socket.destroy();
  }

  #checkState(): void {
    const { files, idleMs } = this.#options;
    if (existsSync(files.folder)) sweepSpool(files, Date.now());
    if (readEndpoint(files)?.token !== this.endpoint.token) void this.stop('another server has replaced it');
    else if (idleMs > 0 && this.#busy === 0 && performance.now() - this.#lastUsed >= idleMs) void this.stop('it was idle');
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    response.sendDate = false;
    const { method, url = '', headers, socket } = request;
    const { version } = this.#options;
    const unauthorized = checkAuthorized(headers, socket.localPort, { version, tokens: this.#tokens });
    if (!unauthorized && method === 'POST' && this.#answerEvent(request, response)) return;
    request.resume();
    if (unauthorized) {
      this.#countRefused(unauthorized.why);
      sendText(response, unauthorized.status, unauthorized.why);
      // A caller can claim any version, so the server looks for itself.
      if (unauthorized.status === 409 && this.#options.isOutdated?.()) void this.stop('a later version is installed');
    } else if (method === 'GET' && url === HEALTH) sendText(response, 200, JSON.stringify(this.#health()));
    else sendText(response, 404, 'nothing here');
  }

  #answerEvent(request: IncomingMessage, response: ServerResponse): boolean {
    let over = false;
    const connection = this.#connections.get(request.socket);
    const received = (event: OpenEvent): void => {
      if (connection) connection.event = event;
      if (this.#isAbandoned) event.abandon(STOPPED);
    };
    const done = (): void => {
      if (over) return;
      over = true;
      if (connection) connection.event = undefined;
      this.#busy--;
      this.#lastUsed = performance.now();
    };
    const refused = (why: string): void => {
      this.#events--;
      this.#countRefused(why);
    };
    if (!answerEvent(request, response, this.#options, this.endpoint.proof, { received, done, refused })) return false;
    this.#busy++;
    this.#events++;
    // Also called when the caller disconnects before the answer is sent.
    response.on('close', done);
    return true;
  }

  #countRefused(why: string): void {
    if (this.#refused.size < MOST_REASONS || this.#refused.has(why)) this.#refused.set(why, (this.#refused.get(why) ?? 0) + 1);
  }

  #health(): Record<string, unknown> {
    const { version, pid, port, socket } = this.endpoint;
    const seconds = Math.round((Date.now() - this.#startedAt) / 1000);
    const refused = [...this.#refused].map(([why, times]) => ({ why, times }));
    const rssMb = Math.round(process.memoryUsage.rss() / 2 ** 20);
    // A server that a person starts does not end by itself.
    return { version, pid, port, socket, events: this.#events, refused, seconds, rssMb, onDemand: this.#options.idleMs > 0 };
  }
}

/** Closes idle connections at once. An answer that is being sent is completed. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
