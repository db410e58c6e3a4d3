/** A hook in code: its interface, its context, a function that makes one, and a function that runs one within its timeout. */

import { type OutputFields, readOutput } from '../../agents/claude-agent/output-fields.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import type { HookEvent, HookInput } from './hook-input.ts';
import type { WireOutput } from './hook-output.ts';

/** The result of `execute`. No result means allow. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement is a valid hook.
export type HookResult = Partial<OutputFields> | Partial<WireOutput> | null | undefined | void;

/** One hook. `E` is the union of its events, so that `execute` receives the data of these alone. */
export interface Hook<E extends HookEvent = HookEvent> {
  /** Shown in reasons and reports. */
  readonly name: string;
  readonly events: readonly E[];
  /** Matched against any part of the tool's name. Events without a tool are not filtered. */
  readonly toolMatcher?: RegExp;
  /** Default: 60. */
  readonly timeoutSecs?: number;
  /** Higher runs first. Default: 0. */
  readonly priority?: number;
  execute(input: HookInput<E>, context: HookContext): HookResult | Promise<HookResult>;
}

/** A hook that is a function. */
export class FnHook<E extends HookEvent = HookEvent> implements Hook<E> {
  readonly name: string;
  readonly events: readonly E[];
  declare readonly toolMatcher?: RegExp;
  declare readonly timeoutSecs?: number;
  declare readonly priority?: number;
  readonly #execute: Hook<E>['execute'];

  constructor(name: string, events: readonly E[], execute: Hook<E>['execute'], options: FnHookOptions = {}) {
    this.name = name;
    this.events = events;
    this.#execute = execute;
    Object.assign(this, options);
  }

  execute(input: HookInput<E>, context: HookContext): HookResult | Promise<HookResult> {
    return this.#execute(input, context);
  }
}

export type FnHookOptions = Pick<Hook, 'toolMatcher' | 'timeoutSecs' | 'priority'>;

/** Makes a hook from a function. */
export function fnHook<E extends HookEvent>(
  name: string,
  events: readonly E[],
  execute: Hook<E>['execute'],
  options: FnHookOptions = {},
): FnHook<E> {
  return new FnHook(name, events, execute, options);
}

export interface HookContextOptions {
  /** Aborts when the agent cancels. */
  readonly signal?: AbortSignal;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The context of a hook. Its `signal` aborts when the agent cancels, and inside a hook also at the hook's timeout. */
export class HookContext {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(sessionId: string, options: HookContextOptions = {}) {
    this.sessionId = sessionId;
    this.signal = options.signal ?? new AbortController().signal;
    if (options.cwd !== undefined) this.cwd = options.cwd;
    this.env = options.env ?? {};
  }
}

/** A hook that could not be run, or that returned an output it may not return. */
export interface HookFault {
  readonly hook: string;
  readonly event: HookEvent;
  /**
   * `not-permitted`: it blocked an event that cannot be blocked. `failed`: the command of a file failed. `not-asked`: the hook of a file may not
   * run, because no person trusts it or the audit refuses it.
   */
  readonly kind: 'threw' | 'timeout' | 'malformed' | 'cancelled' | 'not-permitted' | 'failed' | 'not-asked';
  /** The failure, as the end of a sentence that begins with the hook. */
  readonly detail: string;
  readonly cause?: unknown;
}

export const DEFAULT_TIMEOUT_SECS = 60;

export async function askHook<E extends HookEvent>(
  hook: Hook<E>,
  event: E,
  input: HookInput<E>,
  context: HookContext,
): Promise<OutputFields | HookFault> {
  const failed = (kind: HookFault['kind'], detail: string, cause?: unknown): HookFault => ({
    hook: hook.name,
    event,
    kind,
    detail,
    ...(cause !== undefined && { cause }),
  });
  if (context.signal.aborted) return failed('cancelled', 'was not run because the caller cancelled');
  const seconds = hook.timeoutSecs ?? DEFAULT_TIMEOUT_SECS;
  const inner = new AbortController();
  const waited = wait(context.signal, seconds * 1000);
  try {
    const own = new HookContext(context.sessionId, { ...context, signal: inner.signal });
    // Uses an async function, so that a synchronous throw becomes a rejection.
    const running = (async () => hook.execute(input.copy(), own))();
    const ended = await Promise.race([running.then((result): { result: HookResult } => ({ result })), waited.end]);
    if (ended === 'timeout' || ended === 'cancelled') {
      // Tells a hook that is still running that its output is no longer needed.
      inner.abort();
      return failed(ended, ended === 'timeout' ? `did not answer within ${seconds} s` : 'was abandoned because the caller cancelled');
    }
    const output = outputOf(ended.result);
    return typeof output === 'string' ? failed('malformed', output) : output;
  } catch (error) {
    return failed('threw', `failed: ${error instanceof Error ? error.message : String(error)}`, error);
  } finally {
    waited.stop();
  }
}

export function isHookFault(answer: OutputFields | HookFault): answer is HookFault {
  return 'kind' in answer;
}

function outputOf(result: HookResult): OutputFields | string {
  if (result === undefined || result === null) return { continueExecution: true, suppressLogging: false };
  if (typeof result !== 'object' || Array.isArray(result)) return `returned ${typeof result} instead of an output`;
  const output = readOutput(result, 'both');
  return typeof output === 'string' ? `returned an output that cannot be used: ${output}` : output;
}

function wait(signal: AbortSignal, ms: number): { readonly end: Promise<'timeout' | 'cancelled'>; stop(): void } {
  let stop = (): void => {};
  const end = new Promise<'timeout' | 'cancelled'>((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), Math.min(ms, LONGEST_TIMER_MS));
    const onAbort = (): void => resolve('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  return { end, stop: () => stop() };
}
