/**
 * The most common event of a program that embeds Hookline: one function applies, and it has no opinion. It is asked without a firing, because
 * lanes and sums would cost more than the function. Any other reply goes through a firing like all others.
 */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { NO_OPINION } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import type { Placed } from '../../core/event/match.ts';
import type { HookSet } from '../hook-set.ts';
import type { EngineContext, FireOptions } from '../ports.ts';
import { askHook } from './ask-hook.ts';
import type { AskResult } from './report.ts';

/** Asks the only hook that applies. Undefined if it is not a function, or if it is subject to more than its own reply. */
export function askLoneFunction(
  context: EngineContext,
  set: HookSet,
  event: HookEvent,
  selected: readonly Placed[],
  { signal = context.closing, environment }: FireOptions,
  askedAt: number,
): AskResult | Promise<AskResult> | undefined {
  const placed = selected[0];
  if (placed === undefined || selected.length > 1 || set.missing.length > 0) return undefined;
  const { hook, rule } = placed;
  if (!hook.run || !hook.enabled || hook.detach || hook.once || hook.skill !== undefined || rule.run !== 'sequence') return undefined;
  if (hook.shadow || context.settings.shadow) return undefined;
  const dialect = context.dialects.get(hook.dialect) as Dialect;
  return askHook(context, set, { placed, dialect, view: event, original: event, signal, environment, askedAt });
}

/** Whether the reply changes nothing and has nothing to report. */
export function isNoOpinion(asked: AskResult | Promise<AskResult>): asked is AskResult {
  return (
    !(asked instanceof Promise) && asked.verdict === NO_OPINION && asked.diagnostics === undefined && asked.report.status === 'answered'
  );
}
