/**
 * The wall clock and the caller's abort, as every handler keeps them: whichever comes first ends the wait, once. After `cancel` no timer
 * is left, and nothing of the wait on the caller's signal.
 */
import type { Call } from '../../core/contracts/handler.ts';
import { type Fault, type FaultKind, fault, type Reply } from '../../core/decision/reply.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import type { Alarm } from './alarm.ts';

/** The part of a call that a wait needs. */
export type CallLimits = Pick<Call, 'timeoutMs' | 'signal'>;

export interface Deadline {
  cancel(): void;
}

/** @param alarm the clock of one who waits again and again; it must keep the process alive itself */
export function startDeadline(patience: CallLimits, giveUp: (why: Fault) => void, alarm?: Alarm): Deadline {
  return new Wait(patience, giveUp, alarm);
}

export function timedOut(timeoutMs: number): Fault {
  return fault('timeout', `did not answer within ${timeoutMs} ms`);
}

export function cancelled(): Fault {
  return fault('cancelled', 'the caller gave up before it answered');
}

class Wait implements Deadline {
  readonly #patience: CallLimits;
  readonly #giveUp: (why: Fault) => void;
  readonly #waiting: Set<Wait> | undefined;
  readonly #alarm: Alarm | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(patience: CallLimits, giveUp: (why: Fault) => void, alarm: Alarm | undefined) {
    this.#patience = patience;
    this.#giveUp = giveUp;
    this.#alarm = alarm;
    if (alarm) alarm.set(patience.timeoutMs, this.#due);
    else this.#timer = setTimeout(this.#due, Math.min(patience.timeoutMs, LONGEST_TIMER_MS));
    this.#waiting = patience.signal && waitingOn(patience.signal);
    this.#waiting?.add(this);
    // A signal that has aborted already will not say so again.
    if (patience.signal?.aborted) queueMicrotask(() => this.end(cancelled()));
  }

  cancel(): void {
    this.#over = true;
    this.#alarm?.clear();
    clearTimeout(this.#timer);
    this.#waiting?.delete(this);
  }

  // A loop that was busy elsewhere finds the timer due and the answer waiting at the same time: the answer counts first.
  readonly #due = (): void => void setImmediate(() => this.end(timedOut(this.#patience.timeoutMs)));

  end(why: Fault): void {
    if (this.#over) return;
    this.cancel();
    this.#giveUp(why);
  }
}

/** One listener for each signal, however many hooks wait on it: Node warns of more than ten, and adding one costs more than a hook. */
function waitingOn(signal: AbortSignal): Set<Wait> {
  const known = waitingBySignal.get(signal);
  if (known !== undefined) return known;
  const waiting = new Set<Wait>();
  waitingBySignal.set(signal, waiting);
  signal.addEventListener('abort', () => waiting.forEach((wait) => void wait.end(cancelled())), { once: true });
  return waiting;
}

const waitingBySignal = new WeakMap<AbortSignal, Set<Wait>>();

/**
 * Turns the result of a function or a model into a reply. A throw is fault `threw`; a promise is awaited within the call's limits. A value at hand
 * is returned at once, without a promise.
 * @param giveUp tells the code that still works on the answer that its result is no longer needed
 * @param lateAs the kind of fault whose policy decides about a timeout, if it is another one
 */
export function awaited(
  answer: unknown,
  patience: CallLimits,
  giveUp: (why: Fault) => void,
  lateAs?: FaultKind,
): Promise<Reply | Fault> | Reply | Fault {
  if (!isThenable(answer)) return { kind: 'value', value: answer };
  return new Promise((resolve) => {
    const deadline = startDeadline(patience, (why) => {
      resolve(lateAs && why.fault === 'timeout' ? { ...why, countsAs: lateAs } : why);
      giveUp(why);
    });
    // Native or not, a thenable may call back twice or throw while it is asked: only the first result counts.
    try {
      answer.then(
        (value) => {
          deadline.cancel();
          resolve({ kind: 'value', value });
        },
        (error: unknown) => {
          deadline.cancel();
          resolve(threw(error));
        },
      );
    } catch (error) {
      deadline.cancel();
      resolve(threw(error));
    }
  });
}

export function threw(error: unknown): Fault {
  return fault('threw', messageOf(error));
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Anything can be thrown, also what does not let itself be written. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : String(error);
  } catch {
    return 'threw a value that cannot be printed';
  }
}
