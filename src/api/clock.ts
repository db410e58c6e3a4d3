/** The real clock and ids. Ids are a random prefix per process and a counter: unique, cheap, and sortable within a process. */
import { randomBytes } from 'node:crypto';
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
  const prefix = `${Date.now().toString(36)}${randomBytes(5).toString('hex')}`;
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
