/**
 * Delivers notices to all notifiers and retries when that fails. Each notifier has at most one attempt per notice in progress, and receives
 * a notice once. Waiting for a retry keeps no process alive. After `drain` nothing is in progress.
 */

import type { Notice, Notifier, NotifyFailure } from '../core/contracts/notifier.ts';
import { LONGEST_TIMER_MS } from '../core/values/timer.ts';

export interface Delivery {
  deliver(notice: Notice): void;
  /**
   * Waits at most `deadlineMs` for deliveries in progress and abandons the rest; a retry that is due later is abandoned at once. Returns
   * the names of abandoned deliveries. Notices delivered afterwards are accepted again.
   */
  drain(deadlineMs: number): Promise<readonly string[]>;
}

export interface DeliveryOptions {
  /** Called for every failed attempt. `nextInMs` is undefined after the last one. */
  onFailure?(notice: Notice, notifier: string, failure: NotifyFailure, nextInMs: number | undefined): void;
  /** Resolves after the time, or when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random?: () => number;
  /** Returns milliseconds on the clock that `sleep` uses. */
  readonly now?: () => number;
}

export const DELAYS_MS: readonly number[] = [1000, 4000, 15_000, 60_000, 300_000];

export function createDelivery(notifiers: readonly Notifier[], options: DeliveryOptions = {}): Delivery {
  const { onFailure, sleep = quietSleep, random = Math.random, now = () => performance.now() } = options;
  const posts: readonly Post[] = notifiers.map((notifier) => ({ notifier, sent: new Set(), jobs: new Map() }));
  const jobs = () => posts.flatMap((post) => [...post.jobs.values()]);
  const givenUp = new Set<Job>();
  let until = Number.POSITIVE_INFINITY;

  const giveUp = (job: Job): void => {
    givenUp.add(job);
    job.abort.abort();
  };

  const run = async ({ notifier, sent }: Post, notice: Notice, job: Job): Promise<void> => {
    const { signal } = job.abort;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const answer = await attempt(notifier, notice, signal);
      if (answer === 'sent') {
        // The notice may have been delivered at the moment it was abandoned.
        givenUp.delete(job);
        return remember(sent, notice.id);
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
        if (post.sent.has(notice.id) || post.jobs.has(notice.id)) continue;
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
      // Notices that arrive meanwhile are waited for as well.
      while (jobs().length > 0 && (await allDone(jobs(), deadline - performance.now())));
      for (const job of jobs()) giveUp(job);
      await allDone(jobs(), ENDING_MS);
      // A notifier that ignores its signal is not waited for a second time.
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
  readonly sent: Set<string>;
  readonly jobs: Map<string, Job>;
}

/** The delivery of one notice to one notifier. */
interface Job {
  readonly name: string;
  readonly abort: AbortController;
  done: Promise<void> | undefined;
  /** When the next attempt starts, while it waits for that. */
  wakesAt: number | undefined;
}

/** How long a notifier may take to stop after its signal aborts. */
const ENDING_MS = 2000;
/** The longest wait before a retry, even if the receiver asks for more. */
const LONGEST_DELAY_MS = 60 * 60 * 1000;
const MOST_SENT = 10_000;

async function attempt(notifier: Notifier, notice: Notice, signal: AbortSignal): Promise<'sent' | NotifyFailure> {
  try {
    return await notifier.notify(notice, signal);
  } catch (error) {
    return { failed: `the notifier failed: ${error instanceof Error ? error.message : String(error)}`, retry: true };
  }
}

/** Returns the delay with jitter, so that clients that failed together do not retry together. Undefined after the last attempt. */
function delayAfter(tries: number, { afterMs = 0 }: NotifyFailure, random: number): number | undefined {
  const base = DELAYS_MS[tries];
  return base === undefined ? undefined : Math.round(Math.max(base, Math.min(afterMs, LONGEST_DELAY_MS)) * (1 + random * 0.25));
}

/** Forgets the oldest entries first. */
function remember(sent: Set<string>, id: string): void {
  sent.add(id);
  if (sent.size <= MOST_SENT) return;
  for (const oldest of sent) {
    sent.delete(oldest);
    return;
  }
}

/** A reporter that throws must not end a delivery. */
function report(call: () => void): void {
  try {
    call();
  } catch {
    // No other reporter is left.
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

/** Returns whether they finished in time. */
function allDone(jobs: readonly Job[], ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.min(ms, LONGEST_TIMER_MS));
    void Promise.all(jobs.map(({ done }) => done)).then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
