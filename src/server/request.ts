/**
 * Reads an event from an HTTP request. The route and the headers identify the host, the event and the folder; the body is the host's
 * payload.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Environment } from '../core/values/environment.ts';
import type { JsonObject } from '../core/values/json.ts';

export interface EventRequest {
  readonly host: string;
  /** The event that the caller's entry names, for hosts whose payload does not name it. */
  readonly event: string | undefined;
  /** The text as received, or an object once it is parsed. */
  readonly payload: string | JsonObject;
  /** The caller's working folder; undefined if the request does not name it. */
  readonly cwd: string | undefined;
  /** The project, if it differs from the caller's working folder. */
  readonly root: string | undefined;
  /** The caller's whole environment; undefined for a host that calls the address itself. */
  readonly env: Environment | undefined;
  /** The record of the installation to which the caller's entry belongs. */
  readonly installed: string | undefined;
  /** The process that started the client: the agent, or a shell of it. */
  readonly parent: number | undefined;
  /** Gone when the caller has disconnected, or the server no longer answers it. */
  readonly caller?: { readonly isGone: boolean; readonly signal: AbortSignal } | undefined;
}

/** Returns undefined if the URL is not the route of an event. */
export function readRoute(url: string): Route | undefined {
  const known = routes.get(url);
  if (known) return known;
  const [, host, event] = /^\/v1\/hook\/([\w.:-]+)(?:\/([\w.:-]+))?$/.exec(url.replaceAll('%3A', ':')) ?? [];
  if (host === undefined) return undefined;
  if (routes.size >= MOST_ROUTES) routes.clear();
  routes.set(url, { host, event });
  return { host, event };
}

export type Route = Pick<EventRequest, 'host' | 'event'>;

/** Routes that were parsed before. An agent uses a few dozen. */
const routes = new Map<string, Route>();
const MOST_ROUTES = 500;

/** Reads what the headers say about the caller. */
export function readCaller(headers: IncomingHttpHeaders): Pick<EventRequest, 'cwd' | 'root' | 'installed' | 'parent'> {
  const parent = headers['x-hookline-parent'];
  return {
    cwd: quoted(headers['x-hookline-cwd']),
    root: quoted(headers['x-hookline-root']),
    installed: quoted(headers['x-hookline-installed']),
    parent: typeof parent === 'string' && /^\d{1,10}$/.test(parent) ? Number(parent) : undefined,
  };
}

/**
 * The body that Hookline's clients send: the environment as `NAME=value` entries that each end in a zero byte, an ampersand, the payload. The last
 * entry of a name counts, and `NAME` alone takes it away: a client has variables of its own.
 */
export const EVENT_TYPE = 'application/x-hookline-event';

/** Returns undefined if the body contains no environment. */
export function readEvent(body: string): Pick<EventRequest, 'env' | 'payload'> | undefined {
  const end = body.indexOf('\0&');
  return end < 0 ? undefined : { env: environmentIn(body.slice(0, end)), payload: body.slice(end + 2) };
}

/** Calls `done` once, with undefined if the body exceeds the limit. Does not call it if the caller disconnects. */
export function readBody(request: IncomingMessage, mostBytes: number, done: (text: string | undefined) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= mostBytes) chunks.push(chunk);
    else chunks = [];
  });
  request.on('end', () => done(size > mostBytes ? undefined : textOf(chunks)));
}

/** The last environment that was parsed. An agent sends the same one many times, and the result is cached by its identity. */
let known: { readonly text: string; readonly env: Environment } = { text: '', env: {} };

function environmentIn(text: string): Environment {
  if (text === known.text) return known.env;
  const env: Record<string, string> = {};
  for (const line of text.split('\0')) {
    const at = line.indexOf('=', 1);
    if (at > 0) env[line.slice(0, at)] = line.slice(at + 1);
    else delete env[line];
  }
  known = { text, env };
  return env;
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8');
}

/** Reads a quoted header. HTTP trims blanks from a value, and a path may start or end with one. Node reads the bytes as Latin-1. */
function quoted(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string' || value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return undefined;
  const text = value.slice(1, -1);
  return /^[ -~]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}
