/** Conversations in a SQLite file, which may be the engine's own. */
import { Database } from '../../stores/sqlite/database.ts';
import type { TextTable } from './in-store.ts';

export function openSqliteTable(file: string): TextTable {
  const database = new Database(file);
  try {
    // No numbered step of the schema: another version of the engine opens the file and leaves the table alone.
    database.exec('CREATE TABLE IF NOT EXISTS conversations (session TEXT PRIMARY KEY, body TEXT NOT NULL)');
    database.finishSetUp();
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    async get(key) {
      const row = database.get('SELECT body FROM conversations WHERE session = ?', key);
      return row === undefined ? undefined : String(row['body']);
    },
    async put(key, text) {
      database.write(() =>
        database.run(
          'INSERT INTO conversations (session, body) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET body = excluded.body',
          key,
          text,
        ),
      );
    },
    close: async () => database.close(),
  };
}
