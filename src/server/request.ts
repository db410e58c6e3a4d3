/** One event as it arrives: the way and the headers say whose it is and where it happened, the body is the host's own payload. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Environment } from '../core/values/environment.ts';
import type { JsonObject } from '../core/values/json.ts';

export interface EventRequest {
  readonly host: string;
  /** The event that the caller's entry names, where the payload does not. */
  readonly event: string | undefined;
  /** As it came; an object once somebody has read it. */
  readonly payload: string | JsonObject;
  /** Where the caller works; undefined if it did not say. */
  readonly cwd: string | undefined;
  /** The project, where it is not the folder the caller works in. */
  readonly root: string | undefined;
  /** The caller's whole environment; undefined for a host that calls the address itself. */
  readonly env: Environment | undefined;
}

/** Undefined: not the way of an event. */
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

/** An agent has a few dozen. */
const routes = new Map<string, Route>();
const MOST_ROUTES = 500;

export function readPlace(headers: IncomingHttpHeaders): Pick<EventRequest, 'cwd' | 'root'> {
  return { cwd: quoted(headers['x-hookline-cwd']), root: quoted(headers['x-hookline-root']) };
}

/** The body of our own clients: their environment as the system keeps it (`NAME=value` and a zero each), an ampersand, the payload. */
export const EVENT_TYPE = 'application/x-hookline-event';

/** Undefined if there is no environment in it. */
export function readEvent(body: string): Pick<EventRequest, 'env' | 'payload'> | undefined {
  const end = body.indexOf('\0&');
  return end < 0 ? undefined : { env: environmentIn(body.slice(0, end)), payload: body.slice(end + 2) };
}

/** Calls `done` once, or never if the caller goes away, which nobody needs to hear; without a text if it is longer than is taken. */
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

/** The last one: an agent calls many times from the same one, and what is sorted out of it is remembered by it. */
let known: { readonly text: string; readonly env: Environment } = { text: '', env: {} };

function environmentIn(text: string): Environment {
  if (text === known.text) return known.env;
  const env: Record<string, string> = {};
  for (const line of text.split('\0')) {
    const at = line.indexOf('=', 1);
    if (at > 0) env[line.slice(0, at)] = line.slice(at + 1);
  }
  known = { text, env };
  return env;
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8');
}

/** In quotes, because HTTP takes the blanks off both ends of a value, and a path may have some. Node reads the bytes as Latin-1. */
function quoted(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string' || value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return undefined;
  const text = value.slice(1, -1);
  return /^[ -~]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}
