/** The start and the end of a session. The Claude Agent SDK never calls back for them, so they fire around `query()`. */
import type { Hookline } from '../../api/hookline.ts';
import { HaltError } from '../kit/errors.ts';
import { callerOf, placeOf } from '../kit/gate.ts';
import { type GuardOptions, hooksOf } from './hooks.ts';
import type { ClaudeHooks } from './wire.ts';

export interface SessionOptions extends GuardOptions {
  /** How it starts, for hooks of `session.start`. Default: `startup`. */
  readonly source?: 'startup' | 'resume';
  readonly model?: string;
}

export interface GuardedSession extends AsyncDisposable {
  /** The option `hooks` of `query()`. Context of the hooks of `session.start` reaches the model with its first prompt. */
  readonly hooks: ClaudeHooks;
  /** Fires `session.end`, once. */
  end(reason?: string): Promise<void>;
}

/** Fires `session.start`. Rejects with `HaltError` if a hook denies it, so that the query is not made. */
export async function startSession(hookline: Hookline, options: SessionOptions): Promise<GuardedSession> {
  const { source = 'startup', model, ...guard } = options;
  const who = callerOf(guard);
  const started = await hookline.fire('session.start', { ...who, source, ...(model !== undefined && { model }) }, placeOf(guard));
  const { decision, reason, halt, context } = started;
  if (halt !== undefined) throw new HaltError(halt);
  if (decision !== 'pass' && decision !== 'allow') throw new HaltError(reason);
  let ended: Promise<void> | undefined;
  const end = (why?: string): Promise<void> => {
    ended ??= hookline.fire('session.end', { ...who, ...(why !== undefined && { reason: why }) }, placeOf(guard)).then(() => undefined);
    return ended;
  };
  return { hooks: hooksOf(hookline, guard, context), end, [Symbol.asyncDispose]: () => end() };
}
