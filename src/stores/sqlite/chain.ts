/**
 * Appends entries to the log in a file, and seals its head in the same transaction. The next entry follows the head that was written, and not
 * the last row that is there: if the newest entries were removed, the gap stays.
 */
import { type Anchor, chain, type LogRecord } from '../../core/record/decision-record.ts';
import type { Change, Ledger, SealedHead } from '../../core/record/ledger.ts';
import { canonicalJson, type Hash } from '../../core/values/digest.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import type { Database, Row } from './database.ts';

export interface Chain {
  /** In a transaction of its own. */
  append(record: LogRecord, hash: Hash): void;
  /** Within the transaction of the change. Without a ledger nothing is recorded. */
  record(change: Change): void;
  /** Takes over the log of an older version, within the transaction of its migration: records what was pruned from it, and seals its head. */
  adopt(): void;
  readonly ledger: Ledger | undefined;
}

export function createChain(database: Database, ledger: Ledger | undefined): Chain {
  let known: Anchor | undefined;
  const add = (record: LogRecord, hash: Hash): void => {
    const body = canonicalJson(record);
    let entry = known && chain(record, known, hash, body);
    if (!known || !entry || !move(database, known, entry, ledger)) {
      // This is the first one here, or another process has appended meanwhile. Under the lock of this transaction none can.
      const head = headOf(database);
      entry = chain(record, furthest(database, head), hash, body);
      move(database, head, entry, ledger);
    }
    const { seq, id, at, session, tool, decision, previous, hash: own } = entry;
    const columns = [seq, whole(id), at, whole(session), tool && whole(tool), decision, hookNames(record.outcome), previous, own, body];
    database.run(INSERT, ...columns);
    // If the transaction is rolled back, the next append finds another head and reads it.
    known = { seq, hash: own };
  };
  return {
    append(record, hash) {
      database.write(() => add(record, hash));
    },
    record(change) {
      if (ledger) add(ledger.entryOf(change), ledger.hash);
    },
    adopt() {
      const last = anchorOf(database);
      const pruned = { first: { seq: Math.min(1, last.seq), hash: '' }, last, count: last.seq, before: 0 };
      if (ledger && last.seq > 0) add(ledger.entryOf({ kind: 'log.pruned', pruned, pruning: {} }), ledger.hash);
      else {
        const head = headOf(database);
        move(database, head, head, ledger);
      }
    },
    ledger,
  };
}

const INSERT = `INSERT INTO audit (seq, id, at, session, tool, decision, hooks, previous, hash, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const MOVE = 'UPDATE head SET seq = ?, hash = ?, seal = ?, origin = ? WHERE seq = ? AND hash = ?';

/** Returns false if the head is another one. */
function move(database: Database, from: Anchor, to: Anchor, ledger: Ledger | undefined): boolean {
  const { seq, hash } = to;
  const seal = ledger?.seal;
  return database.run(MOVE, seq, hash, seal?.of({ seq, hash }) ?? null, seal?.origin ?? null, from.seq, from.hash) === 1;
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
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Returns the names and ids of the hooks in an outcome, one per line. */
export function hookNames(outcome: Json): string {
  const hooks = isObject(outcome) ? outcome['hooks'] : undefined;
  if (!Array.isArray(hooks)) return '';
  return hooks.map((hook: Json) => (isObject(hook) ? `${textOf(hook['name']) ?? ''}\n${textOf(hook['id']) ?? ''}` : '')).join('\n');
}
