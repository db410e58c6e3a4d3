/** The clock of a schedule. Tests hand in one of their own, so that no test waits for real minutes. */

export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once, later. Returns a function that prevents it. */
  after(ms: number, run: () => void): () => void;
}

/** Timers keep the process alive, because an agent with a schedule lives until it is stopped. */
export const realTimers: Timers = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Calls `run` at each time that `next` returns for the time before it, until the returned function is called. A time that has passed by more than
 * `lateMs` is missed, and is not made up for: after a night in a closed laptop, no backlog runs.
 */
export function repeat(timers: Timers, next: (after: number) => number, lateMs: number, run: () => void): () => void {
  let cancel: () => void = () => {};
  const arm = (due: number): void => {
    // A timer does not count the time that the machine sleeps, so it never waits long.
    cancel = timers.after(Math.min(Math.max(due - timers.now(), 0), LONGEST_MS), () => {
      const now = timers.now();
      if (now < due) return arm(due);
      arm(next(now));
      if (now - due <= lateMs) run();
    });
  };
  arm(next(timers.now()));
  return () => cancel();
}

const LONGEST_MS = 60_000;
