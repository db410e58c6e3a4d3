/** How entries of ours stand in a file: one shape for each kind of file. Shapes are pure; they see texts, never paths. */
import type { OwnLine } from '../../core/contracts/entry-line.ts';
import type { Unfit } from './json-edit.ts';

/** Fields that a file must have before its agent reads the rest. Written only where they are missing. */
export type Head = Readonly<Record<string, unknown>>;

/** An entry that should stand in a file. */
export interface Wanted {
  readonly event: string;
  /** The line within the value. */
  readonly line: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

export type EntryState = 'added' | 'kept' | 'updated' | 'removed';

export interface Edited {
  /** Undefined: the file was only ever ours and goes. */
  readonly text: string | undefined;
  readonly entries: readonly { readonly event: string; readonly state: EntryState }[];
}

export interface Shape {
  /** The entries of a host, as they stand. */
  own(text: string, host: string): readonly OwnLine[];
  /** The text in which exactly the wanted entries of the host stand; empty text if there is no file yet. */
  install(text: string, host: string, wanted: readonly Wanted[], head?: Head): Edited | Unfit;
  /** The text without them. `before`: how it was before they came; undefined: there was no file. */
  uninstall(text: string, host: string, before: string | undefined, head?: Head): Edited;
}

export function isUnfit(result: Edited | Unfit | string): result is Unfit {
  return typeof result === 'object' && 'unfit' in result;
}
