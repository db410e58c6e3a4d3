/** Entries of the log as Postgres stores them, and how they follow each other. */
import { type Anchor, follow, type LogRecord, recordText } from '../../core/record/decision-record.ts';
import type { Ledger } from '../../core/record/ledger.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import { column, type Value } from './database.ts';

/** The most entries that one process writes at once. */
export const LARGEST_BATCH = 100;

/** A record and its text, taken before the caller can change the record. */
export interface Item {
  readonly record: LogRecord;
  readonly body: string;
}

export function itemOf(record: LogRecord): Item {
  return { record, body: recordText(record) };
}

/** Returns the values of `append_sealed` for these records, and the head that they lead to. */
export function linkAll(items: readonly Item[], from: Anchor, { hash, seal }: Ledger): { head: Anchor; values: Value[] } {
  let head = from;
  for (const { body } of items) head = follow(head, body, hash);
  return { head, values: [...valuesOf(items), head.hash, seal?.of(head, items.length) ?? null, seal?.origin ?? null] };
}

export function valuesOf(items: readonly Item[]): [columns: string, bodies: string[]] {
  return [JSON.stringify(items.map(({ record }) => columnsOf(record))), items.map(({ body }) => body)];
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
