/**
 * The log in Postgres. The database computes the hashes, because only it knows the previous entry while it holds the lock. A process
 * appends one batch at a time, so many entries cost one commit and one connection.
 */
import type { Anchor, LogEntry, LogFilter, LogRecord, LogStore } from '../../core/contracts/decision-record.ts';
import { canonicalJson } from '../../core/values/digest.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import { column, type Database, type Query, type Value } from './database.ts';

interface Waiting {
  readonly body: string;
  readonly record: LogRecord;
  done(): void;
  failed(error: unknown): void;
}

interface Row {
  readonly seq: string;
  readonly previous: string;
  readonly hash: string;
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly tool: string | null;
  readonly decision: LogRecord['decision'];
  readonly body: string;
}

const LARGEST_BATCH = 100;
const COLUMNS = 'seq, previous, hash, id, at, session, tool, decision, body';

export function createPostgresLog(database: Database): LogStore {
  const append = createAppender(database);
  return {
    append,
    async list(filter) {
      const { sql, values } = listQuery(filter);
      return (await database.query<Row>(sql, values)).map(entryOf);
    },
    async get(id) {
      return entryNamed((sql, values) => database.query(sql, values), id);
    },
    async prune(before) {
      const [row] = await database.query<{ count: string }>(PRUNE, [before]);
      return Number(row?.count ?? 0);
    },
    async anchor(): Promise<Anchor> {
      const [row] = await database.query<{ seq: string; hash: string }>('SELECT seq, hash FROM hookline.audit_anchor', []);
      if (!row) throw new Error('hookline.audit_anchor is empty');
      return { seq: Number(row.seq), hash: row.hash };
    },
  };
}

export async function entryNamed(query: Query, id: string): Promise<LogEntry | undefined> {
  const [row] = await query<Row>(`SELECT ${COLUMNS} FROM hookline.audit WHERE id = $1 ORDER BY seq LIMIT 1`, [column(id)]);
  return row && entryOf(row);
}

/** Appends an entry in the transaction of the caller. */
export async function appendWithin(query: Query, record: LogRecord): Promise<void> {
  await query('SELECT hookline.append($1::jsonb, $2::text[])', [JSON.stringify([columnsOf(record)]), [canonicalJson(record)]]);
}

function createAppender(database: Database): (record: LogRecord) => Promise<undefined> {
  const queue: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    for (let batch = queue.splice(0, LARGEST_BATCH); batch.length > 0; batch = queue.splice(0, LARGEST_BATCH)) {
      try {
        const columns = JSON.stringify(batch.map(({ record }) => columnsOf(record)));
        const bodies = batch.map(({ body }) => body);
        await database.query('SELECT hookline.append($1::jsonb, $2::text[])', [columns, bodies], 'append');
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }

  return (record) =>
    new Promise((resolve, reject) => {
      queue.push({ body: canonicalJson(record), record, done: () => resolve(undefined), failed: reject });
      if (!isWriting) void write();
    });
}

function columnsOf({ id, at, session, tool, decision, outcome }: LogRecord): Json {
  return { id: column(id), at, session: column(session), tool: tool === null ? null : column(tool), decision, hooks: hooksOf(outcome) };
}

/** Returns the names and ids by which an entry is found. */
function hooksOf(outcome: Json): readonly string[] {
  const hooks = isObject(outcome) && Array.isArray(outcome['hooks']) ? outcome['hooks'] : [];
  return hooks
    .filter(isObject)
    .flatMap(({ id, name }) => [textOf(id), textOf(name)])
    .filter((text) => text !== undefined)
    .map(column);
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
  // `append` wrote the body from a record. If it was changed since, the hash shows it.
  const record = JSON.parse(body) as LogRecord;
  return { ...record, ...changed(record, columns), seq: Number(seq), previous, hash };
}

/** Returns the columns that differ from the body, so that a changed column breaks the chain. */
function changed(record: LogRecord, { id, at, session, tool, decision }: Omit<Row, 'seq' | 'previous' | 'hash' | 'body'>): object {
  return {
    ...(id !== column(record.id) && { id }),
    ...(at !== record.at && { at }),
    ...(session !== column(record.session) && { session }),
    ...(tool !== (record.tool === null ? null : column(record.tool)) && { tool }),
    ...(decision !== record.decision && { decision }),
  };
}

/** Removes only the start of the chain. If clocks differ, an old entry behind a newer one stays until the newer one is removed. */
const PRUNE = `
  WITH kept AS (SELECT min(seq) AS seq FROM hookline.audit WHERE at >= $1),
  last AS (SELECT seq, hash FROM hookline.audit WHERE seq < coalesce((SELECT seq FROM kept), 9223372036854775807) ORDER BY seq DESC LIMIT 1),
  anchor AS (UPDATE hookline.audit_anchor AS anchor SET seq = last.seq, hash = last.hash FROM last WHERE anchor.seq < last.seq),
  gone AS (DELETE FROM hookline.audit WHERE seq <= (SELECT seq FROM last) RETURNING 1)
  SELECT count(*) FROM gone`;
