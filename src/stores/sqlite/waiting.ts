/** Waiting for a change: at once if this store makes it, within a moment if another process does. */
const POLL_MS = 50;

export interface Waiting {
  wake(): void;
  /** Resolves when it is worth looking again: no later than `ms` from now. */
  change(ms: number, signal: AbortSignal): Promise<void>;
}

export function createWaiting(closed: AbortSignal): Waiting {
  const sleepers = new Set<() => void>();
  return {
    wake() {
      for (const wake of sleepers) wake();
    },
    change(ms, signal) {
      return new Promise((resolve) => {
        const ends = [signal, closed];
        const wake = (): void => {
          clearTimeout(timer);
          sleepers.delete(wake);
          for (const end of ends) end.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, Math.min(POLL_MS, Math.max(1, ms)));
        sleepers.add(wake);
        for (const end of ends) end.addEventListener('abort', wake);
        if (ends.some(({ aborted }) => aborted)) wake();
      });
    },
  };
}
