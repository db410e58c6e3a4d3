/**
 * Appends entries to the log in Postgres and seals its head, in the transaction of the change that they record. The client computes the seal,
 * so it must know the head that it follows. It tries with the head that it knows; if another process has appended meanwhile, the database
 * names the new head, and it tries again. After some tries it takes the lock first and keeps it. Every change locks the head before anything
 * else, so two changes cannot block each other for good.
 */
import { type Anchor, chain, type LogRecord } from '../../core/record/decision-record.ts';
import type { Change, Ledger } from '../../core/record/ledger.ts';
import { canonicalJson, type Hash } from '../../core/values/digest.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import { column, type Database, movedHead, type Query, type Value } from './database.ts';

/** A statement that changes rows and returns them. It must read `head.ok`, so that the head is locked first: `UPDATE … FROM head WHERE head.ok`. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
  readonly name: string;
}

/** A transaction that holds the head. */
export interface Held {
  readonly query: Query;
  record(changes: readonly Change[]): Promise<void>;
}

export interface Chain {
  append(record: LogRecord, hash: Hash): Promise<undefined>;
  /** Runs the statement and, if it changed a row, records the change. Without a ledger nothing is recorded. */
  change<Row extends object>(statement: Statement, change: () => Change): Promise<readonly Row[]>;
  /** For changes that need a look first. It takes longer than `change`. */
  holding<T>(work: (held: Held) => Promise<T>): Promise<T>;
  readonly ledger: Ledger | undefined;
}

const LARGEST_BATCH = 100;
/** A try is cheaper than the lock, which is held while the client computes. The lock ends a series of bad luck. */
const MOST_TRIES = 3;
const LOCK = 'SELECT seq, hash FROM hookline.audit_head FOR UPDATE';

export function createChain(database: Database, ledger: Ledger | undefined): Chain {
  let known: Anchor | undefined;
  // One change at a time in each process: they would only wait for each other in the database, each with a connection of its own.
  const inTurn = createTurns();

  const locked = <T>(work: (query: Query, head: Anchor) => Promise<T>): Promise<T> =>
    database.transaction(LOCK, (query, [row]) => {
      const { seq, hash } = row as { seq: string; hash: string };
      return work(query, { seq: Number(seq), hash });
    });

  /** Runs a statement that names the head it follows. */
  const following = async <T>(work: (query: Query, head: Anchor) => Promise<T>): Promise<T> => {
    let head = known;
    for (let tries = 0; head && tries < MOST_TRIES; tries++) {
      try {
        return await work(database.query, head);
      } catch (error) {
        head = movedHead(error);
        if (!head) throw error;
      }
    }
    return locked(work);
  };

  const write = (items: readonly Item[], hash: Hash): Promise<unknown> =>
    following(async (query, head) => {
      const next = linkAll(items, head, hash, ledger);
      await query(APPEND, [head.seq, head.hash, ...next.values], 'append_sealed');
      known = next.head;
    });

  return {
    append: createAppender(inTurn, async (items, hash) => {
      if (ledger) await write(items, hash);
      else await database.query('SELECT hookline.append($1::jsonb, $2::text[])', valuesOf(items), 'append');
    }),
    change<Row extends object>({ sql, values, name }: Statement, change: () => Change): Promise<readonly Row[]> {
      if (!ledger) return database.query<Row>(`WITH head AS (SELECT true AS ok) ${sql}`, values, name);
      const recorded = recordedStatement(sql, values.length);
      const item = itemOf(ledger.entryOf(change()));
      return inTurn(() =>
        following(async (query, head) => {
          const next = linkAll([item], head, ledger.hash, ledger);
          const rows = await query<Row>(recorded, [...values, head.seq, head.hash, ...next.values], `${name}_recorded`);
          if (rows.length > 0) known = next.head;
          return rows;
        }),
      );
    },
    holding<T>(work: (held: Held) => Promise<T>): Promise<T> {
      if (!ledger) return database.transaction('SELECT', (query) => work({ query, record: async () => undefined }));
      return inTurn(() =>
        locked(async (query, first) => {
          let head = first;
          const result = await work({
            query,
            async record(changes) {
              for (let i = 0; i < changes.length; i += LARGEST_BATCH) {
                const batch = changes.slice(i, i + LARGEST_BATCH).map((change) => itemOf(ledger.entryOf(change)));
                const next = linkAll(batch, head, ledger.hash, ledger);
                await query(APPEND, [head.seq, head.hash, ...next.values], 'append_sealed');
                head = next.head;
              }
            },
          });
          known = head;
          return result;
        }),
      );
    },
    ledger,
  };
}

