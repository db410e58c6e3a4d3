/**
 * On Postgres, work that must survive this process goes through a durable queue: notices to people and background hooks. Any engine on the
 * same database that is a `worker` runs it.
 */
import type { Call, Handler } from '../core/contracts/handler.ts';
import type { Notice, Notifier, NotifyFailure } from '../core/contracts/notifier.ts';
import type { Json } from '../core/values/json.ts';
import type { Background } from '../engine/ports.ts';
import { createWorkQueue, type WorkQueue } from '../stores/postgres/work-queue.ts';
import { isStillTrusted } from '../trust/still-trusted.ts';

export interface DurableWork {
  tell(notice: Notice): void;
  /** Hooks that are data go to the queue. A function hook can run only in this process. */
  background(here: Background): Background;
  /** Waits until all work is in the queue, then closes. Returns the names of work that could not be queued. */
  stop(): Promise<readonly string[]>;
}

export interface DurableWorkOptions {
  readonly notifiers: readonly Notifier[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly worker: boolean;
  readonly onNotifyFailure?: (notice: Notice, notifier: string, failure: NotifyFailure, nextInMs: number | undefined) => void;
}

export async function createDurableWork(url: string, options: DurableWorkOptions): Promise<DurableWork> {
  const queue = await createWorkQueue(url, { notify: (payload) => notify(payload, options), hook: (payload) => runHook(payload, options) });
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
    tell(notice) {
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

/** Throws on a failure that may be temporary, so that the queue retries with growing delays. */
async function notify(payload: Json, { notifiers, onNotifyFailure }: DurableWorkOptions): Promise<void> {
  const { index, notice } = payload as unknown as { index: number; notice: Notice };
  const notifier = notifiers[index];
  if (!notifier) return;
  const answer = await notifier.tell(notice, new AbortController().signal);
  if (answer === 'told') return;
  onNotifyFailure?.(notice, notifier.type, answer, undefined);
  if (answer.retry) throw new Error(answer.failed);
}

/** Runs the hook once. The answer of a background hook changes nothing, so a retry has no purpose. */
async function runHook(payload: Json, { handlers }: DurableWorkOptions): Promise<void> {
  const call = payload as unknown as Call;
  if (await isStillTrusted(call)) await handlers.get(call.hook.handler.type)?.handle(call);
}
