/** Checks and reads a request to the HTTP channel. Every refusal has a status and says what to send instead. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isObject } from '../../core/values/json.ts';

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415;
  readonly error: string;
}

export interface Rules {
  readonly token: string;
  /** The names that the `Host` header may have. */
  readonly hosts: readonly string[];
}

/** A message, or the request to continue a parked turn. */
export type ChannelRequest =
  | { readonly does: 'send'; readonly text: string; readonly session?: string; readonly user?: string }
  | { readonly does: 'resume'; readonly session: string };

const ROUTES: Readonly<Record<string, ChannelRequest['does']>> = { '/v1/messages': 'send', '/v1/resume': 'resume' };

/**
 * Returns why a request is refused before its body is read. A web page can neither set the token nor send JSON without the server's consent, which it
 * never has. The check of the host stops a page whose own name leads to this machine.
 */
export function refusalOf({ method, url = '', headers }: IncomingMessage, { token, hosts }: Rules): Refusal | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return { status: 403, error: 'Requests from web pages are not accepted.' };
  if (headers.host === undefined || !hosts.includes(headers.host.toLowerCase()))
    return { status: 403, error: 'The Host header names another host.' };
  const [, shown = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (!timingSafeEqual(digest(shown), digest(token)))
    return { status: 401, error: 'The token is missing or wrong. Send `Authorization: Bearer TOKEN`.' };
  if (ROUTES[url] === undefined) return { status: 404, error: `There is no ${url}. Use ${Object.keys(ROUTES).join(' or ')}.` };
  if (method !== 'POST') return { status: 405, error: `${url} takes POST.` };
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    return { status: 415, error: 'The body must be JSON. Send `Content-Type: application/json`.' };
  return undefined;
}

/** Reads the body. Returns undefined if the caller is gone before it is complete. */
export async function readRequest(request: IncomingMessage, maxBytes: number): Promise<ChannelRequest | Refusal | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      // The rest is read and thrown away, so that the caller can read the answer.
      if (size <= maxBytes) chunks.push(chunk);
      else if (size > maxBytes * MOST_WASTE) break;
    }
  } catch {
    return undefined;
  }
  if (size > maxBytes) return { status: 413, error: `The body has more than ${maxBytes} bytes.` };
  return parse(Buffer.concat(chunks).toString('utf8'), ROUTES[request.url ?? ''] ?? 'send');
}

const MOST_WASTE = 4;
const KEYS = ['text', 'session', 'user'];

function parse(body: string, does: ChannelRequest['does']): ChannelRequest | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return { status: 400, error: `The body is not JSON: ${(error as Error).message}` };
  }
  if (!isObject(value)) return { status: 400, error: 'The body must be an object.' };
  const known = does === 'send' ? KEYS : ['session'];
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    return { status: 400, error: `There is no \`${unknown}\`. The body has ${known.map((key) => `\`${key}\``).join(', ')}.` };
  const wrong = Object.keys(value).find((key) => typeof value[key] !== 'string' || String(value[key]).trim() === '');
  if (wrong !== undefined) return { status: 400, error: `\`${wrong}\` must be text that is not empty.` };
  const { text, session, user } = value as { readonly text?: string; readonly session?: string; readonly user?: string };
  if (does === 'resume') return session === undefined ? missing('session') : { does, session };
  if (text === undefined) return missing('text');
  return { does, text, ...(session !== undefined && { session }), ...(user !== undefined && { user }) };
}

function missing(key: string): Refusal {
  return { status: 400, error: `\`${key}\` is missing.` };
}

/** Digests have one length, so a comparison does not show the length of the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
