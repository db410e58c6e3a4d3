/** Jobs at fixed times. Each run has a fresh session, because it continues no conversation. */
import { HooklineError } from '../../core/values/errors.ts';
import type { Delivery, Schedule, Turn } from '../contract.ts';
import { readCronLine } from './cron-line.ts';
import { nextRun } from './next-run.ts';
import { realTimers, repeat, type Timers } from './timers.ts';
import { wallIn } from './wall-time.ts';

export interface CronJob {
  /** The name that hooks see. Two jobs of a table have different names. */
  readonly name: string;
  /** Five fields, `30 9 * * mon-fri`, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. */
  readonly at: string;
  /** The prompt. */
  readonly text: string;
  /** The channel that the answer is sent to (default: none). */
  readonly channel?: string;
  readonly user?: string;
}

export interface CronOptions {
  /** The zone of the times, such as `Europe/Berlin` (default: the zone of this machine). */
  readonly timeZone?: string;
  /** Default: the real clock. */
  readonly timers?: Timers;
}

/** A run that starts later than its own minute is missed. */
const LATE_MS = 60_000;

/**
 * Returns a schedule of jobs. A run that was missed, because the machine slept or the agent was not running, is not made up for. A job that still
 * runs is not started again.
 */
export function cron(jobs: readonly CronJob[], { timeZone, timers = realTimers }: CronOptions = {}): Schedule {
  const wall = wallIn(timeZone);
  const read = jobs.map((job) => ({ job, line: readCronLine(job.at) }));
  const twice = jobs.find(({ name }, i) => jobs.findIndex((other) => other.name === name) !== i);
  if (twice)
    throw new HooklineError('bad-option', `Two cron jobs have the name \`${twice.name}\`.`, { hint: 'Give each job a name of its own.' });
  let cancels: (() => void)[] = [];
  return {
    start(deliver) {
      cancels = read.map(({ job, line }) =>
        repeat(
          timers,
          (after) => nextRun(line, after, wall),
          LATE_MS,
          oneAtATime(() => deliver(deliveryOf(job))),
        ),
      );
    },
    stop() {
      for (const cancel of cancels) cancel();
      cancels = [];
    },
  };
}

function deliveryOf({ name, text, channel, user }: CronJob): Delivery {
  return { type: 'cron', name, text, ...(channel !== undefined && { channel }), ...(user !== undefined && { user }) };
}

/** Returns a function that does nothing while its last call is not done. */
export function oneAtATime(run: () => Promise<Turn | null>): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    const end = (): void => {
      isRunning = false;
    };
    run().then(end, end);
  };
}
