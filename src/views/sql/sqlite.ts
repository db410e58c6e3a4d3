/** The views in a file of their own, next to that of the log. Readers have a connection of their own, so they never see half a batch. */
import { rmSync } from 'node:fs';
import { HooklineError } from '../../core/values/errors.ts';
import { Database } from '../../stores/sqlite/database.ts';
import { createTables } from './schema.ts';
import { containing, LIKE, numberOf, type Sql, type SqlDatabase, type SqlRow, type SqlValue, type TextSearch } from './sql.ts';

/**
 * Opens the file, or makes it. It follows from the log, so one that is damaged is made anew.
 * @param indexedFrom the number of entries from which on texts have an index
 */
export async function openSqliteViews(file: string, indexedFrom: number = INDEXED_FROM): Promise<SqlDatabase> {
  try {
    return await open(file, indexedFrom);
  } catch (error) {
    if (!(error instanceof HooklineError) || !/not a database|malformed/i.test(error.message)) throw error;
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    return open(file, indexedFrom);
  }
}

async function open(file: string, indexedFrom: number): Promise<SqlDatabase> {
  const writer = new Database(file);
  const opened: Database[] = [writer];
  try {
    // Pruned text must not stay in free pages.
    writer.exec('PRAGMA secure_delete = ON; PRAGMA cache_size = -65536');
    const own = sqlOf(writer);
    const write = createWriting(writer, own);
    await write((sql) => createTables(sql, 'INTEGER', [TEXT]));
    const reader = new Database(file);
    opened.push(reader);
    reader.exec('PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824');
    return {
      ...sqlOf(reader),
      write,
      clear: async (sql, table) => void (await sql.run(`DELETE FROM v.${table}`)),
      text: createTextSearch(sqlOf(reader), write, indexedFrom),
      // Moves the pages to the file and empties the write-ahead log. If another process reads, a later one does it.
      forget: () => inTurn(writer.file, async () => void writer.all('PRAGMA wal_checkpoint(TRUNCATE)')),
      async close() {
        for (const database of opened) database.close();
      },
    };
  } catch (error) {
    for (const database of opened) database.close();
    throw error;
  }
}

function sqlOf(database: Database): Sql {
  const translated = new Map<string, string>();
  const here = (sql: string): string => {
    let text = translated.get(sql);
    if (text === undefined) {
      text = sql.replace(/\bv\./g, '');
      translated.set(sql, text);
    }
    return text;
  };
  return {
    all: async (sql, values = []) => database.all(here(sql), ...values) as readonly SqlRow[],
    run: async (sql, values = []) => database.run(here(sql), ...values),
    async insert(head, rows, tail = '') {
      const [first] = rows;
      if (!first) return;
      const sql = here(`${head} VALUES (${first.map(() => '?').join(', ')}) ${tail}`);
      for (const row of rows) database.run(sql, ...row);
    },
  };
}

/**
 * The last transaction of each file. One follows the other in this process: a connection that waits for another one of the same process would
 * stop both.
 */
const turns = new Map<string, Promise<unknown>>();

function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const next = (turns.get(file) ?? Promise.resolve()).then(work, work);
  turns.set(file, next);
  const done = (): void => {
    if (turns.get(file) === next) turns.delete(file);
  };
  next.then(done, done);
  return next;
}

function createWriting(database: Database, own: Sql): SqlDatabase['write'] {
  const transaction = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    database.run('BEGIN IMMEDIATE');
    try {
      const result = await work(own);
      database.run('COMMIT');
      return result;
    } catch (error) {
      try {
        database.exec('ROLLBACK');
      } catch {
        // SQLite has rolled back itself. The first error is the one to report.
      }
      throw error;
    }
  };
  return (work) => inTurn(database.file, () => transaction(work));
}

const TEXT = 'entry_text';
/** With fewer entries a look at each is fast enough, and the index takes as long to fill as all other tables together. */
const INDEXED_FROM = 200_000;
/** Texts that are too short for the index are looked for in the newest entries alone. */
const LOOKED_THROUGH = 200_000;
const MOST_TRIGRAMS = 20;

/** An index of groups of three characters. It keeps no text, so what it finds is compared with the entry. */
function createTextSearch(reader: Sql, write: SqlDatabase['write'], indexedFrom: number): TextSearch {
  const isThere = async (sql: Sql): Promise<boolean> => (await sql.all('SELECT 1 FROM sqlite_schema WHERE name = ?', [TEXT])).length > 0;
  return {
    async add(sql, rows) {
      if (await isThere(sql)) await sql.insert(`INSERT INTO ${TEXT} (rowid, search)`, rows);
    },
    async remove(sql, upTo) {
      if (await isThere(sql)) await sql.run(`DELETE FROM ${TEXT} WHERE rowid <= ?`, [upTo]);
    },
    async clear(sql) {
      await sql.run(`DROP TABLE IF EXISTS ${TEXT}`);
    },
    async grow(entries) {
      if (entries < indexedFrom || (await isThere(reader))) return;
      await write(async (sql) => {
        if (await isThere(sql)) return;
        await sql.run(`CREATE VIRTUAL TABLE ${TEXT} USING fts5(search, content='', contentless_delete=1, detail=none, tokenize='trigram')`);
        await sql.run(`INSERT INTO ${TEXT} (rowid, search) SELECT pos, search FROM v.entry`);
      });
    },
    async find(text) {
      const exact = { where: LIKE, values: [containing(text)] as readonly SqlValue[] };
      const groups = trigrams(text);
      if (groups.length > 0 && (await isThere(reader)))
        return {
          from: `${TEXT} AS f JOIN v.entry AS e ON e.pos = f.rowid`,
          where: `${TEXT} MATCH ? AND ${exact.where}`,
          values: [groups.map((group) => `"${group.replaceAll('"', '""')}"`).join(' AND '), ...exact.values],
        };
      if (groups.length > 0) return { from: 'v.entry AS e', ...exact };
      const [row] = await reader.all('SELECT pos FROM v.progress');
      return {
        from: 'v.entry AS e',
        where: `e.pos > ? AND ${exact.where}`,
        values: [numberOf(row, 'pos') - LOOKED_THROUGH, ...exact.values],
      };
    },
  };
}

function trigrams(text: string): string[] {
  const chars = Array.from(text);
  const all = chars.slice(0, -2).map((_, i) => chars.slice(i, i + 3).join(''));
  return [...new Set(all)].slice(0, MOST_TRIGRAMS);
}
