/** The time on the wall of a time zone, to the minute. */
import { HooklineError } from '../../core/values/errors.ts';

export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

/** Returns the wall time at a moment. */
export type Wall = (at: number) => WallTime;

/** @param timeZone a name such as `Europe/Berlin` (default: the zone of this machine) */
export function wallIn(timeZone: string | undefined): Wall {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', {
      ...(timeZone !== undefined && { timeZone }),
      ...({ hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
    });
  } catch (cause) {
    const hint = 'Write the name of a zone, for example `Europe/Berlin` or `UTC`.';
    throw new HooklineError('bad-option', `There is no time zone \`${timeZone}\`.`, { hint, cause });
  }
  return (at) => {
    const [day = 1, month = 1, year = 1970, hour = 0, minute = 0] = (format.format(at).match(/\d+/g) ?? []).map(Number);
    return { year, month, day, hour, minute, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() };
  };
}
