/**
 * The most common event of a program that embeds Hookline: one function applies, and it has no opinion. It is asked without a firing, because
 * lanes and sums would cost more than the function. Any other reply goes through a firing like all others.
 */
import type { Dialect } from '../../core/contracts/dialect.ts';
import type { Call } from '../../core/contracts/handler.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { NO_OPINION } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import type { Placed } from '../../core/event/match.ts';
import { interpret } from '../../core/meaning/interpret.ts';
import type { HookSet, LoneFunction } from '../hook-set.ts';
import type { EngineContext, FireOptions } from '../ports.ts';
import { askHook, isPlainValue, judgeAnswer, judgeMeaning, msSince, type Question } from './ask-hook.ts';
import { type AskResult, answered } from './report.ts';

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
  const { signal = context.closing, environment } = options;
  const { dialect, handler } = lone;
  const { hook, rule } = placed;
  // An engine that is closing judges nothing, so only the signal of the caller can have aborted.
  if (options.signal?.aborted || environment) {
    return askHook(context, set, { ...questionOf(placed, dialect, event, signal), environment, askedAt });
  }
  const answer = handler.handle(callOf(context, hook, dialect, event, signal));
  if (!isPlainValue(answer)) return judgeAnswer(context, questionOf(placed, dialect, event, signal), answer, askedAt);
  const ms = msSince(context, askedAt);
  const meaning = interpret(answer, hook, rule, dialect, event);
  if (meaning === NO_OPINION) return { report: answered(hook, 'pass', ms), verdict: NO_OPINION };
  return judgeMeaning(context, questionOf(placed, dialect, event, signal), answer, meaning, ms);
}

/** The same call as that of `callFor`, for a function without facts. */
function callOf({ settings }: EngineContext, hook: Hook, dialect: Dialect, event: HookEvent, signal: AbortSignal): Call {
  return {
    hook,
    payload: dialect.wire.encodeEvent(event, hook.event),
    event,
    ask: dialect.profile.ask,
    cwd: hook.cwd ?? event.session.cwd,
    timeoutMs: hook.timeoutMs,
    limits: settings.limits,
    permits: settings.permits,
    nesting: settings.nesting,
    signal,
  };
}

/** Made only for a reply that takes more than a report. */
function questionOf(placed: Placed, dialect: Dialect, event: HookEvent, signal: AbortSignal): Question {
  return { placed, dialect, view: event, original: event, signal, environment: undefined };
}

function prepare({ dialects, ports, settings }: EngineContext, { hook, rule }: Placed): LoneFunction | null {
  if (!hook.run || !hook.enabled || hook.detach || hook.once || hook.skill !== undefined || rule.run !== 'sequence') return null;
  if (hook.shadow || settings.shadow || hook.unusable !== undefined || hook.facts) return null;
  const handler = ports.handlers.get(hook.handler.type);
  return handler ? { dialect: dialects.get(hook.dialect) as Dialect, handler } : null;
}

/** Whether the reply changes nothing and has nothing to report. */
export function isNoOpinion(asked: AskResult | Promise<AskResult>): asked is AskResult {
  return (
    !(asked instanceof Promise) && asked.verdict === NO_OPINION && asked.diagnostics === undefined && asked.report.status === 'answered'
  );
}
