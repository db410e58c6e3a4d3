/** The real clock, ids and the hash. An id is a random prefix per process and a counter: unique, cheap, and sortable within a process. */
import type { Clock } from '../engine/ports.ts';

export function createClock(): Clock {
  let lastMs = 0;
  let lastIso = '';
  let lastRead = Number.NEGATIVE_INFINITY;
  let reads = 0;
  const clock: { -readonly [K in keyof Clock]: Clock[K] } = {
    iso(tick = clock.tick()) {
      if (tick - lastRead < SAME_MS) return lastIso;
      lastRead = tick;
      const now = Date.now();
      if (now !== lastMs) [lastMs, lastIso] = [now, new Date(now).toISOString()];
      return lastIso;
    },
    now: () => Date.now(),
    // Node loads its fast clock at the first touch, and that takes longer than to judge an event. So a process begins with the slow one.
    tick() {
      if (reads++ === SLOW_READS) clock.tick = fastTick();
      return slowTick();
    },
  };
  return clock;
}

/** A time in text has whole milliseconds. Within half of one the same text is as true, and the system's clock costs more than a tick. */
const SAME_MS = 0.5;
const SLOW_READS = 64;

/** Milliseconds since this process began. */
const slowTick = (): number => process.uptime() * 1000;

/** Bound once, because every hook is timed and looking the function up costs as much as the call. It continues where the slow clock is. */
function fastTick(): () => number {
  const read = performance.now.bind(performance);
  const ahead = slowTick() - read();
  return () => read() + ahead;
}

export function createIds(): () => string {
  // Ids are names, not secrets, so no cryptographic source is loaded for them: that would slow every start of the command.
  const prefix = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 12)}`;
  let last = -1;
  let heads = 0;
  let head = '';
  return () => {
    last++;
    if (last === TAILS) {
      last = 0;
      heads++;
      head = `${prefix}-${heads}`;
      tails ??= Array.from({ length: TAILS }, (_, i) => String(i).padStart(TAIL_DIGITS, '0'));
    }
    return tails === undefined || heads === 0 ? `${prefix}-${last}` : head + (tails[last] as string);
  };
}

/** The last digits of ids, as text. Two texts are joined in half the time in which a number is written, and every event needs an id. */
let tails: readonly string[] | undefined;
const TAIL_DIGITS = 3;
const TAILS = 10 ** TAIL_DIGITS;

/** Loaded at the first hash, because most events need none. */
let crypto: typeof import('node:crypto') | undefined;

/** Returns the hash for digests and the log. */
export function sha256(text: string): string {
  crypto ??= process.getBuiltinModule('node:crypto');
  return crypto.hash('sha256', text);
}
