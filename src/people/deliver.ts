/**
 * Brings notices to all notifiers, and tries again when that fails. Per notifier a notice is under way at most once, and is not told again
 * once it was told. Waiting for the next try keeps no process alive; after `drain` nothing is under way.
 */
import type { Notice, Notifier, NotifyFailure } from '../core/contracts/notifier.ts';

export interface Delivery {
  deliver(notice: Notice): void;
  /**
   * Waits for what is under way, at most `deadlineMs`, and gives up the rest: at once what would be tried again only later than that.
   * Names what was given up. Notices delivered afterwards are taken again.
   */
  drain(deadlineMs: number): Promise<readonly string[]>;
}

export interface DeliveryOptions {
  /** Every try that failed; `nextInMs` is undefined if it was the last one. */
  onFailure?(notice: Notice, notifier: string, failure: NotifyFailure, nextInMs: number | undefined): void;
  /** Resolves after the time, or once the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** At least 0, below 1. */
  readonly random?: () => number;
  /** Milliseconds on any clock that `sleep` goes by. */
  readonly now?: () => number;
}

export const DELAYS_MS: readonly number[] = [1000, 4000, 15_000, 60_000, 300_000];

export function createDelivery(notifiers: readonly Notifier[], options: DeliveryOptions = {}): Delivery {
  const { onFailure, sleep = quietSleep, random = Math.random, now = () => performance.now() } = options;
  const posts: readonly Post[] = notifiers.map((notifier) => ({ notifier, told: new Set(), jobs: new Map() }));
  const jobs = () => posts.flatMap((post) => [...post.jobs.values()]);
  const givenUp = new Set<Job>();
  let until = Number.POSITIVE_INFINITY;

  const giveUp = (job: Job): void => {
    givenUp.add(job);
    job.abort.abort();
  };

  const run = async ({ notifier, told }: Post, notice: Notice, job: Job): Promise<void> => {
    const { signal } = job.abort;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const answer = await attempt(notifier, notice, signal);
      if (answer === 'told') {
        // It may have been told in the very moment it was given up.
        givenUp.delete(job);
        return remember(told, notice.id);
      }
      if (signal.aborted) return;
      const delayMs = answer.retry ? delayAfter(tries, answer, random()) : undefined;
      report(() => onFailure?.(notice, notifier.type, answer, delayMs));
      if (delayMs === undefined) return;
      job.wakesAt = now() + delayMs;
      if (job.wakesAt > until) return giveUp(job);
      await sleep(delayMs, signal);
      job.wakesAt = undefined;
    }
  };

  return {
    deliver(notice) {
      for (const post of posts) {
        if (post.told.has(notice.id) || post.jobs.has(notice.id)) continue;
        const job: Job = { name: `${post.notifier.type} ${notice.id}`, abort: new AbortController(), done: undefined, wakesAt: undefined };
        post.jobs.set(notice.id, job);
        job.done = run(post, notice, job).finally(() => {
          if (post.jobs.get(notice.id) === job) post.jobs.delete(notice.id);
        });
      }
    },
    async drain(deadlineMs) {
      until = now() + deadlineMs;
      for (const job of jobs()) if (job.wakesAt !== undefined && job.wakesAt > until) giveUp(job);
      const deadline = performance.now() + deadlineMs;
      // What is delivered meanwhile is waited for as well.
      while (jobs().length > 0 && (await allDone(jobs(), deadline - performance.now())));
      for (const job of jobs()) giveUp(job);
      await allDone(jobs(), ENDING_MS);
      // A notifier that does not even end itself when told to is not waited for a second time.
      for (const { jobs } of posts) jobs.clear();
      until = Number.POSITIVE_INFINITY;
      const names = [...givenUp].map(({ name }) => name);
      givenUp.clear();
      return names;
    },
  };
}

interface Post {
  readonly notifier: Notifier;
  readonly told: Set<string>;
  readonly jobs: Map<string, Job>;
}

/** One notice on its way to one notifier. */
interface Job {
  readonly name: string;
  readonly abort: AbortController;
  done: Promise<void> | undefined;
  /** When it is tried again, while it waits for that. */
  wakesAt: number | undefined;
}

/** How long a notifier may take to end what it started. */
const ENDING_MS = 2000;
/** Nobody is made to wait longer than this, whatever the other side asks for. */
const LONGEST_DELAY_MS = 60 * 60 * 1000;
/** setTimeout takes a longer one for no time at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MOST_TOLD = 10_000;

async function attempt(notifier: Notifier, notice: Notice, signal: AbortSignal): Promise<'told' | NotifyFailure> {
  try {
    return await notifier.tell(notice, signal);
  } catch (error) {
    return { failed: `the notifier failed: ${error instanceof Error ? error.message : String(error)}`, retry: true };
  }
}

/** Jitter, so that many who failed at the same time do not come back at the same time. Undefined: that was the last try. */
function delayAfter(tries: number, { afterMs = 0 }: NotifyFailure, random: number): number | undefined {
  const base = DELAYS_MS[tries];
  return base === undefined ? undefined : Math.round(Math.max(base, Math.min(afterMs, LONGEST_DELAY_MS)) * (1 + random * 0.25));
}

/** The oldest are forgotten first. */
function remember(told: Set<string>, id: string): void {
  told.add(id);
  if (told.size <= MOST_TOLD) return;
  for (const oldest of told) {
    told.delete(oldest);
    return;
  }
}

/** A reporter that throws must not end a delivery. */
function report(call: () => void): void {
  try {
    call();
  } catch {
    // There is nobody left to tell.
  }
}

function quietSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms).unref();
    signal.addEventListener('abort', wake);
    if (signal.aborted) wake();
  });
}

/** Whether they were done in time. */
function allDone(jobs: readonly Job[], ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.min(ms, LONGEST_TIMER_MS));
    void Promise.all(jobs.map(({ done }) => done)).then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
