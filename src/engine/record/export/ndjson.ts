/** One JSON document per line: everything that is in the log, so that the file can be verified without the store. */
import type { LogEntry, LogRecord } from '../../../core/record/decision-record.ts';
import type { Format } from './export-log.ts';

/** The first line of a file. */
export interface Opening {
  readonly hookline: 'log';
  readonly format: 1;
  readonly version: string;
  readonly store: string;
  readonly anchor: { readonly seq: number; readonly hash: string };
}

export const toNdjson: Format = {
  begin: ({ version, store, anchor }) => line({ hookline: 'log', format: 1, version, store, anchor } satisfies Opening),
  entry: (entry) => line(inParts(entry)),
  checkpoint: (checkpoint) => line({ checkpoint }),
  end: (head, entries) => line({ end: { ...head, entries } }),
};

function inParts({ seq, previous, hash, unreadable, ...record }: LogEntry): object {
  return unreadable === undefined ? { seq, previous, hash, record: record satisfies LogRecord } : { seq, previous, hash, unreadable };
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
