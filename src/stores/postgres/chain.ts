/**
 * Appends entries to the log in Postgres and seals its head, in the transaction of the change that they record. The client computes the seal,
 * so it must know the head that it follows. A process that appended last tries with the head that it knows. If another process has appended
 * meanwhile, it takes the lock first, and sends the entry and the commit together. Every change locks the head before anything else, so two
 * changes cannot block each other for good.
 */
import { type Anchor, follow, type LogRecord } from '../../core/record/decision-record.ts';
import type { Change, Ledger } from '../../core/record/ledger.ts';
import { canonicalJson, type Hash } from '../../core/values/digest.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import { column, type Database, isLocked, movedHead, type Query, type Transaction, type Value } from './database.ts';

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
const LOCK = 'SELECT seq, hash FROM hookline.audit_head FOR UPDATE';

/** @param lockMs how long all calls in a row wait for the lock of the head together */
export function createChain(database: Database, ledger: Ledger | undefined, lockMs = 0): Chain {
  let known: Anchor | undefined;
  /** Whether another process appended since this one did. Then the known head is of no use, and a try would only wait for the lock in vain. */
  let isShared = true;
  /** Until then no call waits: the time of all calls in a row was used up by an earlier one. */
  let impatientUntil = 0;
  // One change at a time in each process: they would only wait for each other in the database, each with a connection of its own.
  const inTurn = createTurns();

  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isLocked(error) && performance.now() >= impatientUntil) impatientUntil = performance.now() + lockMs;
      throw error;
    }
  };
  const locked = <T>(work: (transaction: Transaction, head: Anchor) => Promise<T>): Promise<T> =>
    patiently(() =>
      database.transaction(performance.now() < impatientUntil ? `${LOCK} NOWAIT` : LOCK, (transaction, [row]) => {
        const { seq, hash } = row as { seq: string; hash: string };
        const head = { seq: Number(seq), hash };
        isShared = head.seq !== known?.seq || head.hash !== known.hash;
        return work(transaction, head);
      }),
    );

  /** Runs a statement that names the head it follows, and nothing after it. */
  const following = async <T>(work: (query: Query, head: Anchor) => Promise<T>): Promise<T> => {
    const head = known;
    if (head && !isShared && performance.now() >= impatientUntil) {
      try {
        return await patiently(() => work(database.query, head));
      } catch (error) {
        if (!movedHead(error)) throw error;
      }
    }
    return locked(({ finish }, current) => work(finish, current));
  };

  const write = (items: readonly Item[], hash: Hash): Promise<unknown> =>
    following(async (query, head) => {
      const next = linkAll(items, head, hash, ledger);
      await query(APPEND, [head.seq, head.hash, ...next.values], 'append_sealed');
      known = next.head;
    });
  /** One change alone is one statement. */
  const changeAlone = (job: Job, { sql, values, name }: Statement): Promise<readonly object[]> =>
    following(async (query, head) => {
      const next = linkAll([job], head, job.hash, ledger);
      const rows = await query(recordedStatement(sql, values.length), [...values, head.seq, head.hash, ...next.values], `${name}_recorded`);
      if (rows.length > 0) known = next.head;
      return rows;
    });
  /** Several changes and entries share one transaction, in their order. A change that finds no row has no entry. */
  const writeTogether = async (jobs: readonly Job[]): Promise<readonly (readonly object[])[] | undefined> => {
    let isRecording = false;
    try {
      return await locked(async ({ query, finish }, head) => {
        const changed = await Promise.all(jobs.map(({ statement }) => (statement ? runIn(query, statement) : [APPENDED])));
        const recorded = jobs.filter((_, i) => changed[i]?.length !== 0);
        const next = linkAll(recorded, head, jobs[0]?.hash as Hash, ledger);
        isRecording = true;
        if (recorded.length > 0) await finish(APPEND, [head.seq, head.hash, ...next.values], 'append_sealed');
        known = next.head;
        return changed;
      });
    } catch (error) {
      // One of the statements is wrong. Each is then tried alone, so that the others do not fail with it.
      if (!isRecording && !isLocked(error)) return undefined;
      throw error;
    }
  };
  const enqueue = createQueue(inTurn, async (jobs) => {
    const [first] = jobs;
    if (!first) return [];
    if (!ledger) return append(database, jobs);
    if (jobs.every(({ statement }) => !statement)) {
      await write(jobs, first.hash);
      return jobs.map(() => []);
    }
    const together = jobs.length > 1 ? await writeTogether(jobs) : undefined;
    if (together) return together;
    if (jobs.length > 1) return undefined;
    return [await changeAlone(first, first.statement as Statement)];
  });

  return {
    append: async (record, hash) => {
      await enqueue({ ...itemOf(record), hash });
      return undefined;
    },
    change<Row extends object>(statement: Statement, change: () => Change): Promise<readonly Row[]> {
      if (!ledger) return runIn(database.query, statement) as Promise<readonly Row[]>;
      const job = { ...itemOf(ledger.entryOf(change())), hash: ledger.hash, statement };
      return enqueue(job) as Promise<readonly Row[]>;
    },
    holding<T>(work: (held: Held) => Promise<T>): Promise<T> {
      if (!ledger) return database.transaction('SELECT', ({ query }) => work({ query, record: async () => undefined }));
      return inTurn(() =>
        locked(async ({ query }, first) => {
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
  for (const { body } of items) head = follow(head, body, hash);
  const seal = ledger?.seal;
  return { head, values: [...valuesOf(items), head.hash, seal?.of(head, items.length) ?? null, seal?.origin ?? null] };
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

/** An entry, and the change that it records if it is not the entry of an event. */
interface Job extends Item {
  readonly hash: Hash;
  readonly statement?: Statement;
}

interface Waiting extends Job {
  done(rows: readonly object[]): void;
  failed(error: unknown): void;
}

/** Stands for the row of an entry without a change. */
const APPENDED = {};

function runIn(query: Query, { sql, values, name }: Statement): Promise<readonly object[]> {
  return query(`WITH head AS (SELECT true AS ok) ${sql}`, values, name);
}

/** Without a ledger no head is sealed, and the database links the entries. */
async function append(database: Database, jobs: readonly Job[]): Promise<readonly (readonly object[])[]> {
  await database.query('SELECT hookline.append($1::jsonb, $2::text[])', valuesOf(jobs), 'append');
  return jobs.map(() => []);
}

/**
 * Collects jobs while others are written, so many cost one commit.
 * @param write returns the rows of each job, or undefined if each of them has to be written alone
 */
function createQueue(
  inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  write: (jobs: readonly Job[]) => Promise<readonly (readonly object[])[] | undefined>,
): (job: Job) => Promise<readonly object[]> {
  const queue: Waiting[] = [];
  let isQueued = false;

  const writeAll = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const rows = await write(batch);
      for (const [i, job] of batch.entries()) {
        if (rows) job.done(rows[i] ?? []);
        else await writeAll([job]);
      }
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  };
  const next = (): void => {
    if (isQueued) return;
    isQueued = true;
    void inTurn(async () => {
      const batch = queue.splice(0, LARGEST_BATCH);
      isQueued = false;
      if (queue.length > 0) next();
      await writeAll(batch);
    });
  };
  return (job) =>
    new Promise((resolve, reject) => {
      queue.push({ ...job, done: resolve, failed: reject });
      next();
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
