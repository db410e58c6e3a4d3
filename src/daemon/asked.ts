/** One event as it arrives: the way and the headers say whose it is and where it happened, the body is the host's own payload. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface Asked {
  readonly host: string;
  /** The event that the caller's entry names, where the payload does not. */
  readonly event: string | undefined;
  readonly payload: string;
  /** Where the caller works; undefined if it did not say. */
  readonly cwd: string | undefined;
  /** The project, where it is not the folder the caller works in. */
  readonly root: string | undefined;
  /** The few variables that tell hosts apart. */
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined: not the way of an event. */
export function readWay(url: string): Pick<Asked, 'host' | 'event'> | undefined {
  const [, host, event] = /^\/v1\/hook\/([\w.:-]+)(?:\/([\w.:-]+))?$/.exec(url.replaceAll('%3A', ':')) ?? [];
  return host === undefined ? undefined : { host, event };
}

export function readSurroundings(headers: IncomingHttpHeaders): Pick<Asked, 'cwd' | 'root' | 'env'> {
  const env: Record<string, string> = {};
  for (const name in headers) {
    if (!name.startsWith(VARIABLE)) continue;
    const [, variable, content] = /^(\w+)=(.*)$/s.exec(quoted(headers[name]) ?? '') ?? [];
    if (variable !== undefined && content !== undefined) env[variable] = content;
  }
  return { cwd: quoted(headers['x-hookline-cwd']), root: quoted(headers['x-hookline-root']), env };
}

/** Calls `done` once, or never if the caller goes away; without a text if it is longer than is taken. */
export function readBody(request: IncomingMessage, mostBytes: number, done: (text: string | undefined) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= mostBytes) chunks.push(chunk);
    else chunks = [];
  });
  request.on('end', () => done(size > mostBytes ? undefined : textOf(chunks)));
  request.on('error', () => {});
}

/** `x-hookline-env-1: "NAME=value"`; numbered, because the names of variables have a case and those of headers have none. */
const VARIABLE = 'x-hookline-env-';

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8');
}

/** In quotes, because HTTP takes the blanks off both ends of a value, and a path may have some. Node reads the bytes as Latin-1. */
function quoted(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string' || value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return undefined;
  return Buffer.from(value.slice(1, -1), 'latin1').toString('utf8');
}
