/**
 * The credentials of pages. A code from the terminal, which works once and for a minute, is exchanged for a token that the page keeps in memory of its tab
 * and sends in a header. There are no cookies: a browser sends those of one port of this machine to every other port. Only digests are kept.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../core/record/who.ts';
import type { May } from './api.ts';

/** A page, and the one for whom its code was printed. */
export interface Session {
  readonly may: May;
  readonly because: string | null;
  readonly actor: Actor;
}

export interface Credentials {
  /** Returns a new code for such a page. */
  issue(session: Session): string;
  /** Uses up the code. */
  redeem(code: string): { readonly token: string; readonly session: Session } | undefined;
  /** Returns the page with this token. */
  sessionOf(token: string): Session | undefined;
}

const CODE_MS = 60_000;
const MOST_CODES = 100;
const MOST_SESSIONS = 1000;

interface Kept {
  readonly digest: Buffer;
  readonly session: Session;
  readonly until: number;
}

export function createCredentials(now: () => number): Credentials {
  const codes: Kept[] = [];
  const tokens: Kept[] = [];
  const keep = (list: Kept[], most: number, session: Session, until: number): string => {
    const secret = randomBytes(32).toString('base64url');
    list.push({ digest: digestOf(secret), session, until });
    if (list.length > most) list.shift();
    return secret;
  };
  return {
    issue: (session) => keep(codes, MOST_CODES, session, now() + CODE_MS),
    redeem(code) {
      const found = find(codes, code);
      if (!found) return undefined;
      codes.splice(codes.indexOf(found), 1);
      if (now() > found.until) return undefined;
      const { session } = found;
      return { token: keep(tokens, MOST_SESSIONS, session, Number.POSITIVE_INFINITY), session };
    },
    sessionOf: (token) => find(tokens, token)?.session,
  };
}

function find(list: readonly Kept[], secret: string): Kept | undefined {
  const digest = digestOf(secret);
  return list.find((one) => timingSafeEqual(one.digest, digest));
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
