/**
 * The two drivers behind one shape: Node's own where it has one, else better-sqlite3. What they have in common is all that is used. Which
 * one it is stays in this file.
 */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { HooklineError } from '../../core/values/errors.ts';

export type SqlValue = string | number | null;

export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): Iterable<unknown>;
}

export interface Connection {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

export function connect(file: string): Connection {
  const builtin = nodeSqlite();
  if (builtin) return new builtin.DatabaseSync(file);
  return new (betterSqlite())(file);
}

/** Its types are those of a newer Node than the oldest we run on. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => Connection;
}

function nodeSqlite(): NodeSqlite | undefined {
  const { emitWarning } = process;
  // Loading it prints a warning about Node's own plans, which tells the user of a hook nothing. All other warnings pass.
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/sqlite is an experimental feature/i.test(String(warning))) emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function betterSqlite(): new (file: string) => Connection {
  try {
    return createRequire(import.meta.url)('better-sqlite3');
  } catch (cause) {
    throw new HooklineError(
      'store-unavailable',
      'There is no SQLite here: this Node has none built in, and better-sqlite3 can not be loaded.',
      {
        hint: 'Run `npm install better-sqlite3`, or use Node 22.13 or newer.',
        cause,
      },
    );
  }
}

/**
 * One connection to one file, safe beside those of other processes: what reads before it writes does so under the write lock. Whatever
 * SQLite reports leaves here as `store-unavailable`.
 */

export type Row = Readonly<Record<string, SqlValue>>;

const BUSY_MS = 5000;
/** Moving pages from the log to the file syncs the disk: seldom, and many at a time. */
const CHECKPOINT_PAGES = 8000;

export class Database {
  readonly file: string;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  #isOpen = true;

  constructor(name: string) {
    this.file = path.resolve(name);
    this.#connection = this.#guarded(() => {
      createPrivately(this.file);
      const connection = connect(this.file);
      try {
        prepareFile(connection);
      } catch (error) {
        connection.close();
        throw error;
      }
      return connection;
    });
  }

  exec(sql: string): void {
    this.#guarded(() => this.#connection.exec(sql));
  }

  /** How many rows were changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#guarded(() => Number(this.#statement(sql).run(...values).changes));
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  all(sql: string, ...values: SqlValue[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...values) as Row[]);
  }

  /** Each row is read as it comes: thousands that are alive at once cost more than all the rest of reading them. `read` must not come back here. */
  map<T>(sql: string, values: readonly SqlValue[], read: (row: Row) => T): T[] {
    return this.#guarded(() => {
      const results: T[] = [];
      for (const row of this.#statement(sql).iterate(...values)) results.push(read(row as Row));
      return results;
    });
  }

  /** All of it or nothing, and nobody else writes meanwhile. */
  write<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#statements.clear();
    this.#connection.close();
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** SQLite may have rolled back by itself, as it does when the disk is full; what went wrong first is what counts. */
  #rollBack(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {}
  }

  #guarded<T>(work: () => T): T {
    if (!this.#isOpen) throw new HooklineError('store-unavailable', `${this.file} was closed.`, { hint: 'Open the store again.' });
    try {
      return work();
    } catch (error) {
      throw error instanceof HooklineError ? error : unavailable(this.file, error);
    }
  }
}

/** Held actions show what an agent was about to do: they are their owner's business alone. */
function createPrivately(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    // Only ever a new file: closing a descriptor of one that is in use would drop the locks that this process holds on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function prepareFile(connection: Connection): void {
  connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  useWriteAheadLog(connection);
  // A killed process loses nothing it committed; only the machine's own end may cost the last moments.
  connection.exec(`PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}

/** Several processes may meet a new file at once, and for this one step SQLite does not wait for the others. */
function useWriteAheadLog(connection: Connection): void {
  const mode = connection.prepare('PRAGMA journal_mode');
  for (let waited = 0; (mode.get() as Row)['journal_mode'] !== 'wal'; waited += 10) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
    } catch (error) {
      if (waited >= BUSY_MS || !/locked|busy/i.test(String(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function unavailable(file: string, error: unknown): HooklineError {
  const message = error instanceof Error ? error.message : String(error);
  return new HooklineError('store-unavailable', `${file} can not be used: ${message}`, { hint: hintFor(message), cause: error });
}

function hintFor(message: string): string {
  if (/locked|busy/i.test(message)) return 'Another process holds it for too long; try again, or see what it does.';
  if (/not a database|malformed/i.test(message)) return 'It is damaged or something else: move it away, and a new one is made.';
  if (/full/i.test(message)) return 'Make room on the disk.';
  return 'Check that the folder exists and may be written, or name another file with `--store sqlite:PATH`.';
}
