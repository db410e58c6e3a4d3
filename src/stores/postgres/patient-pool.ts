/**
 * Connections for workers that do not await what they send. A statement that fails is sent again until it succeeds, so work that was done is
 * marked as done although the server restarted or dropped its connections, and no rejection is left without a handler.
 */
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';

export interface PatientPool {
  /** Named statements on it are repeated. They must do no harm if the server runs them twice. */
  readonly pool: Pool;
  /** From now on each statement is given at most this time, and then an empty result. */
  hurry(ms: number): void;
  /** Resolves when no statement is under way. */
  idle(): Promise<void>;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
const NOTHING: Pick<QueryResult, 'rows' | 'rowCount'> = { rows: [], rowCount: 0 };

/** @param report is told of the first failure after a success */
export function createPatientPool(pool: Pool, report: (error: unknown) => void): PatientPool {
  const underWay = new Map<Repeated, Promise<unknown>>();
  let limitMs: number | undefined;
  let isFailing = false;

  const send = (statement: QueryConfig): Promise<unknown> =>
    pool.query(statement).then(
      (result) => {
        isFailing = false;
        return result;
      },
      (error: unknown) => {
        if (!isFailing) report(error);
        isFailing = true;
        throw error;
      },
    );
  const patiently = (statement: QueryConfig): Promise<unknown> => {
    const repeated = repeat(() => send(statement));
    if (limitMs !== undefined) repeated.limit(limitMs);
    const ended = repeated.result.finally(() => underWay.delete(repeated));
    underWay.set(repeated, ended);
    return ended;
  };
  /** A client that connects when a statement needs it. */
  const connectLater = (): Pick<PoolClient, 'query' | 'release'> => {
    let client: Promise<PoolClient> | undefined;
    const query = async (statement: string | QueryConfig, values?: unknown[]): Promise<unknown> => {
      if (typeof statement === 'object' && statement.name !== undefined) return patiently(statement);
      client ??= pool.connect();
      return (await client).query(statement as string, values);
    };
    const release = (): unknown => client?.then((connected) => connected.release()).catch(() => undefined);
    return { query: query as PoolClient['query'], release: release as PoolClient['release'] };
  };
  const connect = (callback?: Parameters<Pool['connect']>[0]): unknown =>
    callback ? pool.connect(callback) : Promise.resolve(connectLater());

  return {
    pool: Object.assign(Object.create(pool) as Pool, { connect: connect as Pool['connect'] }),
    hurry(ms) {
      limitMs = ms;
      for (const repeated of underWay.keys()) repeated.limit(ms);
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

interface Repeated {
  readonly result: Promise<unknown>;
  limit(ms: number): void;
}

/** Tries until it succeeds, with growing delays. */
function repeat(attempt: () => Promise<unknown>): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let limit: NodeJS.Timeout | undefined;
  let end: (result: unknown) => void = () => undefined;
  const result = new Promise<unknown>((resolve) => {
    end = resolve;
  }).finally(() => {
    clearTimeout(timer);
    clearTimeout(limit);
  });
  let isEnded = false;
  const next = (delay: number): void => {
    attempt().then(end, () => {
      if (!isEnded) timer = setTimeout(next, delay, Math.min(2 * delay, LONGEST_DELAY_MS));
    });
  };
  next(FIRST_DELAY_MS);
  return {
    result,
    limit(ms) {
      limit ??= setTimeout(() => {
        isEnded = true;
        end(NOTHING);
      }, ms);
    },
  };
}
