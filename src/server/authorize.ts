/**
 * Who may ask the server: whoever shows a token, and never a page in a browser. A page can't set the token's header without being asked for
 * permission first, which is never given; that it sends an origin, or comes under another name than ours, ends it before. What `fetch` of
 * Node says of itself (`sec-fetch-mode`) is no sign of a page.
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

/** `port`: where it arrived; undefined for the socket, which has no name that a page could use. */
export function checkAuthorized(headers: IncomingHttpHeaders, port: number | undefined, rules: Rules): Unauthorized | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return { status: 403, why: 'pages in a browser are not served' };
  if (port !== undefined && !isOurName(headers.host, port)) return { status: 403, why: 'asked for under another name' };
  const shown = headers['x-hookline-token'] ?? /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (typeof shown !== 'string' || !rules.tokens.some((token) => isSame(shown, token)))
    return { status: 401, why: 'no token, or a wrong one' };
  const version = headers['x-hookline-version'];
  if (version !== undefined && version !== rules.version) return { status: 409, why: `this is version ${rules.version}` };
  // How deep a process is in hooks counts for all it fires; the engines here are at depth 0.
  if ((headers['x-hookline-depth'] ?? '0') !== '0') return { status: 421, why: 'fired from within a hook' };
  return undefined;
}

/** Whether a version is later: 0.10.0 is after 0.9.1. */
export function isLater(version: string, than: string): boolean {
  const parts = (text: string): number[] => text.split(/[.+-]/).slice(0, 3).map(Number);
  const [a, b] = [parts(version), parts(than)];
  const first = [0, 1, 2].find((i) => a[i] !== b[i]);
  return first !== undefined && Number(a[first]) > Number(b[first]);
}

function isOurName(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

/** Takes as long for any token of the right length. Without buffers, which would cost more than all the rest here. */
function isSame(shown: string, token: string): boolean {
  if (shown.length !== token.length) return false;
  let differs = 0;
  for (let i = 0; i < token.length; i++) differs |= shown.charCodeAt(i) ^ token.charCodeAt(i);
  return differs === 0;
}
