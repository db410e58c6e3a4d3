/**
 * What a function or a model answers, now or later, as a reply: a throw is fault `threw`, a promise is awaited within the call's
 * patience. A value at hand is passed on at once, without a promise.
 */
import type { Fault, Reply } from '../core/reply.ts';
import { fault } from '../core/reply.ts';
import { type Patience, startDeadline } from './deadline.ts';

/** `giveUp` tells the one who is still working on the answer that nobody waits for it any more. */
export function awaited(answer: unknown, patience: Patience, giveUp: (why: Fault) => void): Promise<Reply | Fault> | Reply | Fault {
  if (!isThenable(answer)) return { kind: 'value', value: answer };
  return new Promise((resolve) => {
    const deadline = startDeadline(patience, (why) => {
      resolve(why);
      giveUp(why);
    });
    // Native or not, a thenable may call back twice or throw while it is asked: only the first word counts.
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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Anything can be thrown, also what does not let itself be written. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : String(error);
  } catch {
    return 'threw something that can not be shown';
  }
}
