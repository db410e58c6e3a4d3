/** The context that a caller of the library gives with one event. */

import { HooklineError } from '../core/values/errors.ts';
import { LONGEST_TIMER_MS } from '../core/values/timer.ts';
import type { FireOptions } from '../engine/ports.ts';
import type { FireContext, NativeEvent } from '../engine/receive/events.ts';

const NO_CONTEXT: FireContext = {};

function checkedEnv(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const wrong = Object.entries(env).find(([, value]) => typeof value !== 'string');
  if (wrong) throw new HooklineError('bad-option', `The variable \`${wrong[0]}\` in \`env\` must be text.`);
  return env;
}

export function contextOf(fired: string | NativeEvent, second: unknown, third: FireContext | undefined): FireContext {
  return (typeof fired === 'string' ? third : (second as FireContext | undefined)) ?? NO_CONTEXT;
}

/** Does work that ends at its own limit or with the signal of the caller. */
export async function withPatience<T>(
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
  work: (patience: AbortSignal) => Promise<T>,
): Promise<T> {
  // The timer holds the signal. Node 20 forgets an `AbortSignal.timeout` to which only `AbortSignal.any` refers, and the wait never ends.
  const limit = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => limit.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS)).unref();
  try {
    return await work(signal ? AbortSignal.any([limit.signal, signal]) : limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns how the event is judged: its signal also ends the hooks when the engine closes, and its variables are added to those of this process. */
export function untilClosed(context: FireContext, closing: AbortSignal): FireOptions {
  const { signal, env } = context;
  if (signal === undefined && env === undefined) return context;
  return {
    ...context,
    ...(signal !== undefined && { signal: AbortSignal.any([signal, closing]) }),
    ...(env !== undefined && { environment: { ...process.env, ...checkedEnv(env) } }),
  };
}
