/** A hook in code: its interface, the context it runs in, and a short way to make one from a function. */
import type { OutputFields } from '../output-fields.ts';
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
