/**
 * Decides which requests the server accepts: those with a token that do not come from a web page. A page cannot set the token's header
 * without a CORS preflight, which the server never grants. A request with an `Origin` header or a foreign host name is rejected before
 * that. `sec-fetch-mode` alone does not show a page, because Node's `fetch` sends it too.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface Unauthorized {
  readonly status: 401 | 403 | 409 | 421;
  readonly why: string;
}

export interface Rules {
  readonly version: string;
  readonly tokens: readonly string[];
}

/**
 * Returns why a request is rejected, or undefined if it is authorised.
 * @param port the port it arrived at; undefined for the socket, which a page cannot address
 */
export function checkAuthorized(headers: IncomingHttpHeaders, port: number | undefined, rules: Rules): Unauthorized | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return { status: 403, why: 'requests from web pages are not accepted' };
  if (port !== undefined && !isOurName(headers.host, port)) return { status: 403, why: 'the Host header names another host' };
  const shown = headers['x-hookline-token'] ?? /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (typeof shown !== 'string' || !rules.tokens.some((token) => isSame(shown, token)))
    return { status: 401, why: 'the token is missing or wrong' };
  const version = headers['x-hookline-version'];
  if (version !== undefined && version !== rules.version) return { status: 409, why: `the server has version ${rules.version}` };
  // Nesting depth counts for everything a process fires, and the engines of this server are at depth 0.
  if ((headers['x-hookline-depth'] ?? '0') !== '0') return { status: 421, why: 'the event was fired from within a hook' };
  return undefined;
}

/** Compares versions by number: 0.10.0 is later than 0.9.1. */
export function isLater(version: string, than: string): boolean {
  const parts = (text: string): number[] => text.split(/[.+-]/).slice(0, 3).map(Number);
  const [a, b] = [parts(version), parts(than)];
  const first = [0, 1, 2].find((i) => a[i] !== b[i]);
  return first !== undefined && Number(a[first]) > Number(b[first]);
}

function isOurName(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

/** Compares in constant time for tokens of the right length. Buffers would cost more than the rest of the check. */
function isSame(shown: string, token: string): boolean {
  if (shown.length !== token.length) return false;
  let differs = 0;
  for (let i = 0; i < token.length; i++) differs |= shown.charCodeAt(i) ^ token.charCodeAt(i);
  return differs === 0;
}
