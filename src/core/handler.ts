/** Handlers know transports and nothing else: they put one question and bring back what came, or a fault. They never decide. */
import type { Hook } from './hook.ts';
import type { JsonObject } from './json.ts';
import type { Ask } from './profile.ts';
import type { Fault, Reply } from './reply.ts';

export interface Limits {
  /** stdout, stderr or body beyond this is cut, and the trace says so. */
  readonly outputBytes: number;
  /** A payload beyond this is fault `oversize`. */
  readonly payloadBytes: number;
}

export const DEFAULT_LIMITS: Limits = { outputBytes: 8 * 1024 * 1024, payloadBytes: 64 * 1024 * 1024 };

/** One question put to a handler. */
export interface Call {
  readonly hook: Hook;
  /** The event in the words of the hook's dialect. */
  readonly payload: JsonObject;
  /** How the dialect asks: data from its profile. */
  readonly ask: Ask;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly limits: Limits;
  /** Aborts when the caller gave up: the handler ends what it started and answers fault `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface Handler {
  readonly type: string;
  /** Settles within `timeoutMs` plus a short grace, never throws, never rejects, leaves no process or socket behind. */
  handle(call: Call): Promise<Reply | Fault> | Reply | Fault;
}
