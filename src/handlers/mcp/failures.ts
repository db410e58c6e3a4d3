/** The first failure of a connection, and who waits to be told of it. */
import type { Fault } from '../../core/decision/reply.ts';

export interface Failures {
  failure(): Fault | undefined;
  onFailure(listener: (why: Fault) => void): void;
  /** Only the first one counts, because the others follow from it. */
  fail(why: Fault): void;
}

export function createFailures(): Failures {
  let first: Fault | undefined;
  let told: ((why: Fault) => void) | undefined;
  return {
    failure: () => first,
    onFailure(listener) {
      told = listener;
      if (first) listener(first);
    },
    fail(why) {
      if (first) return;
      first = why;
      told?.(why);
    },
  };
}
