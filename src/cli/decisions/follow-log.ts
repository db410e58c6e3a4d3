/** Prints new entries as they are written, until Ctrl-C or until the reader closes the pipe. */
import type { LogEntry, LogFilter, LogStore } from '../../core/record/decision-record.ts';

const POLL_MS = 250;

/**
 * Follows the log.
 * @param show prints entries and returns whether the reader is still there
 */
export async function followLog(log: LogStore, filter: LogFilter, show: (entries: readonly LogEntry[]) => Promise<boolean>): Promise<void> {
  const interrupted = whenInterrupted();
  // Read before the first listing, so that an entry written in between is shown exactly once.
  const newest = (await log.list({ limit: 1 })).at(-1)?.seq ?? (await log.anchor()).seq;
  const first = await log.list(filter);
  let last = Math.max(newest, first.at(-1)?.seq ?? 0);
  let watched = await show(first);
  const { limit: _, ...rest } = filter;
  while (watched && !(await interrupted.within(POLL_MS))) {
    const fresh = await log.list({ ...rest, after: last });
    last = fresh.at(-1)?.seq ?? last;
    if (fresh.length > 0) watched = await show(fresh);
  }
}

interface Interrupted {
  /** Returns true as soon as Ctrl-C is pressed, or false after this time. */
  within(ms: number): Promise<boolean>;
}

function whenInterrupted(): Interrupted {
  const pressed = new Promise<true>((resolve) => process.once('SIGINT', () => resolve(true)));
  return {
    async within(ms) {
      let timer: NodeJS.Timeout | undefined;
      const elapsed = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), ms);
      });
      const first = await Promise.race([pressed, elapsed]);
      clearTimeout(timer);
      return first;
    },
  };
}
