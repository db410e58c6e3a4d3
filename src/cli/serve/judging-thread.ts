/**
 * A second thread that judges for the guard while many events wait, so that the first one receives, records and answers meanwhile. It starts with the
 * first such moment. Whatever it cannot judge, the first thread judges: both have the same guard, the same rules and the same memory.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { NAMELESS_SESSION } from '../../engine/receive/events.ts';
import type { EventJudgement } from '../../guard/judge-event.ts';
import type { Elsewhere, GuardRules } from '../../handlers/guard.ts';
import { write } from '../output.ts';
import type { Judged, ToJudge } from './judging-thread-main.ts';

export interface JudgingThread {
  readonly elsewhere: Elsewhere;
  close(): Promise<unknown>;
}

/**
 * @param isBusy whether enough events wait that the way to another thread is worth it
 * @param program the built file of judging-thread-main.ts
 */
export function createJudgingThread(
  stateFolder: string,
  isBusy: () => boolean,
  program = join(import.meta.dirname, 'judging-thread-main.js'),
): JudgingThread {
  let thread: Thread | undefined;
  return {
    elsewhere(rules, session, payload) {
      // The notes of callers that name no session are in the memory of the first thread.
      if (session === NAMELESS_SESSION || !isBusy()) return undefined;
      thread ??= new Thread(program, stateFolder);
      return thread.judge(rules, session, payload);
    },
    close: async () => thread?.close(),
  };
}

class Thread {
  readonly #worker: Worker;
  /** A thread that is starting, or that has ended, is not asked. */
  #isReady = false;
  /** The events that will be sent with the next message. */
  #next: Asked[] = [];
  /** The events of each message without an answer. The answers come in the same order. */
  readonly #sent: (readonly Asked[])[] = [];
  /** The rules that the thread has. */
  #rules: GuardRules | undefined;

  constructor(program: string, stateFolder: string) {
    this.#worker = new Worker(program, { workerData: stateFolder });
    this.#worker.on('message', (judged: Judged) => {
      // The first message says that the guard is loaded.
      this.#isReady = true;
      for (const [i, { settle }] of (this.#sent.shift() ?? []).entries()) settle(judged[i]);
    });
    this.#worker.once('error', (error) => {
      void write(2, `The guard's second thread ended: ${error.message}. Events are judged in the first one.\n`);
    });
    this.#worker.once('exit', () => this.#end());
    this.#worker.unref();
  }

  judge(rules: GuardRules, session: string, payload: ToJudge['payload']): ReturnType<Elsewhere> {
    if (!this.#isReady) return undefined;
    return new Promise((settle) => {
      this.#next.push({ rules, session, payload, settle });
      // All events that arrived together are one message.
      if (this.#next.length === 1) setImmediate(() => this.#send());
    });
  }

  #send(): void {
    const asked = this.#next;
    this.#next = [];
    try {
      this.#worker.postMessage(asked.map((one) => this.#messageOf(one)));
      this.#sent.push(asked);
    } catch {
      // A value that cannot be sent, and with it none of the rules.
      this.#rules = undefined;
      for (const { settle } of asked) settle(undefined);
    }
    if (!this.#isReady) this.#end();
  }

  #messageOf({ rules, session, payload }: Asked): ToJudge {
    if (rules === this.#rules) return { session, payload };
    this.#rules = rules;
    return { session, payload, rules };
  }

  #end(): void {
    this.#isReady = false;
    for (const { settle } of this.#sent.splice(0).flat()) settle(undefined);
  }

  close(): Promise<unknown> {
    return this.#worker.terminate();
  }
}

interface Asked extends Required<ToJudge> {
  settle(judged: EventJudgement | undefined): void;
}
