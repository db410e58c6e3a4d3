/** Collects the changes and entries of one process while others are written, so that many cost one commit. */
import { type Item, LARGEST_BATCH } from './linking.ts';

/** A change of tickets, as `hookline.perform` in the database makes it. */
export type TicketChange =
  | {
      readonly act: 'open';
      readonly id: string;
      readonly digest: string;
      readonly root: string;
      readonly openedAt: number;
      readonly expiresAt: number;
      readonly body: string;
      readonly shared: string | null;
    }
  | {
      readonly act: 'settle';
      readonly id: string;
      readonly state: string;
      readonly at: number;
      readonly settling: string;
      readonly anyone: boolean;
    };

/** An entry, and the change that it records; null: it records none. */
export interface Job extends Item {
  readonly made: TicketChange | null;
}

/** Whether a job had something to change, or the reason for which it failed alone. */
export type Result = boolean | Error;

interface Waiting extends Job {
  done(changed: boolean): void;
  failed(error: unknown): void;
}

/** Runs work one after the other. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** @param write returns the result of each job */
export function createQueue(
  inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  write: (jobs: readonly Job[]) => Promise<readonly Result[]>,
): (job: Job) => Promise<boolean> {
  const queue: Waiting[] = [];
  let isQueued = false;

  const writeAll = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await write(batch);
      for (const [i, { done, failed }] of batch.entries()) {
        const result = results[i] ?? false;
        if (typeof result === 'boolean') done(result);
        else failed(result);
      }
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  };
  const next = (): void => {
    if (isQueued) return;
    isQueued = true;
    void inTurn(async () => {
      const batch = queue.splice(0, LARGEST_BATCH);
      isQueued = false;
      if (queue.length > 0) next();
      await writeAll(batch);
    });
  };
  return (job) =>
    new Promise((resolve, reject) => {
      queue.push({ ...job, done: resolve, failed: reject });
      next();
    });
}
