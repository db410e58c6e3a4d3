/**
 * One connection to one file that other processes may use too. A read that precedes a write happens under the write lock. Every error of
 * SQLite is reported as `store-unavailable`.
 */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HooklineError } from '../../core/values/errors.ts';
import { betterSqlite } from './better-sqlite.ts';

export type SqlValue = string | number | null;

export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): Iterable<unknown>;
}

/**
 * One interface for two drivers: the one built into Node if there is one, else better-sqlite3. Only features of both are used, and only
 * this file knows which one is loaded.
 */
export interface Connection {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

export function connect(file: string): Connection {
  const builtin = nodeSqlite();
  if (builtin) return new builtin.DatabaseSync(file);
  return packaged()(file);
}

/** The types belong to a newer Node than the oldest supported one. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => Connection;
}

function nodeSqlite(): NodeSqlite | undefined {
  const { emitWarning } = process;
  // Loading the driver prints an experimental warning that does not concern users of hooks. All other warnings pass.
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/sqlite is an experimental feature/i.test(String(warning))) emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Found once, because a process may open several files. */
let opened: ((file: string) => Connection) | undefined;

function packaged(): (file: string) => Connection {
  try {
    opened ??= betterSqlite(requireBesideProgram);
    return opened;
  } catch (cause) {
    throw new HooklineError(
      'store-unavailable',
      'SQLite is not available: this version of Node has no built-in SQLite, and better-sqlite3 cannot be loaded.',
      {
        hint: 'Run `npm install better-sqlite3`, or use Node 22.13 or newer.',
        cause,
      },
    );
  }
}

/**
 * Loads a package that the program finds at run time. Bundlers cannot follow this call, so a bundle neither needs the package nor contains half
 * of it. A bundle that does not know its own place looks from the script that runs, never from the working directory, which may be a stranger's.
 */
function requireBesideProgram(name: string): unknown {
  return besideProgram()(name);
}

function besideProgram(): NodeJS.Require {
  const { createRequire } = process.getBuiltinModule('node:module');
  const program: string | undefined = import.meta.filename ?? process.argv[1];
  return createRequire(program ?? '');
}

/** Returns the file of the driver, for another thread; null if it is the one built into Node. */
export function driverFile(): string | null {
  return nodeSqlite() ? null : besideProgram().resolve('better-sqlite3');
}

export type Row = Readonly<Record<string, SqlValue>>;

const BUSY_MS = 5000;
/**
 * A checkpoint moves pages from the write-ahead log to the file and syncs the disk. No event is answered meanwhile, so it is short. Fewer and longer ones
 * cost as much in all.
 */
export const CHECKPOINT_PAGES = 2000;
/**
 * Closing the last connection moves the write-ahead log into the file and syncs the disk, which takes longer than an entry. A log of this many bytes
 * can be left to a later process, which reads it when it opens the file.
 */
const SHORT_LOG = 2 ** 18;

export class Database {
  readonly file: string;
  readonly #snapshot: string | undefined;
  #isReadOnly = false;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #lockMs: number;
  readonly #inode: bigint | undefined;
  #isOpen = true;
  /** Until then no call waits: the time of all calls in a row was used up by an earlier one. */
  #impatientUntil: number | undefined;

  constructor(name: string, lockMs: number = BUSY_MS) {
    this.file = path.resolve(name);
    this.#lockMs = lockMs;
    // A file in write-ahead mode can be read only by a process that may write next to it. Others read a copy, which has all that was committed.
    this.#snapshot = canWrite(this.file) ? undefined : this.#guarded(() => snapshotOf(this.file));
    this.#connection = this.#guarded(() => {
      if (this.#snapshot === undefined) createPrivately(this.file);
      const connection = connect(this.#snapshot ?? this.file);
      try {
        prepareFile(connection, lockMs);
      } catch (error) {
        connection.close();
        throw error;
      }
      return connection;
    });
    this.#inode = inodeOf(this.file);
  }

  /** Nothing can be written. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Called when the tables are ready: from then on nothing is written to a copy, where it would be lost. */
  finishSetUp(): void {
    this.#isReadOnly = this.#snapshot !== undefined;
  }

  exec(sql: string): void {
    this.#guarded(() => this.#connection.exec(sql));
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#guarded(() => Number(this.#statement(sql).run(...values).changes));
  }