/** Takes over the log of an older version, within the transaction of its migration: records what was pruned from it, and seals its head. */
export async function adopt(query: Query, ledger: Ledger | undefined): Promise<void> {
  const anchorIn = async (table: string): Promise<Anchor> => {
    const [row] = await query<{ seq: string; hash: string }>(`SELECT seq, hash FROM hookline.${table}`, []);
    return { seq: Number(row?.seq), hash: String(row?.hash) };
  };
  if (!ledger) return;
  const [last, head] = [await anchorIn('audit_anchor'), await anchorIn('audit_head')];
  if (last.seq === 0) {
    const { seal } = ledger;
    await query('UPDATE hookline.audit_head SET seal = $1, origin = $2', [seal?.of(head) ?? null, seal?.origin ?? null]);
    return;
  }
  const pruned = { first: { seq: 1, hash: '' }, last, count: last.seq, before: 0 };
  const next = linkAll([itemOf(ledger.entryOf({ kind: 'log.pruned', pruned, pruning: {} }))], head, ledger.hash, ledger);
  await query(APPEND, [head.seq, head.hash, ...next.values]);
}

/** `append_sealed` is called for the row that `head` yields, so the head is locked and checked before. */
const APPEND = `
  WITH head AS MATERIALIZED (SELECT hookline.lock_head($1, $2) AS ok)
  SELECT hookline.append_sealed($3::jsonb, $4::text[], $5, $6, $7) FROM head WHERE head.ok`;

function recordedStatement(sql: string, used: number): string {
  const parameter = (n: number): string => `$${used + n}`;
  return `
    WITH head AS MATERIALIZED (SELECT hookline.lock_head(${parameter(1)}, ${parameter(2)}) AS ok),
    changed AS (${sql}),
    logged AS MATERIALIZED (
      SELECT hookline.append_sealed(${parameter(3)}::jsonb, ${parameter(4)}::text[], ${parameter(5)}, ${parameter(6)}, ${parameter(7)}) AS ok
      FROM (SELECT FROM changed LIMIT 1) AS any_changed)
    SELECT changed.* FROM changed, logged`;
}

/** A record and its text, taken before the caller can change the record. */
interface Item {
  readonly record: LogRecord;
  readonly body: string;
}

function itemOf(record: LogRecord): Item {
  return { record, body: canonicalJson(record) };
}

/** Returns the values of `append_sealed` for these records, and the head that they lead to. */
function linkAll(items: readonly Item[], from: Anchor, hash: Hash, ledger: Ledger | undefined): { head: Anchor; values: Value[] } {
  let head = from;
  for (const { record, body } of items) {
    const entry = chain(record, head, hash, body);
    head = { seq: entry.seq, hash: entry.hash };
  }
  const seal = ledger?.seal;
  return { head, values: [...valuesOf(items), head.hash, seal?.of(head) ?? null, seal?.origin ?? null] };
}

function valuesOf(items: readonly Item[]): [columns: string, bodies: string[]] {
  return [JSON.stringify(items.map(({ record }) => columnsOf(record))), items.map(({ body }) => body)];
}

/** Runs work one after the other. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

interface Waiting extends Item {
  readonly hash: Hash;
  done(): void;
  failed(error: unknown): void;
}

/** Collects entries while others are written, so many cost one commit. */
function createAppender(
  inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  write: (items: readonly Item[], hash: Hash) => Promise<void>,
): Chain['append'] {
  const queue: Waiting[] = [];
  let isQueued = false;

  const writeBatch = async (): Promise<void> => {
    const batch = queue.splice(0, LARGEST_BATCH);
    isQueued = false;
    if (queue.length > 0) enqueue();
    const [first] = batch;
    if (!first) return;
    try {
      await write(batch, first.hash);
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  };
  const enqueue = (): void => {
    if (isQueued) return;
    isQueued = true;
    void inTurn(writeBatch);
  };
  return (record, hash) =>
    new Promise((resolve, reject) => {
      queue.push({ ...itemOf(record), hash, done: () => resolve(undefined), failed: reject });
      enqueue();
    });
}

/** The columns by which an entry is found. */
export function columnsOf({ id, at, session, tool, decision, outcome }: LogRecord) {
  return { id: column(id), at, session: column(session), tool: tool === null ? null : column(tool), decision, hooks: hooksOf(outcome) };
}

function hooksOf(outcome: Json): readonly string[] {
  const hooks = isObject(outcome) && Array.isArray(outcome['hooks']) ? outcome['hooks'] : [];
  return hooks
    .filter(isObject)
    .flatMap(({ id, name }) => [textOf(id), textOf(name)])
    .filter((text) => text !== undefined)
    .map(column);
}
