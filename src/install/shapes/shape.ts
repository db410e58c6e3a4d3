/** How Hookline's entries are written in a file: one shape for each kind of file. Shapes are pure; they get texts, never paths. */
import type { OwnLine } from '../../core/contracts/entry-line.ts';
import type { Unfit } from './json-edit.ts';

/** Fields that a file must have before its agent reads the rest. Written only where they are missing. */
export type Head = Readonly<Record<string, unknown>>;

/** An entry that a file should have. */
export interface Wanted {
  readonly event: string;
  /** The line within the value. */
  readonly line: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

export type EntryState = 'added' | 'kept' | 'updated' | 'removed';

export interface Edited {
  /** Undefined: the file contained nothing else, and is deleted. */
  readonly text: string | undefined;
  readonly entries: readonly { readonly event: string; readonly state: EntryState }[];
}

export interface Shape {
  /** Returns the existing entries of a host. */
  own(text: string, host: string): readonly OwnLine[];
  /** Returns the text with exactly the wanted entries of the host. `text` is empty if there is no file yet. */
  install(text: string, host: string, wanted: readonly Wanted[], head?: Head): Edited | Unfit;
  /** Returns the text without them. `before`: the text from before the installation; undefined: there was no file. */
  uninstall(text: string, host: string, before: string | undefined, head?: Head): Edited;
}

export function isUnfit(result: Edited | Unfit | string): result is Unfit {
  return typeof result === 'object' && 'unfit' in result;
}
