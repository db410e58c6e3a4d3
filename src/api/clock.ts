/** The real clock, ids and the hash. An id is a random prefix per process and a counter: unique, cheap, and sortable within a process. */
import type { Clock } from '../engine/ports.ts';

export function createClock(): Clock {
  let lastMs = 0;
  let lastIso = '';
  return {
    iso() {
      const now = Date.now();
      if (now !== lastMs) [lastMs, lastIso] = [now, new Date(now).toISOString()];
      return lastIso;
    },
    now: () => Date.now(),
    tick: () => performance.now(),
  };
}

export function createIds(): () => string {
  // Ids are names, not secrets, so no cryptographic source is loaded for them: that would slow every start of the command.
  const prefix = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 12)}`;
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

/** Returns the hash for digests and the log. Its library is loaded at the first hash, because most events need none. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
