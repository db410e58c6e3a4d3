/** The connections of one store: a small pool that opens them on demand. Every failure is a rejection with a message, never a crash. */
import type { Duplex } from 'node:stream';
import type { Client, ClientConfig, Pool, PoolClient, QueryConfig } from 'pg';
import type { StoreOptions } from '../../core/contracts/store.ts';
import type { Anchor } from '../../core/record/decision-record.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { optionalPackage } from '../optional-package.ts';
import { migrate } from './migrations.ts';

/**
 * Returns text that a column can hold: without NUL and without half a surrogate pair. The body keeps the original; columns are only for
 * searching.
 */
export function column(text: string): string {
  return text.replaceAll('\0', '\u2400').replace(/\p{Surrogate}/gu, '\ufffd');
}

export type Value = string | number | null | readonly string[];

export type Query = <Row extends object>(sql: string, values: readonly Value[], name?: string) => Promise<readonly Row[]>;

export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
  readonly name: string;
}

export interface Transaction {
  readonly query: Query;
  /** Runs the last statement and commits. Both are sent at once, so that locks are held for one way to the server and back. */
  readonly finish: Query;
  /** Ends the transaction without waiting for that, because nothing was changed in it. */
  leave(): void;
}

export interface Database {
  /** Runs one statement in its own transaction. A named statement is prepared once per connection. */
  readonly query: Query;
  /**
   * Runs a statement that changes nothing. It is run again if its connection was lost, because every connection that the pool kept
   * can be one of a server that has restarted since.
   */
  readonly read: Query;
  /**
   * Runs several statements in one transaction, on a connection of its own. If the work throws, nothing of it is kept.
   * @param first sent together with BEGIN; the work receives its rows
   * @param ahead a statement in a transaction of its own, sent together with them
   */
  transaction<T>(first: Statement, work: (transaction: Transaction, begun: readonly object[]) => Promise<T>, ahead?: Statement): Promise<T>;
  /** Creates a separate connection that is not open yet. The caller ends it. */
  connection(): Client;
  close(): Promise<void>;
}

const POOL_SIZE = 10;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
/** For a server that no longer responds. It is longer than the server's own timeout. */
const SILENCE_MS = 15_000;
const MIGRATION_MS = 60_000;

/** @param onMigrated called in the transaction of a migration, with the version that was found */
export async function openDatabase(
  url: string,
  { lockMs }: Pick<StoreOptions, 'lockMs'> = {},
  onMigrated?: (query: Query, from: number) => Promise<void>,
): Promise<Database> {
  const pg = await optionalPackage<typeof import('pg')>('pg', 'A Postgres store');
  const config = { ...configFor(url), ...(lockMs !== undefined && { lock_timeout: lockMs }) };
  await prepare(() => new pg.Client({ ...config, statement_timeout: MIGRATION_MS, query_timeout: MIGRATION_MS }), onMigrated);
  const pool = createPool(pg, config);
  let closing: Promise<void> | undefined;
  const throwIfClosed = (): void => {
    if (closing) throw new HooklineError('store-unavailable', 'The store was closed.');
  };
  return {
    async query(sql, values, name) {
      throwIfClosed();
      return run(pool, statement(sql, values, name));
    },
    async read(sql, values, name) {
      throwIfClosed();
      const query = statement(sql, values, name);
      for (let lost = 0; ; lost++) {
        try {
          return await run(pool, query);
        } catch (error) {
          // The pool drops a connection that was lost, so after this many the next one is new.
          if (lost === POOL_SIZE || !isConnectionLost(error)) throw error;
        }
      }
    },
    async transaction(first, work, ahead) {
      throwIfClosed();
      return inTransaction(pool, first, work, ahead);
    },
    connection: () => new pg.Client(config),
    close: () => (closing ??= pool.end()),
  };
}

/** Opens a pool for other users of the same server. The caller ends it. */
export async function openPool(url: string): Promise<Pool> {
  return createPool(await optionalPackage<typeof import('pg')>('pg', 'A Postgres store'), {
    connectionString: url,
    application_name: 'hookline',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SILENCE_MS,
    keepAlive: true,
  });
}

/** Returns the head of the log if a statement failed because it named another one. */
export function movedHead(error: unknown): Anchor | undefined {
  const { code, detail = '' } = (error instanceof HooklineError ? error.cause : {}) as { readonly code?: string; readonly detail?: string };
  const [seq, hash] = detail.split(' ');
  return code === 'HL001' && seq !== undefined && hash !== undefined ? { seq: Number(seq), hash } : undefined;
}

