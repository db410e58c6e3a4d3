/** Writes answers. Every answer has the same headers, which let a page load nothing from elsewhere and let no other page look at it. */
import type { ServerResponse } from 'node:http';
import type { Json } from '../core/values/json.ts';
import type { Refusal } from './route.ts';

const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
  ...["frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ');

export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': bytes.length, ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

export function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 200, JSON_TYPE, JSON.stringify(value));
}

const JSON_TYPE = 'application/json; charset=utf-8';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not logged in',
  403: 'Not permitted',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Too large',
  415: 'Wrong type',
  422: 'Not usable',
  429: 'Too many',
  500: 'Internal error',
};

export function sendProblem(response: ServerResponse, { status, message, hint, more }: Refusal): void {
  const problem: Record<string, Json> = {
    type: 'about:blank',
    title: TITLES[status] ?? 'Problem',
    status,
    detail: message,
    hint,
    ...more,
  };
  // A connection whose request was refused before it was read whole cannot carry another one.
  const headers = response.req.complete ? {} : { connection: 'close' };
  send(response, status, 'application/problem+json; charset=utf-8', JSON.stringify(problem), headers);
}

/** The answer to bytes that are no request. */
export function rawRefusal(): string {
  const lines = Object.entries({ ...HEADERS, 'content-length': '0', connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n`;
}
