/**
 * The claude-agent hooks system in code. Hooks are functions; a HookManager runs them in order of priority and merges their outputs. A hook
 * that fails blocks the action it guards, and `execute` does not throw because of it.
 */

import { canBlock, isEventName } from '../../agents/claude-agent/profile.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { askHook, DEFAULT_TIMEOUT_SECS, type Hook, type HookContext, type HookFault, isHookFault } from './hook.ts';
import { HookEvent, type HookInput } from './hook-input.ts';
import { HookOutput, mergeOutputs } from './hook-output.ts';

export type { OutputFields as HookOutputFields } from '../../agents/claude-agent/output-fields.ts';
export type { Json } from '../../core/values/json.ts';
export type { HookFault } from './hook.ts';
export { fnHook, type Hook, HookContext, type HookContextOptions, type HookResult } from './hook.ts';
export { type DataOf, HookEvent, type HookEventData, HookInput } from './hook-input.ts';
export { HookOutput } from './hook-output.ts';

export interface HookManagerOptions {
  /** Called for every hook that failed, and for blocks on events that cannot be blocked. */
  readonly onFault?: (fault: HookFault) => void;
}

/** Keeps hooks and runs those of an event. */
export class HookManager {
  readonly #hooks: Hook[] = [];
  readonly #onFault: (fault: HookFault) => void;

  constructor(options: HookManagerOptions = {}) {
    this.#onFault = options.onFault ?? (() => {});
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

  /**
   * Runs the hooks of an event, highest priority first, each on the original input, and merges their outputs. The first block ends the run.
   * A hook that throws, times out or returns an invalid output blocks the event if it can be blocked (PreToolUse, UserPromptSubmit,
   * SubagentStart, SessionStart) and is ignored otherwise.
   * @throws HooklineError `unknown-event` if there is no such event, because then no hook would run unnoticed.
   */
  async execute<E extends HookEvent>(event: E, input: HookInput<NoInfer<E>>, context: HookContext): Promise<HookOutput> {
    if (!isEventName(event)) throw new HooklineError('unknown-event', `The HookManager has no event \`${String(event)}\`.`);
    const blocks = canBlock(event);
    let merged = HookOutput.allow();
    for (const hook of this.#hooksFor(event, input)) {
      const answer = await askHook<HookEvent>(hook, event, input, context);
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

function checkHook(hook: Hook): void {
  const wrong = (what: string): HooklineError => new HooklineError('bad-option', `A hook for the HookManager ${what}.`);
  if (typeof hook?.name !== 'string' || hook.name === '') throw wrong('needs a name');
  const named = `\`${hook.name}\``;
  if (!Array.isArray(hook.events) || hook.events.length === 0) throw wrong(`must listen to an event: ${named} has none`);
  const unknown = (hook.events as readonly unknown[]).find((event) => !Object.hasOwn(HookEvent, String(event)));
  if (unknown !== undefined) throw wrong(`must listen to one of ${Object.keys(HookEvent).join(', ')}: ${named} has \`${String(unknown)}\``);
  if (typeof hook.execute !== 'function') throw wrong(`needs a function \`execute\`: ${named} has none`);
  const seconds: unknown = hook.timeoutSecs ?? DEFAULT_TIMEOUT_SECS;
  if (typeof seconds !== 'number' || !(seconds > 0)) throw wrong(`needs a timeout above 0: ${named} has ${String(seconds)}`);
  const priority: unknown = hook.priority ?? 0;
  if (typeof priority !== 'number' || !Number.isFinite(priority))
    throw wrong(`needs a number as priority: ${named} has ${String(priority)}`);
}