/** Whether a statement failed because another process held a lock for too long. */
export function isLocked(error: unknown): boolean {
  return error instanceof HooklineError && (error.cause as { readonly code?: string } | undefined)?.code === '55P03';
}

/** Whether the connection of a statement ended before its answer: pg gives no code, the system or the server gives one of its own. */
function isConnectionLost(error: unknown): boolean {
  const { code, message } = (error instanceof HooklineError ? error.cause : {}) as { readonly code?: string; readonly message?: string };
  return message === 'Connection terminated unexpectedly' || ['ECONNRESET', 'EPIPE', '57P01', '57P02'].includes(code ?? '');
}

/** Whether a statement failed because the database, the schema or the table no longer exists. To wait does not bring it back. */
export function isGone(error: unknown): boolean {
  const code = error instanceof HooklineError ? (error.cause as { readonly code?: string } | undefined)?.code : undefined;
  return code === '3D000' || code === '3F000' || code === '42P01';
}

/** Converts an error of the driver. */
export function unavailable(error: unknown): HooklineError {
  if (error instanceof HooklineError) return error;
  const { message = '', code } = error instanceof Error ? (error as Error & { readonly code?: unknown }) : {};
  return new HooklineError('store-unavailable', `Postgres: ${message || code || String(error)}`, {
    hint: 'Check that the server is running, that the address is right, and that this user may write there.',
    cause: error,
  });
}

function configFor(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'hookline',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: SILENCE_MS,
    keepAlive: true,
    pipeline: true,
  };
}

function createPool(pg: typeof import('pg'), config: ClientConfig): Pool {
  const pool = new pg.Pool({ ...config, max: POOL_SIZE, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
  // A connection died. Its statement was rejected, the pool removes it, and the next statement gets another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

async function prepare(connect: () => Client, onMigrated: ((query: Query, from: number) => Promise<void>) | undefined): Promise<void> {
  let client: Client | undefined;
  try {
    client = connect();
    client.on('error', () => undefined);
    await client.connect();
    const open = client;
    await migrate(client, (from) => onMigrated?.((sql, values, name) => run(open, statement(sql, values, name)), from));
  } catch (error) {
    throw unavailable(error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

function statement(text: string, values: readonly Value[], name: string | undefined): QueryConfig {
  return { text, values: [...values], ...(name && { name: `hookline_${name}` }) };
}

async function inTransaction<T>(
  pool: Pool,
  first: Statement,
  work: (transaction: Transaction, begun: readonly object[]) => Promise<T>,
  ahead: Statement | undefined,
): Promise<T> {
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    const open = client;
    let isOver = false;
    const query: Query = (sql, values, name) => run(open, statement(sql, values, name));
    const send = ({ sql, values, name }: Statement) => query(sql, values, name);
    const [, , begun] = await atOnce(open, () => [ahead && send(ahead), open.query('BEGIN'), send(first)] as const);
    const finish: Query = async <Row extends object>(sql: string, values: readonly Value[], name?: string) => {
      // If the statement fails, the server rolls back instead.
      const [rows] = await atOnce(open, () => [query<Row>(sql, values, name), open.query('COMMIT')] as const);
      isOver = true;
      return rows;
    };
    const leave = (): void => {
      isOver = true;
      // The next statement on this connection is sent behind it. If the connection is lost, so is the transaction.
      open.query('COMMIT').catch(() => undefined);
    };
    const result = await work({ query, finish, leave }, begun);
    if (!isOver) await open.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot be rolled back is not used again.
    const isLost = await client?.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    client?.release(isLost);
    throw unavailable(error);
  }
}

/** Sends statements in one write, because a write costs more than a statement. Rejects with the reason of the first that fails. */
async function atOnce<T extends readonly unknown[]>(
  client: PoolClient,
  send: () => T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection;
  stream.cork();
  const sent = send();
  stream.uncork();
  await Promise.allSettled(sent);
  return Promise.all(sent);
}

async function run<Row extends object>(pool: Pool | PoolClient | Client, query: QueryConfig): Promise<readonly Row[]> {
  try {
    const { rows } = await pool.query<Row>(query);
    return rows;
  } catch (error) {
    throw unavailable(error);
  }
}
