/**
 * The most common event of a program that embeds Hookline: one function applies, and it has no opinion. It is asked without a firing, because
 * lanes and sums would cost more than the function. Any other reply goes through a firing like all others.
 */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { NO_OPINION } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import type { Placed } from '../../core/event/match.ts';
import type { HookSet, LoneFunction } from '../hook-set.ts';
import type { EngineContext, FireOptions } from '../ports.ts';
import { askHook, askWith } from './ask-hook.ts';
import type { AskResult } from './report.ts';

/** Asks the only hook that applies. Undefined if it is not a function, or if it is subject to more than its own reply. */
export function askLoneFunction(
  context: EngineContext,
  set: HookSet,
  event: HookEvent,
  selected: readonly Placed[],
  options: FireOptions,
  askedAt: number,
): AskResult | Promise<AskResult> | undefined {
  const placed = selected[0];
  if (placed === undefined || selected.length > 1 || set.missing.length > 0) return undefined;
  let lone = set.alone[placed.order];
  if (lone === undefined) {
    lone = prepare(context, placed);
    set.alone[placed.order] = lone;
  }
  if (lone === null) return undefined;
  const { signal, environment } = options;
  const { dialect, handler } = lone;
  const question = { placed, dialect, view: event, original: event, signal: signal ?? context.closing, environment, askedAt };
  // An engine that is closing judges nothing, so only the signal of the caller can have aborted.
  return signal?.aborted ? askHook(context, set, question) : askWith(context, question, handler, askedAt);
}

function prepare({ dialects, ports, settings }: EngineContext, { hook, rule }: Placed): LoneFunction | null {
  if (!hook.run || !hook.enabled || hook.detach || hook.once || hook.skill !== undefined || rule.run !== 'sequence') return null;
  if (hook.shadow || settings.shadow || hook.unusable !== undefined) return null;
  const handler = ports.handlers.get(hook.handler.type);
  return handler ? { dialect: dialects.get(hook.dialect) as Dialect, handler } : null;
}

/** Whether the reply changes nothing and has nothing to report. */
export function isNoOpinion(asked: AskResult | Promise<AskResult>): asked is AskResult {
  return (
    !(asked instanceof Promise) && asked.verdict === NO_OPINION && asked.diagnostics === undefined && asked.report.status === 'answered'
  );
}
