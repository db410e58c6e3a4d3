/**
 * Work that must survive this process: the tables, workers, retries and backoff of graphile-worker. It has its own schema, so an
 * application's graphile-worker in the same database is not affected.
 */
import type { Logger, Runner, WorkerUtils } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Queue, WorkQueue } from '../../core/contracts/store.ts';
import { isObject } from '../../core/values/json.ts';
import { optionalPackage } from '../optional-package.ts';
import { openPool, unavailable } from './database.ts';

const SCHEMA = 'hookline_worker';
const MOST_ATTEMPTS = 12;
const CONCURRENCY = 4;

export async function createWorkQueue(url: string, tasks: Parameters<Queue['open']>[0]): Promise<WorkQueue> {
  const worker = await optionalPackage<typeof import('graphile-worker')>('graphile-worker', 'Durable work in Postgres');
  const pgPool = await openPool(url);
  const options = { pgPool, schema: SCHEMA, logger: quietLogger(worker.Logger), noHandleSignals: true };
  const utils = await open(pgPool, () => worker.makeWorkerUtils(options));
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (job: unknown) => task(isObject(job) ? (job['payload'] ?? null) : null)]),
  );
  let runner: Promise<Runner> | undefined;
  return {
    async add(task, payload, { key } = {}) {
      const identity = key === undefined ? {} : ({ jobKey: key, jobKeyMode: 'unsafe_dedupe' } as const);
      // Wrapped in an object, because graphile-worker treats an array as a batch.
      await utils.addJob(task, { payload }, { maxAttempts: MOST_ATTEMPTS, ...identity }).catch(rethrow);
    },
    async start() {
      runner ??= worker.run({ ...options, taskList, concurrency: CONCURRENCY });
      await runner.catch(rethrow);
    },
    async stop() {
      const running = await runner?.catch(() => undefined);
      runner = undefined;
      await running?.stop();
      await utils.release();
      await pgPool.end();
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

function quietLogger(LoggerClass: typeof Logger): Logger {
  return new LoggerClass(() => (level, message) => {
    if (level === 'error') process.stderr.write(`hookline: ${message}\n`);
  });
}
