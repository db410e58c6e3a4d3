/**
 * Workers that are kept for later events. A worker answers one event at a time, so events at the same time get workers of their own, and a worker
 * that hangs or is ended takes no other event with it. All pools of a process together have a bounded number of workers.
 */

import type { Fault } from '../../core/decision/reply.ts';
import { Alarm } from '../kit/alarm.ts';
import type { CallLimits } from '../kit/deadline.ts';
import { startDeadline } from '../kit/deadline.ts';
import { WorkerProcess, type WorkerProgram } from './worker-process.ts';

/** In one process, however many projects it serves. */
const MOST_WORKERS = 16;
/** A worker that was not needed for so long is ended. */
const IDLE_MS = 300_000;
/** A worker is replaced after so many events, or if it has more memory: whatever its hooks leak is gone with it. */
const MOST_RUNS = 10_000;
const MOST_MEMORY = 512 * 1024 * 1024;

interface Idle {
  readonly worker: WorkerProcess;
  readonly pool: WorkerPool;
  readonly key: string;
  readonly alarm: Alarm;
}

/** In the order in which they became idle. */
const idle = new Set<Idle>();
const waiting: (() => void)[] = [];
let count = 0;

export class WorkerPool {
  /** With the alarm that ends each of them if it stays idle. */
  readonly #workers = new Map<WorkerProcess, Alarm>();

  hasIdle(key: string): boolean {
    for (const one of idle) if (one.pool === this && one.key === key) return true;
    return false;
  }

  /** Starts a worker of this key, so that it gets ready while its event is prepared. */
  prepare(key: string, program: WorkerProgram): void {
    if (count < MOST_WORKERS) this.giveBack(key, this.#start(program));
  }

  /** Returns an idle worker of this key for which `suits` holds, or a new one. Others of this key are ended. */
  async take(
    key: string,
    program: WorkerProgram,
    suits: (worker: WorkerProcess) => boolean,
    patience: CallLimits,
  ): Promise<WorkerProcess | Fault> {
    for (const one of [...idle].reverse()) {
      if (one.pool !== this || one.key !== key) continue;
      remove(one);
      if (!one.worker.isGone && suits(one.worker)) return one.worker;
      this.drop(one.worker);
    }
    while (count >= MOST_WORKERS) {
      const [oldest] = idle;
      if (oldest) {
        remove(oldest);
        oldest.pool.drop(oldest.worker);
      } else {
        const late = await turn(patience);
        if (late) return late;
      }
    }
    return this.#start(program);
  }

  #start(program: WorkerProgram): WorkerProcess {
    count += 1;
    const worker = new WorkerProcess(program);
    this.#workers.set(worker, new Alarm());
    return worker;
  }

  /** Keeps a worker for the next event of this key, unless it is used up. */
  giveBack(key: string, worker: WorkerProcess): void {
    const alarm = this.#workers.get(worker);
    if (worker.isGone || worker.runs >= MOST_RUNS || worker.memory > MOST_MEMORY || !alarm) {
      this.drop(worker);
      return;
    }
    const one: Idle = { worker, pool: this, key, alarm };
    alarm.set(IDLE_MS, () => {
      remove(one);
      this.drop(worker);
    });
    idle.add(one);
    waiting.shift()?.();
  }

  drop(worker: WorkerProcess): void {
    this.#workers.get(worker)?.close();
    if (!this.#workers.delete(worker)) return;
    count -= 1;
    worker.end();
    waiting.shift()?.();
  }

  close(): void {
    for (const one of idle) if (one.pool === this) remove(one);
    for (const worker of this.#workers.keys()) this.drop(worker);
  }
}

function remove(one: Idle): void {
  idle.delete(one);
  one.alarm.clear();
}

/** Waits until a worker is free. Returns a fault if that takes longer than the hook may. */
function turn(patience: CallLimits): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const deadline = startDeadline(patience, (why) => {
      waiting.splice(waiting.indexOf(next), 1);
      resolve({ ...why, detail: `${why.detail}: all ${MOST_WORKERS} workers were busy` });
    });
    const next = (): void => {
      deadline.cancel();
      resolve(undefined);
    };
    waiting.push(next);
  });
}
