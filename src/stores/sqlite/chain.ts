/**
 * Appends entries to the log in a file, and seals its head in the same transaction. Entries that arrive together share one transaction. The next
 * entry follows the head that was written, and not the last row that is there: if the newest entries were removed, the gap stays.
 */
import { type Anchor, follow, type LogRecord, recordText } from '../../core/record/decision-record.ts';
import type { Change, Ledger, SealedHead } from '../../core/record/ledger.ts';
import type { Hash } from '../../core/values/digest.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import type { Database, Row, SqlValue } from './database.ts';
import { HEAD_MOVED } from './migrations.ts';

export interface Chain {
  /** Resolves once the transaction of the entry is committed. */
  append(record: LogRecord, hash: Hash): Promise<undefined>;
  /** Within the transaction of the change. Without a ledger nothing is recorded. */
  record(change: Change): void;
  /** Takes over the log of an older version, within the transaction of its migration: records what was pruned from it, and seals its head. */
  adopt(): void;
  /** Writes the entries that wait. */
  flush(): void;
  readonly ledger: Ledger | undefined;
}

/** The row of an entry, taken before the caller can change the record. Its number and both hashes are set when it is linked. */
interface Item {
  readonly row: SqlValue[];
  readonly hash: Hash;
}

/** Entries that arrive together. All of them wait for the same transaction. */
interface Batch {
  readonly items: Item[];
  readonly written: Promise<undefined>;
  done(): void;
  failed(error: unknown): void;
}

/** @param wrote told after each transaction of appended entries */
export function createChain(database: Database, ledger: Ledger | undefined, wrote: (entries: number) => void): Chain {
  let known: Anchor | undefined;
  let waiting: Batch | undefined;

  /** Within a transaction. */
  const add = (items: readonly Item[]): void => {
    let head = known && linkAll(items, known);
    if (!known || !head || !move(database, known, head, ledger)) {
      // This is the first one here, or another process has appended meanwhile. Under the lock of this transaction none can.
      const found = headOf(database);
      head = linkAll(items, furthest(database, found));
      move(database, found, head, ledger);
    }
    database.runEach(
      INSERT,
      items.map(({ row }) => row),
    );
    // If the transaction is rolled back, the next append finds another head and reads it.
    known = head;
  };
  /** One entry alone is one statement, which takes two thirds of the time of a transaction. Returns false if the head is not the known one. */
  const addAlone = (item: Item): boolean => {
    if (!known) return false;
    const head = link(item, known);
    try {
      database.run(APPEND, ...item.row, ...sealOf(head, 1, ledger));
    } catch (error) {
      if (!isMoved(error)) throw error;
      return false;
    }
    known = head;
    return true;
  };
  const flush = (): void => {
    const batch = waiting;
    waiting = undefined;
    const first = batch?.items[0];
    if (!batch || !first) return;
    try {
      if (batch.items.length > 1 || !addAlone(first)) database.write(() => add(batch.items));
    } catch (error) {
      batch.failed(error);
      return;
    }
    batch.done();
    wrote(batch.items.length);
  };
  return {
    append(record, hash) {
      const item = itemOf(record, hash);
      if (!waiting) {
        waiting = newBatch();
        // Everything that the loop finds at once, such as the requests of many clients, is in one batch.
        setImmediate(flush);
      }
      waiting.items.push(item);
      return waiting.written;
    },
    record(change) {
      if (ledger) add([itemOf(ledger.entryOf(change), ledger.hash)]);
    },
    adopt() {
      const last = anchorOf(database);
      const pruned = { first: { seq: Math.min(1, last.seq), hash: '' }, last, count: last.seq, before: 0 };
      if (ledger && last.seq > 0) add([itemOf(ledger.entryOf({ kind: 'log.pruned', pruned, pruning: {} }), ledger.hash)]);
      else {
        const head = headOf(database);
        move(database, head, head, ledger);
      }
    },
    flush,
    ledger,
  };
}

function newBatch(): Batch {
  let [done, failed]: [() => void, (error: unknown) => void] = [() => {}, () => {}];
  const written = new Promise<undefined>((resolve, reject) => {
    [done, failed] = [() => resolve(undefined), reject];
  });
  return { items: [], written, done, failed };
}

function itemOf(record: LogRecord, hash: Hash): Item {
  const { id, at, session, tool, decision, outcome } = record;
  const row = [0, whole(id), at, whole(session), tool && whole(tool), decision, hookNames(outcome), '', '', recordText(record)];
  return { row, hash };
}

/** Binds these entries to each other and to the head. Returns the head that they lead to. */
function linkAll(items: readonly Item[], from: Anchor): Anchor {
  return items.reduce((head, item) => link(item, head), from);
}

function link({ row, hash }: Item, { seq, hash: previous }: Anchor): Anchor {
  const head = follow({ seq, hash: previous }, row[BODY] as string, hash);
  [row[SEQ], row[PREVIOUS], row[HASH]] = [head.seq, previous, head.hash];
  return head;
}

const COLUMNS = 'seq, id, at, session, tool, decision, hooks, previous, hash, body';
const [SEQ, PREVIOUS, HASH, BODY] = [0, 7, 8, 9] as const;
const INSERT = `INSERT INTO audit (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const APPEND = `INSERT INTO appending (${COLUMNS}, seal, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const MOVE = 'UPDATE head SET seq = ?, hash = ?, seal = ?, origin = ? WHERE seq = ? AND hash = ?';

/** The trigger of `appending` reports this. */
function isMoved(error: unknown): boolean {
  return error instanceof Error && error.message.includes(HEAD_MOVED);
}

function sealOf(head: Anchor, count: number, ledger: Ledger | undefined): [seal: SqlValue, origin: SqlValue] {
  const seal = ledger?.seal;
  return [seal?.of(head, count) ?? null, seal?.origin ?? null];
}

/** Returns false if the head is another one. */
function move(database: Database, from: Anchor, to: Anchor, ledger: Ledger | undefined): boolean {
  return database.run(MOVE, to.seq, to.hash, ...sealOf(to, to.seq - from.seq, ledger), from.seq, from.hash) === 1;
}

/** A head that was set back must not stop the log: the next entry then follows the last one that is there. */
function furthest(database: Database, head: Anchor): Anchor {
  const last = database.get('SELECT seq, hash FROM audit WHERE seq > ? ORDER BY seq DESC LIMIT 1', head.seq);
  return last ? anchorFrom(last) : head;
}

export function anchorOf(database: Database): Anchor {
  return anchorFrom(database.get('SELECT seq, hash FROM anchor') ?? {});
}

export function anchorFrom({ seq, hash }: Row): Anchor {
  return { seq: Number(seq), hash: String(hash) };
}

export function headOf(database: Database): SealedHead {
  const row = database.get('SELECT seq, hash, seal, origin FROM head') ?? {};
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { seq: Number(row['seq']), hash: String(row['hash']), seal: text(row['seal']), origin: text(row['origin']) };
}

/** Replaces half a surrogate pair, which the body can hold and a column cannot. */
export function whole(text: string): string {
  return text.toWellFormed();
}

/** Returns the names and ids of the hooks in an outcome, one per line. */
export function hookNames(outcome: Json): string {
  const hooks = isObject(outcome) ? outcome['hooks'] : undefined;
  if (!Array.isArray(hooks)) return '';
  return hooks.map((hook: Json) => (isObject(hook) ? `${textOf(hook['name']) ?? ''}\n${textOf(hook['id']) ?? ''}` : '')).join('\n');
}
