/**
 * The log in SQLite. One statement appends an entry only if the entry it refers to is still the last one. So writers in other processes can
 * neither fork the chain nor leave a gap.
 */
import { type Anchor, chain, type LogEntry, type LogFilter, type LogRecord, type LogStore } from '../../core/contracts/decision-record.ts';
import { canonicalJson, type Hash } from '../../core/values/digest.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import type { Database, Row, SqlValue } from './database.ts';

export function createSqliteLog(database: Database): LogStore {
  let known: Anchor | undefined;
  return {
    append(record, hash) {
      const body = canonicalJson(record);
      const row: Columns = [hookNames(record.outcome), body];
      known ??= lastOf(database);
      let entry = chain(record, known, hash, body);
      if (!insert(database, entry, row)) {
        // Another process appended first. Retry under the lock, where no other process can.
        entry = database.write(() => {
          const next = chain(record, lastOf(database), hash, body);
          insert(database, next, row);
          return next;
        });
      }
      known = { seq: entry.seq, hash: entry.hash };
      return undefined;
    },
    async list(filter) {
      return select(database, filter).map(entryOf);
    },
    async get(id) {
      return entryNamed(database, id);
    },
    async prune(before) {
      return database.write(() => prune(database, before));
    },
    async anchor() {
      return anchorOf(database);
    },
  };
}

export function entryNamed(database: Database, id: string): LogEntry | undefined {
  indexIds(database);
  const row = database.get('SELECT * FROM audit WHERE seq = (SELECT min(seq) FROM audit_ids WHERE id = ?)', whole(id));
  return row && entryOf(row);
}

/** Appends an entry in the transaction that the caller has begun: no other process can append meanwhile. */
export function appendWithin(database: Database, record: LogRecord, hash: Hash): void {
  const body = canonicalJson(record);
  insert(database, chain(record, lastOf(database), hash, body), [hookNames(record.outcome), body]);
}

const INSERT = `INSERT INTO audit (seq, id, at, session, tool, decision, hooks, previous, hash, body)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
  WHERE coalesce((SELECT hash FROM audit ORDER BY seq DESC LIMIT 1), (SELECT hash FROM anchor)) = ?`;

type Columns = readonly [hooks: string, body: string];

function insert(database: Database, entry: LogEntry, [hooks, body]: Columns): boolean {
  const { seq, id, at, session, tool, decision, previous, hash } = entry;
  return (
    database.run(INSERT, seq, whole(id), at, whole(session), tool && whole(tool), decision, hooks, previous, hash, body, previous) === 1
  );
}

function lastOf(database: Database): Anchor {
  const row = database.get('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1');
  return row ? anchorFrom(row) : anchorOf(database);
}

function anchorOf(database: Database): Anchor {
  return anchorFrom(database.get('SELECT seq, hash FROM anchor') ?? {});
}

function anchorFrom({ seq, hash }: Row): Anchor {
  return { seq: Number(seq), hash: String(hash) };
}

function select(database: Database, { session, tool, decision, hook, since, until, among, after, limit }: LogFilter): Row[] {
  const wanted = typeof decision === 'string' ? [decision] : decision;
  const conditions = (
    [
      ['session = ?', session && whole(session)],
      ['tool = ?', tool && whole(tool)],
      ['decision IN (SELECT value FROM json_each(?))', wanted && JSON.stringify(wanted)],
      ['instr(hooks, ?) > 0', hook],
      ['at >= ?', since],
      ['at <= ?', until],
      ['seq > ?', after],
      ['seq > (SELECT max(seq) FROM audit) - ?', among],
    ] satisfies [string, SqlValue | undefined][]
  ).flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const where = conditions.map(({ sql }) => sql).join(' AND ') || 'true';
  // With `after`, the caller reads on from an entry; without it, the caller wants the newest entries.
  const newest = limit !== undefined && after === undefined;
  const sql = `SELECT * FROM audit WHERE ${where} ORDER BY seq ${newest ? 'DESC' : 'ASC'} LIMIT ?`;
  const rows = database.all(sql, ...conditions.map(({ value }) => value), limit ?? -1);
  return newest ? rows.reverse() : rows;
}

/** Takes values from the columns, so that a changed column shows in the entry and breaks the chain. */
function entryOf(row: Row): LogEntry {
  const written = JSON.parse(String(row['body'])) as LogRecord;
  return {
    ...written,
    id: asWritten(row['id'], written.id),
    at: row['at'] as number,
    session: asWritten(row['session'], written.session),
    tool: row['tool'] === null || written.tool === null ? (row['tool'] as string | null) : asWritten(row['tool'], written.tool),
    decision: row['decision'] as LogRecord['decision'],
    seq: row['seq'] as number,
    previous: String(row['previous']),
    hash: String(row['hash']),
  };
}

function asWritten(column: SqlValue | undefined, written: string): string {
  return column === whole(written) ? written : String(column);
}

/** Replaces half a surrogate pair, which the body can hold and a column cannot. */
function whole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/**
 * Brings the index of ids up to date. An index over random ids would make each append half as slow again, so it is updated only when an id
 * is looked up.
 */
function indexIds(database: Database): void {
  const behind = 'SELECT 1 FROM audit WHERE seq > (SELECT coalesce(max(seq), 0) FROM audit_ids) LIMIT 1';
  if (!database.get(behind)) return;
  database.run('INSERT INTO audit_ids (id, seq) SELECT id, seq FROM audit WHERE seq > (SELECT coalesce(max(seq), 0) FROM audit_ids)');
}

function prune(database: Database, before: number): number {
  // Removes only the oldest entries, because a gap would break the chain.
  const kept = database.get('SELECT seq FROM audit WHERE at >= ? ORDER BY seq LIMIT 1', before);
  const end = kept
    ? database.get('SELECT seq, hash FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT 1', kept['seq'] as number)
    : database.get('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1');
  if (!end) return 0;
  const { seq, hash } = anchorFrom(end);
  database.run('UPDATE anchor SET seq = ?, hash = ?', seq, hash);
  database.run('DELETE FROM audit_ids WHERE seq <= ?', seq);
  return database.run('DELETE FROM audit WHERE seq <= ?', seq);
}

/** Returns the names and ids of the hooks in an outcome, one per line. */
function hookNames(outcome: Json): string {
  const hooks = isObject(outcome) ? outcome['hooks'] : undefined;
  if (!Array.isArray(hooks)) return '';
  return hooks.map((hook: Json) => (isObject(hook) ? `${textOf(hook['name']) ?? ''}\n${textOf(hook['id']) ?? ''}` : '')).join('\n');
}