  /** Runs a statement once for each of these lists of values. */
  runEach(sql: string, lists: readonly (readonly SqlValue[])[]): void {
    this.#guarded(() => {
      const statement = this.#statement(sql);
      for (const values of lists) statement.run(...values);
    });
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  all(sql: string, ...values: SqlValue[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...values) as Row[]);
  }

  /** Reads row by row, because thousands of live rows cost more than reading them. `read` must not call this database. */
  map<T>(sql: string, values: readonly SqlValue[], read: (row: Row) => T): T[] {
    return this.#guarded(() => {
      const results: T[] = [];
      for (const row of this.#statement(sql).iterate(...values)) results.push(read(row as Row));
      return results;
    });
  }

  /** Runs a transaction. No other connection writes meanwhile. */
  write<T>(work: () => T): T {
    if (this.#isReadOnly) throw readOnly(this.file);
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

  /**
   * Throws if the file was deleted or replaced. The connection would go on with a file that no other process can find, so a caller that waits
   * for one would wait for nothing.
   */
  checkPresence(): void {
    if (this.#snapshot !== undefined || this.#inode === undefined || inodeOf(this.file) === this.#inode) return;
    throw new HooklineError('store-unavailable', `${this.file} is gone: it was deleted or replaced while it was in use.`, {
      hint: 'Run the command again: it starts with a new file, without the tickets and the log of the old one.',
    });
  }

  /** Sets the length of the write-ahead log, in pages, after which a write also moves it into the file. */
  checkpointAfter(pages: number): void {
    if (this.#isOpen) this.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  }

  /** Whether a process that ends may leave this open. */
  canBeLeft(): boolean {
    return this.#snapshot === undefined && (statSync(`${this.file}-wal`, { throwIfNoEntry: false })?.size ?? 0) <= SHORT_LOG;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#statements.clear();
    this.#connection.close();
    if (this.#snapshot !== undefined) rmSync(path.dirname(this.#snapshot), { recursive: true, force: true });
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** SQLite may already have rolled back, as it does when the disk is full. The first error is the one to report. */
  #rollBack(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {}
  }

  #guarded<T>(work: () => T): T {
    if (!this.#isOpen) throw new HooklineError('store-unavailable', `${this.file} was closed.`, { hint: 'Open the store again.' });
    try {
      if (this.#impatientUntil !== undefined && performance.now() >= this.#impatientUntil) this.#waitForLocks(this.#lockMs);
      return work();
    } catch (error) {
      if (error instanceof HooklineError) throw error;
      const found = unavailable(this.file, error);
      if (isLocked(found.message) && this.#impatientUntil === undefined) this.#waitForLocks(0);
      throw found;
    }
  }

  #waitForLocks(ms: number): void {
    this.#impatientUntil = ms === 0 ? performance.now() + this.#lockMs : undefined;
    this.#connection?.exec(`PRAGMA busy_timeout = ${ms}`);
  }
}

/** Undefined if there is no such file. */
function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Whether this process may write the file and next to it. A file that does not exist yet may be created. */
function canWrite(file: string): boolean {
  if (!existsSync(file)) return true;
  return [file, path.dirname(file)].every((name) => {
    try {
      accessSync(name, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function snapshotOf(file: string): string {
  const copy = path.join(mkdtempSync(path.join(tmpdir(), 'hookline-read-')), 'hookline.db');
  for (const end of ['', '-wal'])
    if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`, constants.COPYFILE_FICLONE);
  // A copy has the mode of the file, which may be read-only.
  for (const end of ['', '-wal']) if (existsSync(`${copy}${end}`)) chmodSync(`${copy}${end}`, 0o600);
  return copy;
}

function readOnly(file: string): HooklineError {
  return new HooklineError('store-unavailable', `${file} is read-only for this user, so nothing can be written to it.`, {
    hint: 'Make the file and its folder writable, or name another file with `--store sqlite:PATH`.',
  });
}

/** Held actions show what an agent was about to do, so only their owner may read them. */
function createPrivately(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    // Touches only a new file. Closing a descriptor of a file in use would drop the locks that this process holds on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function prepareFile(connection: Connection, lockMs: number): void {
  connection.exec(`PRAGMA busy_timeout = ${lockMs}`);
  useWriteAheadLog(connection, lockMs);
  // A killed process loses nothing it committed. Only a crash of the machine can lose the last moments.
  connection.exec(`PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}

/** Several processes may create the file at once, and SQLite does not wait for the lock in this one step. */
function useWriteAheadLog(connection: Connection, lockMs: number): void {
  const mode = connection.prepare('PRAGMA journal_mode');
  for (let waited = 0; (mode.get() as Row)['journal_mode'] !== 'wal'; waited += 10) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
    } catch (error) {
      if (waited >= lockMs || !isLocked(String(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function unavailable(file: string, error: unknown): HooklineError {
  const message = error instanceof Error ? error.message : String(error);
  return new HooklineError('store-unavailable', `${file} cannot be used: ${message}`, { hint: hintFor(message), cause: error });
}

function isLocked(message: string): boolean {
  return /locked|busy/i.test(message);
}

function hintFor(message: string): string {
  if (isLocked(message)) return 'Another process holds the file for too long. Try again, or find out what that process does.';
  if (/not a database|malformed/i.test(message))
    return 'The file is damaged or not a database. Move it away; Hookline then creates a new one.';
  if (/full/i.test(message)) return 'Free some space on the disk.';
  return 'Make sure that the folder exists and is writable, or name another file with `--store sqlite:PATH`.';
}
