/**
 * Appends entries to the log in Postgres and seals its head, in the transaction of the change that they record. The client computes the seal,
 * so it must know the head that it follows. A process that appended last tries with the head that it knows: one statement. If other processes
 * append too, or several changes came together, they share a transaction: see `hookline.take_turn` in the migrations.
 */
import type { Anchor, LogRecord } from '../../core/record/decision-record.ts';
import type { Change, Ledger } from '../../core/record/ledger.ts';
import type { Hash } from '../../core/values/digest.ts';
import { type Database, isLocked, movedHead, type Query, type Transaction } from './database.ts';
import { createQueue, createTurns, type Job, type Result, type TicketChange } from './job-queue.ts';
import { type Item, itemOf, LARGEST_BATCH, linkAll, valuesOf } from './linking.ts';
import { submit } from './shared-transaction.ts';

/** A transaction that holds the head. */
export interface Held {
  readonly query: Query;
  record(changes: readonly Change[]): Promise<void>;
}

export interface Chain {
  append(record: LogRecord, hash: Hash): Promise<undefined>;
  /** Makes the change and records it. Returns whether there was something to change. Without a ledger nothing is recorded. */
  change(made: TicketChange, change: () => Change): Promise<boolean>;
  /** For changes that need a look first. It takes longer than `change`. */
  holding<T>(work: (held: Held) => Promise<T>): Promise<T>;
  readonly ledger: Ledger | undefined;
}

const LOCK = { sql: 'SELECT seq, hash FROM hookline.audit_head FOR UPDATE', values: [], name: 'lock' };
const LOCK_NOW = { sql: `${LOCK.sql} NOWAIT`, values: [], name: 'lock_now' };
const NOTHING = { sql: 'SELECT', values: [], name: 'nothing' };

export interface ChainOptions {
  /** How long all calls in a row wait for the lock of the head together. */
  readonly lockMs: number | undefined;
  /** Called for each ticket that this process has settled, for itself or for another one. */
  onSettled(id: string): void;
}

export function createChain(database: Database, ledger: Ledger | undefined, { lockMs = 0, onSettled }: ChainOptions): Chain {
  let known: Anchor | undefined;
  /** Whether another process appended since this one did. Then the known head is of no use, and a try would only wait for the lock in vain. */
  let isShared = true;
  /** Until then no call waits: the time of all calls in a row was used up by an earlier one. */
  let impatientUntil = 0;
  const isPatient = (): boolean => performance.now() >= impatientUntil;
  // One batch at a time in each process: they would only wait for each other in the database, each with a connection of its own.
  const inTurn = createTurns();

  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isLocked(error) && isPatient()) impatientUntil = performance.now() + lockMs;
      throw error;
    }
  };
  const found = (head: Anchor): void => {
    isShared = head.seq !== known?.seq || head.hash !== known.hash;
  };
  const locked = <T>(work: (transaction: Transaction, head: Anchor) => Promise<T>): Promise<T> =>
    patiently(() =>
      database.transaction(isPatient() ? LOCK : LOCK_NOW, (transaction, [row]) => {
        const { seq, hash } = row as { seq: string; hash: string };
        const head = { seq: Number(seq), hash };
        found(head);
        return work(transaction, head);
      }),
    );

  /** Writes entries, or one change, after the head that this process knows. Undefined: it is no longer the head. */
  const writeNext = async (jobs: readonly Job[], head: Anchor, sealing: Ledger): Promise<readonly boolean[] | undefined> => {
    const next = linkAll(jobs, head, sealing);
    const [made] = jobs.map((job) => job.made);
    try {
      const [sql, values, name] = made
        ? ([CHANGE, [head.seq, head.hash, JSON.stringify(made), ...next.values], 'change_sealed'] as const)
        : ([APPEND, [head.seq, head.hash, ...next.values], 'append_sealed'] as const);
      const [row] = await patiently(() => database.query<{ ok: boolean }>(sql, values, name));
      if (row?.ok) known = next.head;
      if (row?.ok && made?.act === 'settle') onSettled(made.id);
      return jobs.map(() => row?.ok === true);
    } catch (error) {
      if (movedHead(error)) return undefined;
      throw error;
    }
  };
  const writeTogether = async (jobs: readonly Job[], { seal }: Ledger): Promise<readonly Result[]> => {
    const { before, head, results, settled } = await patiently(() => submit(database, jobs, isPatient(), seal));
    if (before) found(before);
    else isShared = true;
    known = head;
    for (const id of settled) onSettled(id);
    return results;
  };
  const enqueue = createQueue(inTurn, async (jobs) => {
    if (!ledger) return append(database, jobs);
    const isOne = jobs.length === 1 || jobs.every(({ made }) => made === null);
    const written = isOne && known && !isShared && isPatient() ? await writeNext(jobs, known, ledger) : undefined;
    return written ?? writeTogether(jobs, ledger);
  });

  return {
    append: async (record) => {
      await enqueue({ ...itemOf(record), made: null });
      return undefined;
    },
    async change(made, change) {
      if (ledger) return enqueue({ ...itemOf(ledger.entryOf(change())), made });
      const [row] = await database.query<{ ok: boolean }>('SELECT hookline.perform($1) AS ok', [JSON.stringify(made)], 'perform');
      if (row?.ok && made.act === 'settle') onSettled(made.id);
      return row?.ok === true;
    },
    holding<T>(work: (held: Held) => Promise<T>): Promise<T> {
      if (!ledger) return database.transaction(NOTHING, ({ query }) => work({ query, record: async () => undefined }));
      return inTurn(() =>
        locked(async ({ query }, first) => {
          let head = first;
          const result = await work({
            query,
            async record(changes) {
              for (let i = 0; i < changes.length; i += LARGEST_BATCH) {
                const batch = changes.slice(i, i + LARGEST_BATCH).map((change) => itemOf(ledger.entryOf(change)));
                const next = linkAll(batch, head, ledger);
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
  const next = linkAll([itemOf(ledger.entryOf({ kind: 'log.pruned', pruned, pruning: {} }))], head, ledger);
  await query(APPEND, [head.seq, head.hash, ...next.values]);
}

/** `append_sealed` is called for the row that `head` yields, so the head is locked and checked before. */
const APPEND = `
  WITH head AS MATERIALIZED (SELECT hookline.lock_head($1, $2) AS ok)
  SELECT hookline.append_sealed($3::jsonb, $4::text[], $5, $6, $7) AS ok FROM head WHERE head.ok`;
const CHANGE = 'SELECT hookline.change_sealed($1, $2, $3::jsonb, $4::jsonb, $5::text[], $6, $7, $8) AS ok';

/** Without a ledger no head is sealed, and the database links the entries. */
async function append(database: Database, items: readonly Item[]): Promise<readonly boolean[]> {
  await database.query('SELECT hookline.append($1::jsonb, $2::text[])', valuesOf(items), 'append');
  return items.map(() => true);
}
