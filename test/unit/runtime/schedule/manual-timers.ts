/** A clock that a test moves. */
import type { Timers } from '../../../../src/runtime/schedule/timers.ts';

export interface ManualTimers extends Timers {
  /** Moves the clock, and runs what becomes due, in order. */
  pass(ms: number): void;
  /** Moves the clock and runs nothing: the machine sleeps. */
  sleep(ms: number): void;
  /** How many timers are set. */
  readonly waiting: number;
}

export function manualTimers(start: string | number = 0): ManualTimers {
  let now = new Date(start).getTime();
  let slept = 0;
  const set = new Set<{ readonly due: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      // A timer does not count the time that the machine sleeps.
      const timer = { due: now - slept + ms, run };
      set.add(timer);
      return () => void set.delete(timer);
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...set].filter(({ due }) => due + slept <= end).sort((a, b) => a.due - b.due);
        if (!next) break;
        set.delete(next);
        now = Math.max(now, next.due + slept);
        next.run();
      }
      now = end;
    },
    sleep(ms) {
      now += ms;
      slept += ms;
    },
    get waiting() {
      return set.size;
    },
  };
}
