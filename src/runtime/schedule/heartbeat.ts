/** A regular look at what there is to do, in the main session. */
import type { Schedule } from '../contract.ts';
import { oneAtATime } from './cron.ts';
import { readDuration } from './duration.ts';
import { realTimers, repeat, type Timers } from './timers.ts';

export interface HeartbeatOptions {
  /** The time between two beats: `30m`, `2h`, or milliseconds. */
  readonly every: string | number;
  /** The prompt. Without one, a beat only fires `heartbeat`, and no model is called. */
  readonly text?: string;
  /** The channel that an answer is sent to, if it says more than `HEARTBEAT_OK` (default: none). */
  readonly channel?: string;
  readonly user?: string;
  /** Default: the agent's main session. */
  readonly session?: string;
  /** Default: the real clock. */
  readonly timers?: Timers;
}

/** Returns a schedule that beats. A beat is left out while the turn of the last one runs, and after the machine slept none is made up for. */
export function heartbeat({ every, timers = realTimers, ...delivery }: HeartbeatOptions): Schedule {
  const ms = readDuration(every, 'every');
  let cancel: () => void = () => {};
  return {
    start(deliver) {
      cancel = repeat(
        timers,
        (after) => after + ms,
        ms,
        oneAtATime(() => deliver({ type: 'heartbeat', ...delivery })),
      );
    },
    stop: () => cancel(),
  };
}
