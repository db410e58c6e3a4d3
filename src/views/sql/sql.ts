/**
 * The part of SQL that SQLite and Postgres share. Statements are written once: `?` stands for a value, and `v.` before a table for the place of
 * the views. The two stores translate both.
 */

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

export interface Sql {
  all(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Returns the number of changed rows. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
  /** Inserts rows. `head` ends with the columns; `tail` is what follows the values. */
  insert(head: string, rows: readonly (readonly SqlValue[])[], tail?: string): Promise<void>;
}

export interface SqlDatabase extends Sql {
  /** Runs a transaction. Once it has changed the row of the progress, no other transaction changes anything until it ends. */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Empties a table, within a transaction. */
  clear(sql: Sql, table: string): Promise<void>;
  readonly text: TextSearch;
  /** Called after entries were deleted, so that nothing of their text is left in files. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** How entries are found by a part of their text. */
export interface TextSearch {
  /** Called in the transaction that adds entries, with the number and the text of each. */
  add(sql: Sql, rows: readonly (readonly [pos: number, text: string])[]): Promise<void>;
  /** Called in the transaction that removes entries up to this one. */
  remove(sql: Sql, upTo: number): Promise<void>;
  /** Called in the transaction that removes all. */
  clear(sql: Sql): Promise<void>;
  /** Called after each batch, with the number of entries. */
  grow(entries: number): Promise<void>;
  /** Returns the table to read entries from and the condition, for a text in lower case. The table is called `e`. */
  find(text: string): Promise<{ readonly from: string; readonly where: string; readonly values: readonly SqlValue[] }>;
}

export const LIKE = "e.search LIKE ? ESCAPE '\\'";

/** Returns a pattern for `LIKE` that matches every text with this part. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}

export function numberOf(row: SqlRow | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

export function textIn(row: SqlRow, column: string): string {
  return String(row[column] ?? '');
}

export function maybeNumber(row: SqlRow, column: string): number | null {
  return row[column] == null ? null : Number(row[column]);
}
