/** A channel over HTTP, for programs: a request is a message, and its response is the answer. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { HooklineError } from '../../core/values/errors.ts';
import type { Channel, ChannelMessage, LivingAgent, Turn } from '../contract.ts';
import { type ChannelRequest, readRequest, refusalOf } from './http-request.ts';

export interface HttpOptions {
  /** The name that hooks see (default: `http`). */
  readonly name?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** The address to listen at (default: `127.0.0.1`, so that only this machine reaches it). */
  readonly host?: string;
  /** Further names that callers may use for this machine, with the port: `agent.example.org:8080`. */
  readonly hosts?: readonly string[];
  /** The token that callers show (default: a random one). At least 16 characters. */
  readonly token?: string;
  /** The most bytes of a request (default 1 MB). */
  readonly maxBytes?: number;
}

export interface HttpChannel extends Channel {
  /** Where it listens; undefined before it is started. */
  readonly address: { readonly url: string; readonly port: number } | undefined;
  readonly token: string;
  /** Resolves when the channel was stopped and the last answer is sent. */
  readonly closed: Promise<void>;
}

const LEAST_TOKEN = 16;

export function httpChannel(options: HttpOptions = {}): HttpChannel {
  const { name = 'http', port = 0, host = '127.0.0.1', token = randomBytes(32).toString('base64url'), maxBytes = 1_000_000 } = options;
  if (token.length < LEAST_TOKEN)
    throw new HooklineError(
      'bad-option',
      `The token of the HTTP channel has ${token.length} characters, and ${LEAST_TOKEN} are the least.`,
      {
        hint: 'Leave `token` out: the channel then makes one, and has it as `channel.token`.',
      },
    );
  const waiting = new Waiting();
  /** The connections, and whether a request of each is being answered. */
  const busy = new Map<Socket, boolean>();
  let server: Server | undefined;
  let address: HttpChannel['address'];
  let close: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  return {
    name,
    token,
    closed,
    get address() {
      return address;
    },
    async start(onMessage, agent) {
      let hosts: readonly string[] = [];
      server = createServer((request, response) => {
        const work = answer(request, response, { rules: { token, hosts }, maxBytes, onMessage, agent, waiting });
        work.catch(() => response.destroy());
        const { socket } = request;
        busy.set(socket, true);
        response.once('close', () => {
          if (address === undefined) socket.destroy();
          else if (busy.has(socket)) busy.set(socket, false);
        });
      });
      server.on('connection', (socket) => {
        busy.set(socket, false);
        socket.once('close', () => busy.delete(socket));
      });
      server.once('close', close);
      await listening(server, port, host);
      const { port: bound } = server.address() as AddressInfo;
      const own = ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host].map((one) =>
        `${one}:${bound}`.toLowerCase(),
      );
      hosts = [...own, ...(options.hosts ?? []).map((one) => one.toLowerCase())];
      address = { url: `http://${own.at(-1)}`, port: bound };
    },
    send({ session, text }) {
      if (!waiting.hand(session, text)) throw new Error(`No request of the session \`${session}\` waits for an answer.`);
    },
    stop() {
      address = undefined;
      if (!server) return close();
      server.close();
      // Requests that run are answered first. Node itself would wait for a connection on which nothing was ever asked.
      for (const [socket, isBusy] of busy) if (!isBusy) socket.destroy();
    },
  };
}

/** The requests that wait for an answer. An answer for which no request waits is not sent, and its sender learns that. */
class Waiting {
  readonly #bySession = new Map<string, string[][]>();

  add(session: string): { readonly messages: readonly string[]; end(): void } {
    const messages: string[] = [];
    const all = this.#bySession.get(session) ?? [];
    all.push(messages);
    this.#bySession.set(session, all);
    const end = (): void => {
      all.splice(all.indexOf(messages), 1);
      if (all.length === 0) this.#bySession.delete(session);
    };
    return { messages, end };
  }

  /** The turns of a session have an order, so the text belongs to the request that has waited longest. */
  hand(session: string, text: string): boolean {
    const [first] = this.#bySession.get(session) ?? [];
    first?.push(text);
    return first !== undefined;
  }
}

interface Scene {
  readonly rules: Parameters<typeof refusalOf>[1];
  readonly maxBytes: number;
  readonly onMessage: (message: ChannelMessage) => Promise<Turn>;
  readonly agent: LivingAgent;
  readonly waiting: Waiting;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { rules, maxBytes, onMessage, agent, waiting }: Scene,
): Promise<void> {
  const refused = refusalOf(request, rules);
  // The body of a refused request is not read, so its connection ends.
  if (refused) return reply(response, refused.status, { error: refused.error }, true);
  const read = await readRequest(request, maxBytes);
  if (read === undefined) return;
  if ('error' in read) return reply(response, read.status, { error: read.error }, read.status === 413);
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('The caller has disconnected.')));
  const session = read.session ?? randomUUID();
  const { messages, end } = waiting.add(session);
  try {
    reply(response, ...(await turnOf(read, session, gone.signal, onMessage, agent, messages)));
  } finally {
    end();
  }
}

async function turnOf(
  request: ChannelRequest,
  session: string,
  signal: AbortSignal,
  onMessage: Scene['onMessage'],
  agent: LivingAgent,
  messages: readonly string[],
): Promise<[number, object]> {
  try {
    const turn =
      request.does === 'resume'
        ? await agent.resume(session, { signal })
        : await onMessage({ text: request.text, session, signal, ...(request.user !== undefined && { user: request.user }) });
    const { status, text, reason, held, notices } = turn;
    return [status === 'parked' ? 202 : 200, { session, status, text, reason, held, notices, messages }];
  } catch (error) {
    if (error instanceof HooklineError) return [409, { error: error.message, ...(error.hint !== undefined && { hint: error.hint }) }];
    return [500, { error: `The turn failed: ${error instanceof Error ? error.message : String(error)}` }];
  }
}

function reply(response: ServerResponse, status: number, body: object, ends = false): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(ends && { connection: 'close' }),
  });
  response.end(`${JSON.stringify(body)}\n`);
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
