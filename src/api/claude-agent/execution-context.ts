/** The context of a tool, as far as hooks are concerned: a tool fires the events that only it knows of, such as the start of a subagent. */
import { HookContext, type HookContextOptions } from './hook.ts';
import type { HookEvent, HookInput } from './hook-input.ts';
import { HookOutput, type MergedOutput } from './hook-output.ts';

/** Runs the hooks of an event, as a HookManager does. */
export interface HookExecutor {
  execute<E extends HookEvent>(event: E, input: HookInput<NoInfer<E>>, context: HookContext): Promise<MergedOutput>;
}

interface Hooks {
  readonly manager: HookExecutor;
  readonly sessionId: string;
}

export class ExecutionContext<S = unknown> {
  /** The agent's own security context. Hookline hands it on and does not read it. */
  readonly security: S;
  readonly #options: HookContextOptions;
  readonly #hooks: Hooks | undefined;

  constructor(security: S, options: HookContextOptions = {}, hooks?: Hooks) {
    this.security = security;
    this.#options = options;
    this.#hooks = hooks;
  }

  /** Returns the same context with hooks. */
  hooks(manager: HookExecutor, sessionId: string): ExecutionContext<S> {
    return new ExecutionContext(this.security, this.#options, { manager, sessionId });
  }

  /** Fires an event from within a tool. Without hooks nothing objects. */
  async fireHook<E extends HookEvent>(event: E, input: HookInput<NoInfer<E>>): Promise<MergedOutput> {
    if (!this.#hooks) return new HookOutput();
    const { manager, sessionId } = this.#hooks;
    return manager.execute(event, input, new HookContext(sessionId, this.#options));
  }
}
