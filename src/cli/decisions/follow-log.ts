/** New entries as they are written, until the person has seen enough: Ctrl-C, or whoever reads us is gone. */
import type { LogEntry, LogFilter, LogStore } from '../../core/contracts/decision-record.ts';

const POLL_MS = 250;

/** `show` answers whether anybody still looks. */
export async function followLog(log: LogStore, filter: LogFilter, show: (entries: readonly LogEntry[]) => Promise<boolean>): Promise<void> {
  const interrupted = whenInterrupted();
  // Taken before the first look: what is written in between is shown once, by one of the two.
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
  /** True as soon as Ctrl-C was pressed; false if it was not in this time. */
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
