/** Reads the request from the hook's configuration: address, method, headers and body. Nothing is sent yet. */

import type { Call } from '../../core/contracts/handler.ts';
import { type Fault, fault } from '../../core/decision/reply.ts';
import type { Environment } from '../../core/values/environment.ts';
import { isObject, type JsonObject, textOf } from '../../core/values/json.ts';
import { encodePayload } from '../kit/payload.ts';

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers that are not the hook's own: they contain nothing private. */
  readonly ours: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export function outgoingRequest(call: Call): OutgoingRequest | Fault {
  const { config } = call.hook.handler;
  const url = parseUrl(config['url']);
  if (!(url instanceof URL)) return url;
  const method = (textOf(config['method']) ?? 'POST').toUpperCase();
  const text = textOf(config['body']) ?? encodePayload(call.payload, call.limits.payloadBytes);
  if (typeof text !== 'string') return text;
  const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.from(text);
  const ours = { 'hookline-depth': String(call.nesting.depth) };
  return { url, method, headers: { ...headersFor(filledIn(config, call.environment ?? process.env), body), ...ours }, ours, body };
}

function parseUrl(value: unknown): URL | Fault {
  const text = textOf(value);
  if (text === undefined) return fault('network', 'the hook has no url');
  if (!URL.canParse(text)) return fault('network', `'${text}' is not a valid URL; write it whole, like https://example.com/hook`);
  const url = new URL(text);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  return fault('network', `'${url.protocol}' cannot be asked; only http: and https: URLs can`);
}

/** Where the format lets headers name variables, only those that are listed are filled in; any other is empty. */
function filledIn({ headers, allowedEnvVars: allowed }: JsonObject, environment: Environment): unknown {
  if (!isObject(headers) || !Array.isArray(allowed)) return headers;
  const names = new Set<unknown>(allowed);
  const value = (_: string, braced?: string, bare?: string): string => {
    const name = braced ?? bare ?? '';
    // A line break would begin another header.
    return names.has(name) ? (environment[name] ?? '').replace(/[\r\n\0]+/g, '') : '';
  };
  const filled = Object.entries(headers).map(([name, text]) => [
    name,
    typeof text === 'string' ? text.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, value) : text,
  ]);
  return Object.fromEntries(filled);
}

function headersFor(value: unknown, body: Buffer | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, entry] of Object.entries(isObject(value) ? value : ({} satisfies JsonObject))) {
    // Hookline sets the length and the framing of the body, because a wrong value would break the exchange.
    if (entry === null || entry === undefined || FRAMING.has(name.toLowerCase())) continue;
    headers[name.toLowerCase()] = typeof entry === 'string' ? entry : JSON.stringify(entry);
  }
  if (body !== undefined) {
    headers['content-type'] ??= 'application/json';
    headers['content-length'] = String(body.length);
  }
  return headers;
}

const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'trailer', 'upgrade', 'expect']);
