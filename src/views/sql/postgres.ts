/** The views in a schema of their own, in the database of the log. */
import type { Pool, PoolClient } from 'pg';
import { openPool, unavailable } from '../../stores/postgres/database.ts';
import { createTables } from './schema.ts';
import { containing, LIKE, type Sql, type SqlDatabase, type SqlRow, type SqlValue, type TextSearch } from './sql.ts';

const SCHEMA = 'hookline_views';
/** An arbitrary number, the same in every process. The process that holds this lock makes the tables. */
const LOCK = 4_665_557_431_981_102;
/** Postgres takes 65,535 values in one statement. */
const MOST_VALUES = 20_000;

export async function openPostgresViews(url: string): Promise<SqlDatabase> {
  const pool = await openPool(url);
  const write: SqlDatabase['write'] = (work) => inTransaction(pool, work);
  try {
    await write(async (sql) => {
      await sql.run('SELECT pg_advisory_xact_lock(?)', [LOCK]);
      await sql.run(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
      await createTables(sql, 'bigint');
    });
    await createTextIndex(write);
  } catch (error) {
    await pool.end();
    throw unavailable(error);
  }
  return {
    ...sqlOf(pool),
    write,
    clear: async (sql, table) => void (await sql.run(`TRUNCATE v.${table}`)),
    text: TEXT,
    // Postgres removes what was deleted by itself.
    forget: async () => undefined,
    close: () => pool.end(),
  };
}

function sqlOf(client: Pool | PoolClient): Sql {
  const query = async (sql: string, values: readonly SqlValue[]): Promise<{ rows: readonly SqlRow[]; count: number }> => {
    try {
      const { rows, rowCount } = await client.query<SqlRow>({ text: here(sql), values: [...values] });
      return { rows, count: rowCount ?? 0 };
    } catch (error) {
      throw unavailable(error);
    }
  };
  return {
    all: async (sql, values = []) => (await query(sql, values)).rows,
    run: async (sql, values = []) => (await query(sql, values)).count,
    async insert(head, rows, tail = '') {
      const [first] = rows;
      if (!first) return;
      const atOnce = Math.max(1, Math.floor(MOST_VALUES / first.length));
      const places = `(${first.map(() => '?').join(', ')})`;
      for (let i = 0; i < rows.length; i += atOnce) {
        const part = rows.slice(i, i + atOnce);
        await query(`${head} VALUES ${part.map(() => places).join(', ')} ${tail}`, part.flat());
      }
    },
  };
}

const translated = new Map<string, string>();

function here(sql: string): string {
  const known = translated.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replace(/\bv\./g, `${SCHEMA}.`).replace(/\?/g, () => `$${++count}`);
  // Statements with many rows are as many as there are numbers of rows.
  if (sql.length < 4000 && translated.size < 1000) translated.set(sql, text);
  return text;
}

async function inTransaction<T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    await client.query('BEGIN');
    const result = await work(sqlOf(client));
    await client.query('COMMIT');
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

/** Some servers lack the extension, or permit it to administrators alone. Texts are then found by a look at each entry. */
async function createTextIndex(write: SqlDatabase['write']): Promise<void> {
  const made = "SELECT 1 FROM pg_indexes WHERE schemaname = ? AND indexname = 'entry_text'";
  try {
    await write(async (sql) => {
      await sql.run('SELECT pg_advisory_xact_lock(?)', [LOCK]);
      if ((await sql.all(made, [SCHEMA])).length > 0) return;
      await sql.run('CREATE EXTENSION IF NOT EXISTS pg_trgm');
      await sql.run('CREATE INDEX entry_text ON v.entry USING gin (search gin_trgm_ops)');
    });
  } catch {
    // The views work without it.
  }
}

const TEXT: TextSearch = {
  add: async () => undefined,
  remove: async () => undefined,
  clear: async () => undefined,
  grow: async () => undefined,
  find: async (text) => ({ from: 'v.entry AS e', where: LIKE, values: [containing(text)] }),
};
