/**
 * The claude-agent hooks system in code. Hooks are functions; a HookManager runs them in order of priority and merges their outputs. A hook
 * that fails blocks the action it guards, and `execute` does not throw because of it.
 */

import { canBlock, isEventName } from '../../agents/claude-agent/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { checkHook } from './check-hook.ts';
import { type LoadedHooks, type LoadOptions, loadHooks } from './file-hooks.ts';
import { askHook, type Hook, type HookContext, type HookFault, isHookFault } from './hook.ts';
import type { HookEvent, HookInput } from './hook-input.ts';
import { HookOutput, type MergedOutput, mergeOutputs } from './hook-output.ts';

export type { OutputFields as HookOutputFields } from '../../agents/claude-agent/output-fields.ts';
export type { Json } from '../../core/values/json.ts';
export { CommandHook, type CommandHookOptions, type HookAction, type HookRule } from './command-hook.ts';
export { ExecutionContext, type HookExecutor } from './execution-context.ts';
export type { LoadOptions } from './file-hooks.ts';
export type { HookFault } from './hook.ts';
export { FnHook, type FnHookOptions, fnHook, type Hook, HookContext, type HookContextOptions, type HookResult } from './hook.ts';
export { type DataOf, HookEvent, type HookEventData, HookInput, type ReadDataOf } from './hook-input.ts';
export { HookOutput, type MergedOutput, type OutputBuilder } from './hook-output.ts';

export interface HookManagerOptions {
  /** Called for every hook that failed, and for blocks on events that cannot be blocked. */
  readonly onFault?: (fault: HookFault) => void;
}

/** Keeps hooks and runs those of an event. */
export class HookManager {
  readonly #hooks: Hook[] = [];
  readonly #onFault: (fault: HookFault) => void;
  readonly #loaded: LoadedHooks[] = [];

  constructor(options: HookManagerOptions = {}) {
    this.#onFault = options.onFault ?? (() => {});
  }

  /**
   * Returns a manager with the hooks of a project and its user, from the files of the document: settings, plugins, skills and subagents. The
   * project's hooks are trusted because the caller names its folder; `trust: 'ask'` lets only those run that a person has trusted.
   */
  static async fromSettings(folder: string, options: LoadOptions & HookManagerOptions = {}): Promise<HookManager> {
    const manager = new HookManager(options);
    await manager.load(folder, options);
    return manager;
  }

  /** Adds the hooks of a project and its user, as `fromSettings` does. Returns the problems of the files. */
  async load(folder: string, options: LoadOptions = {}): Promise<readonly Diagnostic[]> {
    const loaded = await loadHooks(folder, options, (fault) => this.#report(fault));
    this.#loaded.push(loaded);
    for (const hook of loaded.hooks) this.register(hook);
    return loaded.diagnostics;
  }

  /** The problems of the files that were loaded. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#loaded.flatMap(({ diagnostics }) => diagnostics);
  }

  /** Ends the commands of loaded hooks that still run. A manager without loaded hooks has nothing to close. */
  async close(): Promise<void> {
    await Promise.all(this.#loaded.map((loaded) => loaded.close()));
  }

  /**
   * Adds a hook. Dispose the returned value to remove it: `manager.register(hook)[Symbol.dispose]()`, or `using`.
   * @throws HooklineError `bad-option` if the hook has no name, no event or no `execute`, or an invalid timeout.
   */
  register<E extends HookEvent>(hook: Hook<E>): Disposable {
    // A hook of some events is stored as a hook of any event. `execute` passes it only the events it registered for.
    const kept: Hook = hook;
    checkHook(kept);
    this.#hooks.push(kept);
    let registered = true;
    return {
      [Symbol.dispose]: () => {
        if (registered) this.#hooks.splice(this.#hooks.indexOf(kept), 1);
        registered = false;
      },
    };
  }

  /** The same as `register`. The document has two of them, because its language has two ways to own a hook. */
  registerArc<E extends HookEvent>(hook: Hook<E>): Disposable {
    return this.register(hook);
  }

  /**
   * Runs the hooks of an event, highest priority first, each on the original input, and merges their outputs. The first block ends the run.
   * A hook that throws, times out or returns an invalid output blocks the event if it can be blocked (PreToolUse, UserPromptSubmit,
   * SubagentStart, SessionStart) and is ignored otherwise.
   * @throws HooklineError `unknown-event` if there is no such event, because then no hook would run unnoticed.
   * @throws HooklineError `bad-payload` if the input is of another event, because its hooks would judge the wrong data.
   */
  async execute<E extends HookEvent>(event: E, input: HookInput<NoInfer<E>>, context: HookContext): Promise<MergedOutput> {
    if (!isEventName(event)) throw new HooklineError('unknown-event', `The HookManager has no event \`${String(event)}\`.`);
    const given = input.eventType();
    if (given !== event) throw new HooklineError('bad-payload', `The input is of ${given}, not of ${event}.`);
    const blocks = canBlock(event);
    // The caller may change what it passed while hooks run.
    const own = input.copy();
    let merged = new HookOutput();
    for (const hook of this.#hooksFor(event, own)) {
      const answer = await askHook<HookEvent>(hook, event, own, context);
      if (isHookFault(answer)) {
        this.#report(answer);
        if (blocks) return mergeOutputs(merged, HookOutput.block(`Hook '${hook.name}' ${answer.detail}`));
        continue;
      }
      if (answer.continueExecution || blocks) {
        merged = mergeOutputs(merged, answer);
        if (!merged.continueExecution) return merged;
        continue;
      }
      this.#report({ hook: hook.name, event, kind: 'not-permitted', detail: `blocked ${event}, which cannot be blocked` });
      const { stopReason: _, ...rest } = answer;
      merged = mergeOutputs(merged, { ...rest, continueExecution: true });
    }
    return merged;
  }

  #hooksFor(event: HookEvent, input: HookInput): readonly Hook[] {
    const tool = input.toolName();
    return (
      this.#hooks
        // `search` ignores the `lastIndex` of a global expression.
        .filter(
          ({ events, toolMatcher }) => events.includes(event) && (!toolMatcher || tool === undefined || tool.search(toolMatcher) >= 0),
        )
        .sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
    );
  }

  #report(fault: HookFault): void {
    try {
      this.#onFault(fault);
    } catch {
      // A listener that throws must not change the outcome.
    }
  }
}
