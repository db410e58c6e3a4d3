/**
 * The socket as a lock: one server for each user. It is bound under a name of its own and then given the real one in one step, so there is
 * never a moment without a socket, and one that was left over by a server that died is replaced.
 */

import { chmodSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import path from 'node:path';
import { type Answering, answerEvent } from './answer-event.ts';
import { checkAuthorized, isLater } from './authorize.ts';
import { askServer, HEALTH, STOP } from './client.ts';
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

/** False, and nothing is bound: another server answers there. */
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
    // The name is taken, or this file system has no links.
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

/**
 * The server: events over a unix socket and a loopback address, answered by whatever is handed in. One for each user; it stops by itself
 * when nobody has asked for a while, when another has taken its place, or when a later version asks.
 */

export interface ServerOptions extends Answering {
  readonly files: ServeFiles;
  /** Default: the one in `files`. */
  readonly socket?: string;
  /** Default: any that is free. */
  readonly port?: number;
  /** Stops after so long without an event; 0: never. */
  readonly idleMs: number;
  readonly version: string;
  /** What clients run instead of asking. */
  readonly program: string;
}

export interface RunningServer {
  readonly endpoint: Endpoint;
  /** Settles when it has stopped, with the reason. */
  readonly stopped: Promise<string>;
  /** Takes no more events, and waits for those that are being answered. */
  stop(why: string): Promise<void>;
}

/** The endpoint of another one, if that is running already. Throws if the port or the folder can't be had. */
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

const LOOK_MS = 2000;

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
  #busy = 0;
  #events = 0;
  #lastAsked = performance.now();

  constructor(options: ServerOptions) {
    this.#options = options;
    // No connection is closed for being idle: an agent's next event may be on its way in it, and would be lost, which reads as consent.
    const make = (): Server => createServer({ keepAliveTimeout: 0 }, (request, response) => this.#serve(request, response));
    [this.onSocket, this.onPort] = [make(), make()];
    this.stopped = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get endpoint(): Endpoint {
    if (this.#endpoint === undefined) throw new Error('the server was not opened');
    return this.#endpoint;
  }

  /** Before this nobody can show a token. */
  open(endpoint: Endpoint, lasting: string): void {
    this.#endpoint = endpoint;
    this.#tokens = [endpoint.token, lasting];
    this.#watch = setInterval(() => this.#look(), Math.min(LOOK_MS, this.#options.idleMs || LOOK_MS));
  }

  stop(why: string): Promise<void> {
    if (this.#stopping) return this.#stopping;
    clearInterval(this.#watch);
    // Withdrawn first: whoever comes now does without.
    withdrawEndpoint(this.#options.files, this.endpoint);
    this.#stopping = Promise.all([this.onSocket, this.onPort].map(closed)).then(() => this.#settle(why));
    return this.#stopping;
  }

  #look(): void {
    const { files, idleMs } = this.#options;
    if (existsSync(files.folder)) sweepSpool(files, Date.now());
    if (readEndpoint(files)?.token !== this.endpoint.token) void this.stop('another has taken its place');
    else if (idleMs > 0 && this.#busy === 0 && performance.now() - this.#lastAsked >= idleMs) void this.stop('nobody asked for a while');
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    response.sendDate = false;
    const { method, url = '', headers, socket } = request;
    const { version } = this.#options;
    const refused = checkAuthorized(headers, socket.localPort, { version, tokens: this.#tokens });
    if (!refused && method === 'POST' && this.#answerEvent(request, response)) return;
    request.resume();
    if (refused) {
      sendText(response, refused.status, refused.why);
      if (refused.status === 409 && isLater(String(headers['x-hookline-version']), version)) void this.stop('a later version asked');
    } else if (method === 'GET' && url === HEALTH) sendText(response, 200, JSON.stringify(this.#health()));
    else if (method === 'POST' && url === STOP) {
      sendText(response, 200, JSON.stringify({ stopping: true }));
      void this.stop('it was asked to');
    } else sendText(response, 404, 'nothing here');
  }

  #answerEvent(request: IncomingMessage, response: ServerResponse): boolean {
    let over = false;
    const done = (): void => {
      if (over) return;
      over = true;
      this.#busy--;
      this.#lastAsked = performance.now();
    };
    if (!answerEvent(request, response, this.#options, this.endpoint.proof, done)) return false;
    this.#busy++;
    this.#events++;
    // Also if the caller goes away while it speaks; what goes on after that is its own loss.
    response.on('close', done);
    return true;
  }

  #health(): Record<string, unknown> {
    const { version, pid, port, socket } = this.endpoint;
    const seconds = Math.round((Date.now() - this.#startedAt) / 1000);
    return { version, pid, port, socket, events: this.#events, seconds, rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20) };
  }
}

/** Connections that wait for nothing are closed at once; an answer on its way is still sent. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
