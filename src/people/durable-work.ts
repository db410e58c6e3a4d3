/**
 * Notices to people and background hooks, done even if this process dies. They go through the queue of the store, if it has one. Any engine
 * with `worker: 'run'` on the same store does the work, this one or another.
 */
import type { Call, Handler } from '../core/contracts/handler.ts';
import type { Notice, Notifier, NotifyFailure } from '../core/contracts/notifier.ts';
import type { Queue, WorkQueue } from '../core/contracts/store.ts';
import type { Json } from '../core/values/json.ts';
import type { Background } from '../engine/ports.ts';

export interface DurableWork {
  notify(notice: Notice): void;
  /** Hooks that are data go to the queue, because a function can only run in this process. */
  background(here: Background): Background;
  /** Waits until all work is in the queue, then closes it. Returns the names of the work that could not be queued. */
  stop(): Promise<readonly string[]>;
}

export interface DurableWorkOptions {
  readonly notifiers: readonly Notifier[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly worker: boolean;
  /** Runs a hook that was queued, if it is still the one that was trusted. */
  readonly run: (call: Call, handler: Handler) => Promise<void>;
  readonly onNotifyFailure?: (notice: Notice, notifier: string, failure: NotifyFailure, nextInMs: number | undefined) => void;
}

export async function createDurableWork(store: Queue, options: DurableWorkOptions): Promise<DurableWork> {
  const queue = await store.open({ notify: (payload) => notify(payload, options), hook: (payload) => runHook(payload, options) });
  if (options.worker) await queue.start();
  const handed = new Set<Promise<void>>();
  const lost: string[] = [];
  const add = (what: string, ...job: Parameters<WorkQueue['add']>): void => {
    const adding = queue
      .add(...job)
      .catch(() => void lost.push(what))
      .finally(() => void handed.delete(adding));
    handed.add(adding);
  };
  return {
    notify(notice) {
      for (const [index, { type }] of options.notifiers.entries()) {
        add(`${type} ${notice.id}`, 'notify', { index, notice } as unknown as Json, { key: `notify:${index}:${notice.id}` });
      }
    },
    background: (here) => ({
      start(call, handler) {
        if (call.hook.run) here.start(call, handler);
        else add(call.hook.name, 'hook', { ...call, signal: undefined } as unknown as Json);
      },
      drain: (deadlineMs) => here.drain(deadlineMs),
    }),
    async stop() {
      await Promise.all(handed);
      await queue.stop();
      return lost;
    },
  };
}

/** Throws if the failure may pass, so that the queue tries again with growing delays. */
async function notify(payload: Json, { notifiers, onNotifyFailure }: DurableWorkOptions): Promise<void> {
  const { index, notice } = payload as unknown as { index: number; notice: Notice };
  const notifier = notifiers[index];
  if (!notifier) return;
  const answer = await notifier.notify(notice, new AbortController().signal);
  if (answer === 'sent') return;
  onNotifyFailure?.(notice, notifier.type, answer, undefined);
  if (answer.retry) throw new Error(answer.failed);
}

/** Runs the hook once. The answer of a background hook changes nothing, so a failure is not tried again. */
async function runHook(payload: Json, { handlers, run }: DurableWorkOptions): Promise<void> {
  const call = payload as unknown as Call;
  const handler = handlers.get(call.hook.handler.type);
  if (handler) await run(call, handler);
}
