/** The log in SQLite. Everything that is shown comes from the body, which the hash covers; a column that differs from it is named. */
import {
  type Anchor,
  type LogEntry,
  type LogFilter,
  type LogRecord,
  type LogStore,
  unreadableEntry,
} from '../../core/record/decision-record.ts';
import type { Pruned } from '../../core/record/ledger.ts';
import { anchorFrom, anchorOf, type Chain, headOf, hookNames, whole } from './chain.ts';
import type { Database, Row, SqlValue } from './database.ts';
import { OWN_SESSION } from './migrations.ts';

export function createSqliteLog(database: Database, chain: Chain): LogStore {
  return {
    append: chain.append,
    async list(filter) {
      return select(database, filter).map(entryOf);
    },
    async get(id) {
      return entryById(database, id) ?? entryByIndex(database, id);
    },
    async prune(before, pruning = {}) {
      return database.write(() => {
        const pruned = prune(database, before);
        if (!pruned) return 0;
        chain.record({ kind: 'log.pruned', pruned, pruning });
        return pruned.count;
      });
    },
    async anchor() {
      return anchorOf(database);
    },
    async head() {
      return headOf(database);
    },
  };
}

/** Returns the entry of an act by its id: only their ids have a dot, and an index of its own. */
export function entryById(database: Database, id: string): LogEntry | undefined {
  const row = database.get("SELECT * FROM audit WHERE id = ? AND instr(id, '.') > 0 ORDER BY seq LIMIT 1", whole(id));
  return row && entryOf(row);
}

function entryByIndex(database: Database, id: string): LogEntry | undefined {
  indexIds(database);
  const row = database.get('SELECT * FROM audit WHERE seq = (SELECT min(seq) FROM audit_ids WHERE id = ?)', whole(id));
  return row && entryOf(row);
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
  const isOwn = session?.startsWith('hookline ') === true;
  const where = [...(isOwn ? [OWN_SESSION] : []), ...conditions.map(({ sql }) => sql)].join(' AND ') || 'true';
  // With `after`, the caller reads on from an entry; without it, the caller wants the newest entries.
  const newest = limit !== undefined && after === undefined;
  const sql = `SELECT * FROM audit WHERE ${where} ORDER BY seq ${newest ? 'DESC' : 'ASC'} LIMIT ?`;
  const rows = database.all(sql, ...conditions.map(({ value }) => value), limit ?? -1);
  return newest ? rows.reverse() : rows;
}

function entryOf(row: Row): LogEntry {
  const at = { seq: row['seq'] as number, previous: String(row['previous']), hash: String(row['hash']) };
  const written = parsed(row['body']);
  if (typeof written === 'string') return unreadable(row, at, written);
  const columns: Readonly<Record<string, SqlValue>> = {
    id: whole(written.id),
    at: written.at,
    session: whole(written.session),
    tool: written.tool && whole(written.tool),
    decision: written.decision,
    hooks: hookNames(written.outcome),
  };
  const altered = Object.keys(columns).filter((name) => columns[name] !== row[name]);
  return altered.length === 0 ? { ...written, ...at } : { ...written, ...at, altered };
}

/** Returns the record, or why it cannot be read. */
function parsed(body: SqlValue | undefined): LogRecord | string {
  try {
    const record = JSON.parse(String(body)) as Partial<LogRecord> | null;
    const isRecord = [record?.id, record?.session, record?.decision, record?.kind].every((text) => typeof text === 'string');
    return isRecord ? (record as LogRecord) : 'its body is no entry of a log';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function unreadable({ id, at, session, tool, decision }: Row, place: Anchor & { readonly previous: string }, why: string): LogEntry {
  const text = (value: SqlValue | undefined): string => String(value ?? '');
  const columns = { id: text(id), at: Number(at), session: text(session), tool: tool == null ? null : text(tool) };
  return unreadableEntry({ ...place, ...columns, decision: text(decision) as LogRecord['decision'] }, why);
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

function prune(database: Database, before: number): Pruned | undefined {
  // Removes only the oldest entries, because a gap would break the chain.
  const kept = database.get('SELECT seq FROM audit WHERE at >= ? ORDER BY seq LIMIT 1', before);
  const end = kept
    ? database.get('SELECT seq, hash FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT 1', kept['seq'] as number)
    : database.get('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1');
  const start = end && database.get('SELECT seq, hash FROM audit ORDER BY seq LIMIT 1');
  if (!end || !start) return undefined;
  const last = anchorFrom(end);
  database.run('UPDATE anchor SET seq = ?, hash = ?', last.seq, last.hash);
  database.run('DELETE FROM audit_ids WHERE seq <= ?', last.seq);
  return { first: anchorFrom(start), last, count: database.run('DELETE FROM audit WHERE seq <= ?', last.seq), before };
}
