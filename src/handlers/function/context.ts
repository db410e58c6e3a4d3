/** What a function hook gets beside the payload. The signal is made when somebody looks at it: most hooks never do. */
import type { Hook, RunContext } from '../../core/hook.ts';

export class FunctionContext implements RunContext {
  readonly hook: Hook;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(hook: Hook) {
    this.hook = hook;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Nobody waits for the answer any more; whoever looks at the signal, now or later, sees it. */
  abort(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
