/**
 * Work that must survive this process: the tables, workers, retries and backoff of graphile-worker. It has its own schema, so an
 * application's graphile-worker in the same database is not affected. Its workers end only when they are told to: a failure of the server
 * delays the work.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger, Runner, WorkerEvents, WorkerUtils } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Queue, WorkQueue } from '../../core/contracts/store.ts';
import { isObject } from '../../core/values/json.ts';
import { optionalPackage } from '../optional-package.ts';
import { openPool, unavailable } from './database.ts';
import { createPatientPool } from './patient-pool.ts';

const SCHEMA = 'hookline_worker';
const MOST_ATTEMPTS = 12;
const CONCURRENCY = 4;
/** How long `stop` tries to reach a server that does not answer. */
const STOP_MS = 5_000;
const FIRST_RESTART_MS = 1_000;
const LONGEST_RESTART_MS = 60_000;

export async function createWorkQueue(url: string, tasks: Parameters<Queue['open']>[0]): Promise<WorkQueue> {
  const worker = await optionalPackage<typeof import('graphile-worker')>('graphile-worker', 'Durable work in Postgres');
  const pgPool = await openPool(url);
  const options = { schema: SCHEMA, logger: quietLogger(worker.Logger), noHandleSignals: true };
  const utils = await open(pgPool, () => worker.makeWorkerUtils({ ...options, pgPool }));
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (job: unknown) => task(isObject(job) ? (job['payload'] ?? null) : null)]),
  );
  const patient = createPatientPool(pgPool, (error) => say(`durable work waits: ${unavailable(error).message}`));
  const events: WorkerEvents = new EventEmitter();
  const workerIds: string[] = [];
  events.on('pool:create', ({ workerPool }) => workerIds.push(workerPool.id));
  /** For jobs that workers hold although they have ended. */
  const freeJobs = async (): Promise<void> => {
    if (workerIds.length > 0) await utils.forceUnlockWorkers(workerIds);
    workerIds.length = 0;
  };

  const stopping = new AbortController();
  let runner: Promise<Runner> | undefined;
  let restarting: Promise<void> | undefined;
  const run = async (): Promise<Runner> => {
    const running = await worker.run({ ...options, pgPool: patient.pool, events, taskList, concurrency: CONCURRENCY });
    const ended = (): void => {
      restarting = restart();
    };
    running.promise.then(ended, ended);
    return running;
  };
  /** The workers ended. Unless they were told to, others take their place. */
  async function restart(): Promise<void> {
    for (let delay = FIRST_RESTART_MS; !stopping.signal.aborted; delay = Math.min(2 * delay, LONGEST_RESTART_MS)) {
      say(`the workers of durable work have ended, and start again in ${delay / 1_000} s`);
      await pause(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      try {
        await freeJobs();
        if (!stopping.signal.aborted) runner = run();
        await runner;
        return;
      } catch (error) {
        say(unavailable(error).message);
      }
    }
  }

  return {
    async add(task, payload, { key } = {}) {
      const identity = key === undefined ? {} : ({ jobKey: key, jobKeyMode: 'unsafe_dedupe' } as const);
      // Wrapped in an object, because graphile-worker treats an array as a batch.
      await utils.addJob(task, { payload }, { maxAttempts: MOST_ATTEMPTS, ...identity }).catch(rethrow);
    },
    async start() {
      runner ??= run();
      await runner.catch(rethrow);
    },
    async stop() {
      stopping.abort();
      patient.hurry(STOP_MS);
      await restarting;
      const running = await runner?.catch(() => undefined);
      runner = undefined;
      await running?.stop().catch(() => undefined);
      // The workers do not await the statements that mark their jobs as done.
      await patient.idle();
      await Promise.race([freeJobs().catch(() => undefined), pause(STOP_MS, undefined, { ref: false })]);
      await utils.release();
      await Promise.race([pgPool.end(), pause(STOP_MS, undefined, { ref: false })]);
    },
  };
}

async function open(pool: Pool, make: () => Promise<WorkerUtils>): Promise<WorkerUtils> {
  try {
    const utils = await make();
    await utils.migrate();
    return utils;
  } catch (error) {
    await pool.end();
    throw unavailable(error);
  }
}

function rethrow(error: unknown): never {
  throw unavailable(error);
}

function say(message: string): void {
  process.stderr.write(`hookline: ${message}\n`);
}

function quietLogger(LoggerClass: typeof Logger): Logger {
  return new LoggerClass(() => (level, message) => {
    if (level === 'error') say(message);
  });
}
