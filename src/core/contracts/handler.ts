/** Handlers know transports and nothing else: they run one hook and return its reply or a fault. They never decide. */

import type { Fault, Reply } from '../decision/reply.ts';
import type { HookEvent } from '../event/event.ts';
import type { Ask } from '../meaning/profile.ts';
import { DEFAULT_ENVIRONMENT, type Environment, type EnvironmentPolicy } from '../values/environment.ts';
import type { JsonObject } from '../values/json.ts';
import type { Hook } from './hook.ts';
import type { Nesting } from './nesting.ts';

export interface Limits {
  /** stdout, stderr or body beyond this is cut, and the report shows it. */
  readonly outputBytes: number;
  /** A payload beyond this is fault `oversize`. */
  readonly payloadBytes: number;
  /** Context from one hook in one firing, in characters; the rest is cut, with a mark. */
  readonly hookContext: number;
  /** Context from all hooks of a firing together. */
  readonly totalContext: number;
}

export const DEFAULT_LIMITS: Limits = {
  outputBytes: 8 * 1024 * 1024,
  payloadBytes: 64 * 1024 * 1024,
  hookContext: 64 * 1024,
  totalContext: 256 * 1024,
};

/** The user's limits on what a hook may start or reach. One object for all calls of an engine. */
export interface Permits {
  /** Which variables a process may see. */
  readonly environment: EnvironmentPolicy;
  /** Addresses, ranges (`169.254.0.0/16`) and host names that may be asked although their kind may not. */
  readonly allowAddresses: readonly string[];
}

export const DEFAULT_PERMITS: Permits = { environment: DEFAULT_ENVIRONMENT, allowAddresses: [] };

/** One call of a handler. */
export interface Call {
  readonly hook: Hook;
  /** The event in the format of the hook's dialect. */
  readonly payload: JsonObject;
  /** The event itself, as this hook is shown it; absent once the call has left the process. */
  readonly event?: HookEvent;
  /** How the dialect asks: data from its profile. */
  readonly ask: Ask;
  readonly cwd: string;
  /** The hook's `facts`, with their values. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The caller's environment, if it is not that of this process. */
  readonly environment?: Environment;
  readonly timeoutMs: number;
  readonly limits: Limits;
  readonly permits: Permits;
  /** How deep the hook, and every process it starts, is nested. */
  readonly nesting: Nesting;
  /** Aborts when the caller gave up: the handler ends what it started and answers fault `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** The hook as it was trusted. Code that keeps the call and runs it later must check this again. */
  readonly vouched?: Vouched;
}

/** A hook as it was trusted in a project. */
export interface Vouched {
  readonly digest: string;
  readonly root: string;
  /** Globs of files that trust in a folder leaves out. */
  readonly ignores?: readonly string[];
}

export type HandlerDescription =
  /** Starts a process: a shell line, a script file, or both. */
  | { readonly does: 'run'; readonly command?: string; readonly script?: string }
  /** Sends a request. `why`: why an audit cannot tell what the server does. */
  | { readonly does: 'request'; readonly url?: string; readonly why: string }
  /** Returns the reply that its configuration contains. */
  | { readonly does: 'reply' }
  /** Judges by itself, in this process. */
  | { readonly does: 'judge' }
  /** Calls code of the program that registered it: no file describes it. */
  | { readonly does: 'call'; readonly why: string }
  /** Asks somebody or something whose answer an audit cannot foresee. */
  | { readonly does: 'ask'; readonly why: string };

/** Describes the handler of a hook by its type and configuration. */
export type DescribeHandler = (handler: Hook['handler']) => HandlerDescription;

export interface Handler {
  readonly type: string;
  /** Whether hook files of every format may name this type, in addition to the types of the format itself. */
  readonly inFiles: boolean;
  /** Returns what a hook with this configuration does, as far as an audit can look into it. */
  describe(config: JsonObject): HandlerDescription;
  /** Every fault of it on a gating event denies, whatever the hook's format says of faults. */
  readonly strict?: true;
  /** A model answers: it is asked after all other hooks of the event, and its verdict may only tighten. */
  readonly judges?: true;
  /** Settles within `timeoutMs` plus a short grace, never throws, never rejects, leaves no process or socket behind. */
  handle(call: Call): Promise<Reply | Fault> | Reply | Fault;
  /** Called when its engine is closed: releases everything kept for later calls, once no hook still runs. */
  close?(): void;
}
