/**
 * A connection by the native part of better-sqlite3. Its wrapper of fourteen files takes a fifth of the time of an event to load, and this
 * program needs three functions of it. A version whose native part has another interface is used through its wrapper.
 */
import type { Connection, Statement } from './database.ts';

type Open = (file: string) => Connection;

/** The interface between the native part and its wrapper. */
interface NativePart {
  readonly Database: new (...given: NativeArguments) => NativeDatabase;
  isInitialized?: boolean;
  setErrorConstructor(type: typeof SqliteError): void;
}

type NativeArguments = [
  file: string,
  given: string,
  inMemory: boolean,
  readOnly: boolean,
  mustExist: boolean,
  lockMs: number,
  logger: null,
  content: null,
];

interface NativeDatabase {
  exec(sql: string): void;
  prepare(sql: string, database: Connection, isPragma: boolean): Statement;
  close(): void;
}

/** How long the wrapper waits for a lock by default. */
const LOCK_MS = 5000;

/** @param load loads a module of the package, by the name of the package and the path in it */
export function betterSqlite(load: (name: string) => unknown): Open {
  let native: NativePart;
  try {
    native = load('better-sqlite3/build/Release/better_sqlite3.node') as NativePart;
    // Not marked as initialised: a program that loads the package too then gets errors of the package's own type.
    if (!native.isInitialized) native.setErrorConstructor(SqliteError);
  } catch {
    return wrapped(load);
  }
  return (file) => {
    try {
      return connectionOf(new native.Database(file, file, false, false, false, LOCK_MS, null, null));
    } catch (error) {
      // The native part reports a wrong argument in this way, and every problem of the file as an error of its own.
      if (error instanceof TypeError) return wrapped(load)(file);
      throw error;
    }
  };
}

function wrapped(load: (name: string) => unknown): Open {
  const Package = load('better-sqlite3') as new (file: string) => Connection;
  return (file) => new Package(file);
}

function connectionOf(database: NativeDatabase): Connection {
  const connection: Connection = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql, connection, false),
    close: () => database.close(),
  };
  return connection;
}

class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}
