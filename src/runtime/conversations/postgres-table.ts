/** Conversations in Postgres, shared by many machines. The database may be the engine's own, whose schema stays untouched. */
import { openPool, unavailable } from '../../stores/postgres/database.ts';
import type { TextTable } from './in-store.ts';

export async function openPostgresTable(url: string): Promise<TextTable> {
  const pool = await openPool(url);
  const query = async (sql: string, values?: readonly string[]): Promise<readonly { readonly body: string }[]> => {
    try {
      return (await pool.query<{ body: string }>(sql, values && [...values])).rows;
    } catch (error) {
      throw unavailable(error);
    }
  };
  try {
    await query(CREATE);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    get: async (key) => (await query('SELECT body FROM hookline_conversations WHERE session = $1', [key]))[0]?.body,
    put: async (key, text) => void (await query(PUT, [key, text])),
    close: () => pool.end(),
  };
}

/** Processes that create the table at once would fail, so a lock lets one of them be the first. */
const CREATE = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('hookline_conversations'));
  CREATE TABLE IF NOT EXISTS hookline_conversations (session text PRIMARY KEY, body text NOT NULL);
END $$`;

const PUT = 'INSERT INTO hookline_conversations (session, body) VALUES ($1, $2) ON CONFLICT (session) DO UPDATE SET body = excluded.body';
