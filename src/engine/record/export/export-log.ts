/**
 * Writes the log for other programs. One exporter serves the command line and the server. A format turns each entry into a line, and knows
 * nothing of where the entries come from.
 */

import type { Checkpoint } from '../../../core/record/checkpoint.ts';
import type { Anchor, LogEntry } from '../../../core/record/decision-record.ts';
import { toCef } from './cef.ts';
import { toCsv } from './csv.ts';
import { toNdjson } from './ndjson.ts';
import { toOcsf } from './ocsf.ts';

/** The subject of the lines. */
export interface Exported {
  /** The version of Hookline that writes them. */
  readonly version: string;
  /** The store, without its password. */
  readonly store: string;
  /** The entry before the first one. */
  readonly anchor: Anchor;
}

/** Each function returns whole lines. */
export interface Format {
  readonly begin?: (about: Exported) => string;
  readonly entry: (entry: LogEntry, about: Exported) => string;
  readonly checkpoint: (checkpoint: Checkpoint, about: Exported) => string;
  readonly end?: (head: Anchor, entries: number) => string;
}

export const FORMATS = { ndjson: toNdjson, csv: toCsv, cef: toCef, ocsf: toOcsf } as const satisfies Readonly<Record<string, Format>>;
export type FormatName = keyof typeof FORMATS;

export interface ExportSource {
  readonly about: Exported;
  /** Pages of entries, in order and without gaps. */
  readonly pages: AsyncIterable<readonly LogEntry[]>;
  readonly checkpoints: readonly Checkpoint[];
}

/** Each statement about the log follows the entry that it names, so a reader can check it as soon as it comes. */
export async function* exportLog({ about, pages, checkpoints }: ExportSource, format: Format): AsyncGenerator<string> {
  const stated = checkpoints.filter(({ seq }) => seq > about.anchor.seq).sort((one, other) => one.seq - other.seq || one.at - other.at);
  let next = 0;
  let head = about.anchor;
  let count = 0;
  if (format.begin) yield format.begin(about);
  for await (const page of pages) {
    let lines = '';
    for (const entry of page) {
      lines += format.entry(entry, about);
      head = { seq: entry.seq, hash: entry.hash };
      count++;
      for (; (stated[next]?.seq ?? Number.POSITIVE_INFINITY) <= entry.seq; next++)
        lines += format.checkpoint(stated[next] as Checkpoint, about);
    }
    yield lines;
  }
  if (format.end) yield format.end(head, count);
}
