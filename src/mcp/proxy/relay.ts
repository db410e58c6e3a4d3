/**
 * Passes messages between a client and a server of MCP. It reads every message and writes it anew, so both sides read what was judged. Calls and
 * lists of tools go to the parts that judge them; everything else passes. A response passes only if the client has asked for it.
 */
import { isObject, type JsonObject, serialise } from '../../core/values/json.ts';
import {
  errorMessage,
  errorOf,
  type Id,
  INVALID_PARAMS,
  INVALID_REQUEST,
  keyOf,
  type Message,
  type Request,
  readMessage,
  resultMessage,
  SERVER_GONE,
} from './json-rpc.ts';

/** A response of the server. `gone` and `cancelled`: there is none. */
export type Answer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: JsonObject; readonly message: string }
  | { readonly kind: 'gone' | 'cancelled'; readonly message: string };

/** A request of the client that is judged before the server sees it. */
export interface Judged {
  readonly request: Request;
  readonly params: JsonObject;
  /** Aborts when the client cancels the request or leaves. */
  readonly signal: AbortSignal;
  /** Sends the request on with these parameters. */
  forward(params: JsonObject): Promise<Answer>;
}

export interface RelayParts {
  toClient(text: string): void;
  toServer(text: string): void;
  /** Returns the answer for the client, whatever happens. */
  call(judged: Judged): Promise<Answer>;
  list(judged: Judged): Promise<Answer>;
  /** The server says that its tools have changed. */
  toolsChanged(): void;
  /** A line for the person who reads the log of the agent. */
  note(text: string): void;
  /** A name that no request of the client has. */
  readonly ownName: string;
}

export interface Relay {
  fromClient(line: string): void;
  fromServer(line: string): void;
  /** Sends a request of Hookline's own to the server. */
  ask(method: string, params: JsonObject): Promise<Answer>;
  /** Sends the client a notification of its own. */
  tell(method: string): void;
  /** Ends everything that waits for the server. Later requests get the same answer. */
  serverGone(why: string): void;
  /** Aborts the judgement of calls that the server has not seen. */
  clientGone(): void;
  /** Resolves when no request is open. */
  settled(): Promise<void>;
}

export function createRelay(parts: RelayParts): Relay {
  /** Requests that the server has seen and not answered, by the key of their id. */
  const waiting = new Map<string, (answer: Answer) => void>();
  /** Requests of the client that are not answered yet. */
  const open = new Map<string, AbortController>();
  const tasks = new Set<Promise<void>>();
  let gone: string | undefined;
  let count = 0;
  const toClient = (message: JsonObject): void => parts.toClient(serialise(message));
  const toServer = (message: JsonObject): void => parts.toServer(serialise(message));

  const forward = (message: JsonObject, id: Id): Promise<Answer> =>
    new Promise((resolve) => {
      if (gone !== undefined) resolve({ kind: 'gone', message: gone });
      else {
        waiting.set(keyOf(id), resolve);
        toServer(message);
      }
    });

  const answerOf = async (request: Request, whole: JsonObject, signal: AbortSignal): Promise<Answer> => {
    const judge = request.method === CALL ? parts.call : request.method === LIST ? parts.list : undefined;
    if (!judge) return plainAnswer(request, await forward(whole, request.id));
    const { params = {} } = request;
    if (!isObject(params)) return refusal('The parameters of the request are not an object.');
    return judge({ request, params, signal, forward: (next) => forward({ ...whole, params: next }, request.id) });
  };

  const take = async (request: Request, whole: JsonObject): Promise<void> => {
    const key = keyOf(request.id);
    if (open.has(key)) {
      toClient(errorMessage(request.id, INVALID_REQUEST, 'A request with this id is still open.'));
      return;
    }
    const abort = new AbortController();
    open.set(key, abort);
    // A fault of Hookline is an answer too: the client never waits for ever, and the server has not seen the call.
    const answer = await answerOf(request, whole, abort.signal).catch((error: unknown) => refusal(`Hookline failed: ${textOf(error)}`));
    open.delete(key);
    waiting.delete(key);
    if (answer.kind === 'result') toClient(resultMessage(request.id, answer.result));
    else if (answer.kind === 'error') toClient({ jsonrpc: '2.0', id: request.id, error: answer.error });
    else if (answer.kind === 'gone') toClient(errorMessage(request.id, SERVER_GONE, answer.message));
  };

  /** Returns whether the server must learn of it: whether it has seen the request. */
  const cancel = (id: unknown): boolean => {
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    const key = keyOf(id);
    open.get(key)?.abort();
    const waits = waiting.get(key);
    waiting.delete(key);
    waits?.({ kind: 'cancelled', message: 'The client cancelled the call.' });
    return waits !== undefined;
  };

  const clientSays = (message: Message): void => {
    if (message.kind === 'invalid')
      toClient(errorMessage(message.id, INVALID_REQUEST, `Hookline does not pass this message on: ${message.why}.`));
    else if (message.kind === 'request') {
      const task: Promise<void> = take(message.request, message.whole).finally(() => tasks.delete(task));
      tasks.add(task);
    } else if (message.kind === 'response' || message.method !== CANCELLED || cancel(message.params['requestId'])) toServer(message.whole);
  };

  const serverSays = (message: Message): void => {
    if (message.kind === 'invalid') parts.note(`A line of the server was not passed on: ${message.why}.`);
    else if (message.kind === 'response') {
      // An answer that no request waits for was cancelled, or would pass unseen.
      const waits = waiting.get(keyOf(message.id));
      waiting.delete(keyOf(message.id));
      waits?.(readAnswer(message.whole));
    } else {
      if (message.kind === 'notification' && message.method === TOOLS_CHANGED) parts.toolsChanged();
      toClient(message.whole);
    }
  };

  return {
    fromClient: (line) => clientSays(readMessage(line)),
    fromServer: (line) => serverSays(readMessage(line)),
    ask(method, params) {
      const id = `${parts.ownName}-${count++}`;
      return forward({ jsonrpc: '2.0', id, method, params }, id);
    },
    tell: (method) => toClient({ jsonrpc: '2.0', method }),
    serverGone(why) {
      gone = why;
      for (const [key, waits] of waiting) {
        waiting.delete(key);
        waits({ kind: 'gone', message: why });
      }
    },
    clientGone() {
      for (const [key, abort] of open) if (!waiting.has(key)) abort.abort();
    },
    async settled() {
      while (tasks.size > 0) await Promise.allSettled([...tasks]);
    },
  };
}

const CALL = 'tools/call';
const LIST = 'tools/list';
const CANCELLED = 'notifications/cancelled';
export const TOOLS_CHANGED = 'notifications/tools/list_changed';

function readAnswer({ result, error }: JsonObject): Answer {
  if (isObject(result)) return { kind: 'result', result };
  const told = isObject(error) ? error : errorOf(SERVER_GONE, 'The server sent a result that is not an object.');
  return { kind: 'error', error: told, message: typeof told['message'] === 'string' ? told['message'] : 'The server gave no reason.' };
}

export function refusal(message: string): Answer {
  return { kind: 'error', error: errorOf(INVALID_PARAMS, message), message };
}

/** Calls as tasks are not offered, because their results would come by another way than that of calls. */
function plainAnswer({ method }: Request, answer: Answer): Answer {
  if (answer.kind !== 'result' || (method !== 'initialize' && method !== 'server/discover')) return answer;
  const { capabilities } = answer.result;
  if (!isObject(capabilities) || capabilities['tasks'] === undefined) return answer;
  const { tasks: _, ...others } = capabilities;
  return { kind: 'result', result: { ...answer.result, capabilities: others } };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
