/** Runs a hook of claude-agent for an event of the engine. */
import type { RunContext } from '../../core/contracts/hook.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { type Hook, HookContext, type HookResult } from './hook.ts';
import { HookInput } from './hook-input.ts';

export function runHook(hook: Hook, payload: JsonObject, { signal, cwd }: RunContext): HookResult | Promise<HookResult> {
  // A copy, because what a hook does to its input must not reach the next one.
  const input = HookInput.ofPayload(payload).copy();
  return hook.execute(input, new HookContext(input.sessionId, { signal, ...(cwd !== undefined && { cwd }) }));
}
