/**
 * How an agent parses the file of its hooks. Most agents drop a file that they cannot parse as a whole and say nothing, so these facts decide
 * whether an entry runs.
 */
import type { Position } from '../values/diagnostic.ts';
import type { Document } from '../values/document.ts';
import type { Json } from '../values/json.ts';

export interface FileReading {
  /** `everywhere`: it removes comments by their marks alone, also within a text. */
  readonly comments: 'refused' | 'read' | 'everywhere';
  /** Whether a comma may follow the last item. */
  readonly trailingCommas: boolean;
  /** Whether the file may begin with a byte order mark. */
  readonly bom: boolean;
  /** Keys that may be added to Hookline's entry, with the values that do not change when it runs; true: any value. */
  readonly harmless: Readonly<Record<string, readonly Json[] | true>>;
  /** Returns why it drops a file that it can parse. */
  readonly drops?: (document: Document) => Flaw | undefined;
}

/** A part of a file for which an agent drops the whole file. `why` continues a sentence about the file. */
export interface Flaw {
  readonly why: string;
  readonly at: Position;
}
