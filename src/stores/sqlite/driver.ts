/**
 * The two drivers behind one shape: Node's own where it has one, else better-sqlite3. What they have in common is all that is used. Which
 * one it is stays in this file.
 */
import { createRequire } from 'node:module';
import { HooklineError } from '../../core/errors.ts';

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
