/**
 * Proof that Mastra asks the methods of an agent that Hookline replaces. They are Mastra's own affair, so a later version may keep them and call them no
 * more, and every tool and model would run past the hooks. A run that does not ask them is found out, and the agent then runs no more.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { HooklineError } from '../../core/values/errors.ts';

/** The replaced methods that every run asks, and the parts of a run that come from them. */
const ASKED = { convertTools: 'tools', resolveModelConfig: 'models' } as const;
export type Asked = keyof typeof ASKED;
const EVERY = Object.keys(ASKED) as readonly Asked[];

const PACKAGE = '@mastra/core';
/** The newest version that the contract is tested with. */
export const NEWEST = '1.71.0';

interface Run {
  readonly canary: Canary;
  readonly asked: Set<Asked>;
}

/** The run that a call of a replaced method, of a model or of a tool belongs to. */
const running = new AsyncLocalStorage<Run>();

/** Notes that Mastra asks a replaced method. */
export function noteAsked(method: Asked): void {
  running.getStore()?.asked.add(method);
}

/** Throws if the run has not asked this method, because the part of it that is about to act is then not behind the hooks. */
export function mustHaveAsked(method: Asked): void {
  const run = running.getStore();
  if (run && !run.asked.has(method)) throw run.canary.found(method);
}

/** Watches the runs of one agent. */
export class Canary {
  readonly #agent: string;
  /** Resolves the agent's model as Mastra does for anyone who asks, which runs nothing. */
  readonly #resolve: ((options: object) => unknown) | undefined;
  #isResolved = false;
  #fault: HooklineError | undefined;

  constructor(agent: string, resolve: ((options: object) => unknown) | undefined) {
    this.#agent = agent;
    this.#resolve = resolve;
  }

  /** Throws if a run was found out. */
  check(): void {
    if (this.#fault) throw this.#fault;
  }

  /** Performs a run. Rejects if it does not ask the replaced methods, or if an earlier one did not. */
  async watch<T>(options: object | undefined, call: () => T | PromiseLike<T>): Promise<T> {
    this.check();
    // Some runs of Mastra consist of others of the same agent.
    if (running.getStore()?.canary === this) return call();
    await this.#tryModel(options);
    const asked = new Set<Asked>();
    let result: T;
    try {
      result = await running.run({ canary: this, asked }, call);
    } catch (error) {
      this.check();
      throw error;
    }
    this.check();
    for (const method of EVERY) if (!asked.has(method)) throw this.found(method);
    return result;
  }

  /** Ends all runs of the agent. Returns the error with which they reject. */
  found(method: Asked): HooklineError {
    this.#fault ??= new HooklineError(
      'unguarded',
      `${PACKAGE} ${installed()} runs the agent ${this.#agent} without asking its \`${method}\`, so its ${ASKED[method]} are not behind the hooks. The agent runs no more.`,
      { hint: `Install ${PACKAGE} ${NEWEST}, the newest version with which the hooks are tested, or a later Hookline.` },
    );
    return this.#fault;
  }

  /** Finds out before the first run, and before any model is called, that Mastra resolves models elsewhere. */
  async #tryModel(options: object | undefined): Promise<void> {
    if (this.#isResolved || !this.#resolve) return;
    const { requestContext } = (options ?? {}) as { readonly requestContext?: unknown };
    const asked = new Set<Asked>();
    try {
      await running.run({ canary: this, asked }, this.#resolve, requestContext === undefined ? {} : { requestContext });
    } catch {
      // The run itself says why there is no model.
      return;
    }
    if (!asked.has('resolveModelConfig')) throw this.found('resolveModelConfig');
    this.#isResolved = true;
  }
}

function installed(): string {
  try {
    const { version }: { readonly version: string } = createRequire(import.meta.url)(`${PACKAGE}/package.json`);
    return version;
  } catch {
    return '(of an unknown version)';
  }
}
