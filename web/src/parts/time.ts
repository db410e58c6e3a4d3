/** Times and amounts in words. */
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const SHORT_CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const EXACT = new Intl.DateTimeFormat('en-GB', {
  ...({ dateStyle: 'full', timeStyle: 'long' } as const),
});
const NUMBER = new Intl.NumberFormat('en');
const [SECOND, MINUTE, HOUR, A_DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** `14:42:08`; `17 Nov 14:42` if it is longer ago than most of a day. */
export function clock(at: number, today = Date.now()): string {
  return isRecent(at, today) ? CLOCK.format(at) : `${DAY.format(at)} ${SHORT_CLOCK.format(at)}`;
}

/** `14:42:08`, or `17 Nov`: as wide as the column of a list. */
export function narrowClock(at: number, today = Date.now()): string {
  return isRecent(at, today) ? CLOCK.format(at) : DAY.format(at);
}

function isRecent(at: number, today: number): boolean {
  return Math.abs(today - at) < 20 * HOUR;
}

/** `14:42`, or `3 Nov 14:42`. */
export function shortClock(at: number, today = Date.now()): string {
  return isRecent(at, today) ? SHORT_CLOCK.format(at) : `${DAY.format(at)} ${SHORT_CLOCK.format(at)}`;
}

/** `14:42`, whatever day it is. */
export function minuteOf(at: number): string {
  return SHORT_CLOCK.format(at);
}

export function dayOf(at: number): string {
  return DAY.format(at);
}

export function exact(at: number): string {
  return `${EXACT.format(at)}, ${new Date(at).toISOString()}`;
}

/** `6 m`, `3 h`, `9 days`. */
export function span(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.round(ms / SECOND))} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} m`;
  if (ms < 2 * A_DAY) return `${Math.round(ms / HOUR)} h`;
  return `${Math.round(ms / A_DAY)} days`;
}

/** How long ago: `now`, `6 m ago`. */
export function ago(at: number, now: number): string {
  return now - at < 10 * SECOND ? 'now' : `${span(now - at)} ago`;
}

/** `6.1 ms`, `2.0 s`. */
export function took(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1_000)} s`;
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms >= 10 || Number.isInteger(ms) ? Math.round(ms) : ms.toFixed(1)} ms`;
}

export function count(value: number): string {
  return NUMBER.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`;
}
