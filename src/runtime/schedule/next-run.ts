/** Finds the next minute at which a cron line holds. */
import type { CronLine } from './cron-line.ts';
import type { Wall, WallTime } from './wall-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A leap day is at most eight years away. */
const FURTHEST = 9 * 366 * 24 * HOUR;
/** More than any clock is ever put forward or back. */
const MOST_SHIFT = 3 * HOUR;
/** The minutes of the smallest step by which clocks are put forward or back. */
const QUARTER = 15;

/**
 * Returns the first minute after `after` at which the line holds. A time that the clocks skip does not happen. A time that they repeat happens once
 * if the line names hours, and otherwise twice, because an hourly job runs every hour.
 */
export function nextRun(line: CronLine, after: number, wall: Wall): number {
  const end = after + FURTHEST;
  let at = Math.floor(after / MINUTE) * MINUTE + MINUTE;
  while (at < end) {
    const time = wall(at);
    if (!line.holdsOn(time)) at = nearMidnight(at, time);
    else if (line.holds(time) && !(line.namesHours && isRepeated(at, time, wall))) return at;
    else at += MINUTE;
  }
  throw new Error('A cron line that was read holds within nine years.');
}

/** Leaps towards the end of the day, but never past it, although the clocks may change on the way. */
function nearMidnight(at: number, { hour, minute }: WallTime): number {
  const left = (24 * 60 - hour * 60 - minute) * MINUTE;
  return at + (left > MOST_SHIFT ? left - MOST_SHIFT : (QUARTER - (minute % QUARTER)) * MINUTE);
}

/** Whether the wall showed the same time before, because the clocks were put back in between. */
function isRepeated(at: number, time: WallTime, wall: Wall): boolean {
  const shift = offsetAt(at - MOST_SHIFT, wall) - offsetAt(at, wall);
  return shift > 0 && isSame(wall(at - shift), time);
}

function offsetAt(at: number, wall: Wall): number {
  const { year, month, day, hour, minute } = wall(at);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE) * MINUTE;
}

function isSame(one: WallTime, other: WallTime): boolean {
  return one.day === other.day && one.hour === other.hour && one.minute === other.minute;
}
