/** A hook in code: its interface, the context it runs in, and a short way to make one from a function. */
import { type OutputFields, readOutput } from '../../agents/claude-agent/output-fields.ts';
import type { HookEvent, HookInput } from './hook-input.ts';

/** What `execute` may return; nothing at all is an allow. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement is a valid hook.
export type HookResult = Partial<OutputFields> | null | undefined | void;

/** One hook. `E` is the union of the events it listens to, so that `execute` sees the data of these and no others. */
export interface Hook<E extends HookEvent = HookEvent> {
  /** Named in reasons and reports. */
  readonly name: string;
  readonly events: readonly E[];
  /** Searched for in the tool's name. Events without a tool are not filtered. */
  readonly toolMatcher?: RegExp;
  /** Default: 60. */
  readonly timeoutSecs?: number;
  /** Higher runs first. Default: 0. */
  readonly priority?: number;
  execute(input: HookInput<E>, context: HookContext): HookResult | Promise<HookResult>;
}

/** Makes a hook from a function. */
export function fnHook<E extends HookEvent>(
  name: string,
  events: readonly E[],
  execute: Hook<E>['execute'],
  options: Pick<Hook<E>, 'toolMatcher' | 'timeoutSecs' | 'priority'> = {},
): Hook<E> {
  return { name, events, execute, ...options };
}

export interface HookContextOptions {
  /** Aborts when the agent gave up. */
  readonly signal?: AbortSignal;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What surrounds a hook. Its `signal` aborts when the agent gave up, and inside a hook also when the hook ran out of time. */
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

/** Asks one hook in code, within its time. Never throws: what went wrong is a value, and the timer is always gone afterwards. */

/** A hook that could not be asked, or said something it may not say. */
export interface HookFault {
  readonly hook: string;
  readonly event: HookEvent;
  /** `not-permitted`: it blocked an event that can't be blocked. */
  readonly kind: 'threw' | 'timeout' | 'malformed' | 'cancelled' | 'not-permitted';
  /** What happened, as the end of a sentence that begins with the hook. */
  readonly detail: string;
  readonly cause?: unknown;
}

export const DEFAULT_TIMEOUT_SECS = 60;
/** Timers wrap beyond this and would fire at once. */
const LONGEST_MS = 2_147_483_647;

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
  if (context.signal.aborted) return failed('cancelled', 'was not asked: the caller gave up');
  const seconds = hook.timeoutSecs ?? DEFAULT_TIMEOUT_SECS;
  const inner = new AbortController();
  const waited = wait(context.signal, seconds * 1000);
  try {
    const own = new HookContext(context.sessionId, { ...context, signal: inner.signal });
    // In an async function, so that a synchronous throw is a rejection like any other.
    const asked = (async () => hook.execute(input.copy(), own))();
    const said = await Promise.race([asked.then((result): { result: HookResult } => ({ result })), waited.end]);
    if (said === 'timeout' || said === 'cancelled') {
      // Whoever still works on an answer nobody waits for is told so.
      inner.abort();
      return failed(said, said === 'timeout' ? `did not answer within ${seconds} s` : 'was not waited for: the caller gave up');
    }
    const output = outputOf(said.result);
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
  return typeof output === 'string' ? `returned an output that can not be used: ${output}` : output;
}

function wait(signal: AbortSignal, ms: number): { readonly end: Promise<'timeout' | 'cancelled'>; stop(): void } {
  let stop = (): void => {};
  const end = new Promise<'timeout' | 'cancelled'>((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), Math.min(ms, LONGEST_MS));
    const onAbort = (): void => resolve('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  return { end, stop: () => stop() };
}
