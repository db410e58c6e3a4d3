/** Answers a host before its own timeout, because a host whose timeout expires continues without an answer. */

import type { Host } from '../../core/contracts/host.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { type EventRule, isBlockingEvent } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { CallerPresence } from '../ports.ts';

/** The part of a host's timeout that is kept for the start of a process and the way back. */
const RESERVE = 0.2;

/**
 * The deadline of one event, by the most impatient of the hosts that may be calling. Hosts without a timeout have none. The signal is made on first
 * use: most events ask no hook, and a signal costs as much as the event.
 */
export class HostDeadline {
  isOver = false;
  readonly #presence: CallerPresence | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #giveUp: AbortController | undefined;

  constructor(callers: readonly { readonly host: Host; readonly answeredOn: string }[], presence?: CallerPresence) {
    this.#presence = presence;
    const waits = Math.min(...callers.map(({ host, answeredOn }) => host.timeoutMs?.(answeredOn) ?? Number.POSITIVE_INFINITY));
    if (waits === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(
      () => {
        this.isOver = true;
        this.#giveUp?.abort();
      },
      waits * (1 - RESERVE),
    ).unref();
  }

  /** Aborted while the host still listens. A hook that has not answered by then cannot consent. */
  get signal(): AbortSignal | undefined {
    if (this.#timer === undefined) return this.#presence?.signal;
    if (this.#giveUp) return this.#giveUp.signal;
    const giveUp = new AbortController();
    this.#giveUp = giveUp;
    this.#presence?.signal.addEventListener('abort', () => giveUp.abort(), { once: true });
    if (this.isOver || this.#presence?.isGone) giveUp.abort();
    return giveUp.signal;
  }

  /** Clears the timer once the host is answered, because timers would accumulate in a server. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Returns the outcome of an event whose caller is gone. It is recorded, but no agent receives it. */
export function withoutCaller(outcome: Outcome): Outcome {
  const message = 'The caller disconnected before all hooks had answered, so the hooks were ended.';
  return { ...outcome, diagnostics: [...outcome.diagnostics, { severity: 'info', code: 'caller-gone', message }] };
}

/** Returns the outcome after the deadline. A deny that only keeps the agent working becomes a pass, because slow hooks are slow again. */
export function withHostTimeout(outcome: Outcome, rule: EventRule, { title }: Host): Outcome {
  const message = `${title} does not wait longer for an answer, and not all hooks had answered.`;
  const diagnostics: Diagnostic[] = [...outcome.diagnostics, { severity: 'warning', code: 'host-timeout', message }];
  if (isBlockingEvent(rule)) return { ...outcome, diagnostics };
  const { continue: _, ...rest } = outcome;
  return { ...rest, decision: 'pass', reason: null, diagnostics };
}
