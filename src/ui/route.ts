/** A route of the dashboard: its address, the schemas of its request and answer, and its answer. One table of routes serves, checks and documents. */
import type { ServerResponse } from 'node:http';
import type { Json } from '../core/values/json.ts';
import type { Session } from './credentials.ts';
import type { Feed } from './feed.ts';
import type { UiParts } from './parts.ts';
import type { Schema } from './schema.ts';

/** The request after its checks. */
export interface Call<Q = unknown, B = unknown> {
  /** The parts of the path that are in braces, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  /** The page that asks. Routes that need no bearer must not read it. */
  readonly session: Session;
  /** The point from which a stream resumes. */
  readonly lastEventId: string | undefined;
  /** Aborts when the page leaves, or the server stops. */
  readonly signal: AbortSignal;
}

export interface RouteParts extends UiParts {
  readonly feed: Feed;
  /** Exchanges a code for a session and its token; undefined if the code is unknown, used or old. */
  login(code: string): { readonly token: string; readonly session: Session } | undefined;
  document(): Json;
}

/** An answer that is written bit by bit. */
export interface Streamed {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  write(response: ServerResponse): Promise<void>;
}

export interface Route<Q = unknown, B = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below `/v1`: `/entries/{id}`. */
  readonly path: string;
  readonly says: string;
  /** No bearer is needed. */
  readonly isOpen?: true;
  /** The schemas of the parameters in the query; each is optional. */
  readonly query?: { readonly [K in keyof Q]-?: Schema };
  readonly body?: Schema;
  readonly answer: Schema | { readonly streams: string };
  /** The refusals besides those of every route: status → when. */
  readonly refuses?: Readonly<Record<number, string>>;
  handle(call: Call<Q, B>, parts: RouteParts): unknown;
}

/** Keeps the types of one route while it is written. The table forgets them, because the schemas check every request. */
export function route<Q = unknown, B = unknown>(one: Route<Q, B>): Route {
  return one as unknown as Route;
}

/** Ends a request with `application/problem+json`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly hint: string;
  readonly more: Readonly<Record<string, Json>>;

  constructor(status: number, detail: string, hint: string, more: Readonly<Record<string, Json>> = {}) {
    super(detail);
    this.status = status;
    this.hint = hint;
    this.more = more;
  }
}

export function notFound(what: string, hint: string): Refusal {
  return new Refusal(404, `There is no ${what}.`, hint);
}
