/** The log in Postgres. Everything that is shown comes from the body, which the hash covers; a column that differs from it is named. */
import {
  type Anchor,
  type LogEntry,
  type LogFilter,
  type LogRecord,
  type LogStore,
  unreadableEntry,
} from '../../core/record/decision-record.ts';
import type { SealedHead } from '../../core/record/ledger.ts';
import type { Chain } from './chain.ts';
import { column, type Database, type Query, type Value } from './database.ts';
import { columnsOf } from './linking.ts';

interface Row {
  readonly seq: string;
  readonly previous: string;
  readonly hash: string;
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly tool: string | null;
  readonly decision: LogRecord['decision'];
  readonly hooks: readonly string[];
  readonly body: string;
}

const COLUMNS = 'seq, previous, hash, id, at, session, tool, decision, hooks, body';

export function createPostgresLog(database: Database, chain: Chain): LogStore {
  return {
    append: chain.append,
    async list(filter) {
      const { sql, values } = listQuery(filter);
      return (await database.read<Row>(sql, values)).map(entryOf);
    },
    get: (id) => entryById(database.read, id),
    prune: (before, pruning = {}) =>
      chain.holding(async ({ query, record }) => {
        const [row] = await query<PrunedRow>(PRUNE, [before]);
        if (!row) return 0;
        const [first, last] = [anchorOf(row.first_seq, row.first_hash), anchorOf(row.last_seq, row.last_hash)];
        const count = Number(row.count);
        await record([{ kind: 'log.pruned', pruned: { first, last, count, before }, pruning }]);
        return count;
      }),
    async anchor(): Promise<Anchor> {
      const [row] = await database.read<{ seq: string; hash: string }>('SELECT seq, hash FROM hookline.audit_anchor', []);
      if (!row) throw new Error('hookline.audit_anchor is empty');
      return anchorOf(row.seq, row.hash);
    },
    async head(): Promise<SealedHead> {
      const sql = 'SELECT seq, hash, seal, origin FROM hookline.audit_head';
      const [row] = await database.read<{ seq: string; hash: string; seal: string | null; origin: string | null }>(sql, []);
      if (!row) throw new Error('hookline.audit_head is empty');
      return { ...row, seq: Number(row.seq) };
    },
  };
}

export async function entryById(query: Query, id: string): Promise<LogEntry | undefined> {
  const [row] = await query<Row>(`SELECT ${COLUMNS} FROM hookline.audit WHERE id = $1 ORDER BY seq LIMIT 1`, [column(id)], 'entry');
  return row && entryOf(row);
}

function anchorOf(seq: string, hash: string): Anchor {
  return { seq: Number(seq), hash };
}

function listQuery({ session, tool, decision, hook, since, until, after, limit }: LogFilter): { sql: string; values: Value[] } {
  const values: Value[] = [];
  const conditions: string[] = [];
  const where = (value: Value | undefined, condition: (parameter: string) => string) => {
    if (value === undefined) return;
    values.push(typeof value === 'string' ? column(value) : value);
    conditions.push(condition(`$${values.length}`));
  };
  where(session, (value) => `session = ${value}`);
  where(tool, (value) => `tool = ${value}`);
  where(typeof decision === 'string' ? [decision] : decision, (value) => `decision = ANY(${value}::text[])`);
  where(hook, (value) => `EXISTS (SELECT FROM unnest(hooks) AS hook WHERE strpos(hook, ${value}) > 0)`);
  where(since, (value) => `at >= ${value}`);
  where(until, (value) => `at <= ${value}`);
  where(after, (value) => `seq > ${value}`);
  const found = `SELECT ${COLUMNS} FROM hookline.audit ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}`;
  if (limit === undefined) return { sql: `${found} ORDER BY seq`, values };
  values.push(limit);
  // With `after`, the caller reads on from an entry; without it, the caller wants the newest entries.
  if (after !== undefined) return { sql: `${found} ORDER BY seq LIMIT $${values.length}`, values };
  return { sql: `SELECT * FROM (${found} ORDER BY seq DESC LIMIT $${values.length}) AS newest ORDER BY seq`, values };
}

function entryOf({ seq, previous, hash, body, ...columns }: Row): LogEntry {
  const place = { seq: Number(seq), previous, hash };
  const written = parsed(body);
  if (typeof written === 'string') {
    const { hooks: _, ...shown } = columns;
    return unreadableEntry({ ...place, ...shown }, written);
  }
  const expected: Readonly<Record<string, unknown>> = columnsOf(written);
  const altered = Object.entries(columns).flatMap(([name, value]) => (isEqual(value, expected[name]) ? [] : [name]));
  return altered.length === 0 ? { ...written, ...place } : { ...written, ...place, altered };
}

function isEqual(value: unknown, other: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(other)) return value === other;
  return value.length === other.length && value.every((item, index) => item === other[index]);
}

/** Returns the record, or why it cannot be read. */
function parsed(body: string): LogRecord | string {
  try {
    const record = JSON.parse(body) as Partial<LogRecord> | null;
    const isRecord = [record?.id, record?.session, record?.decision, record?.kind].every((text) => typeof text === 'string');
    return isRecord ? (record as LogRecord) : 'its body is no entry of a log';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Removes only the start of the chain. If clocks differ, an old entry behind a newer one stays until the newer one is removed. */
const PRUNE = `
  WITH kept AS (SELECT min(seq) AS seq FROM hookline.audit WHERE at >= $1),
  last AS (SELECT seq, hash FROM hookline.audit WHERE seq < coalesce((SELECT seq FROM kept), 9223372036854775807) ORDER BY seq DESC LIMIT 1),
  first AS (SELECT seq, hash FROM hookline.audit ORDER BY seq LIMIT 1),
  anchor AS (UPDATE hookline.audit_anchor AS anchor SET seq = last.seq, hash = last.hash FROM last WHERE anchor.seq < last.seq),
  gone AS (DELETE FROM hookline.audit WHERE seq <= (SELECT seq FROM last) RETURNING 1)
  SELECT first.seq AS first_seq, first.hash AS first_hash, last.seq AS last_seq, last.hash AS last_hash, (SELECT count(*) FROM gone) AS count
  FROM first, last`;

interface PrunedRow {
  readonly first_seq: string;
  readonly first_hash: string;
  readonly last_seq: string;
  readonly last_hash: string;
  readonly count: string;
}
