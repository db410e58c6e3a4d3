/** What some agents' files must say about themselves before the agent reads anything else in them. Written only where it is missing. */
import type { OwnLine } from '../../core/contracts/entry-line.ts';
import type { Unfit } from './json-edit.ts';

export type Head = Readonly<Record<string, unknown>>;

const HEADS: readonly { readonly file: RegExp; readonly head: Head }[] = [
  { file: /(?:^|\/)\.cursor\/hooks\.json$/, head: { version: 1 } },
  { file: /(?:^|\/)\.(?:copilot|github)\/hooks\/[^/]+\.json$/, head: { version: 1 } },
];

export function headOf(file: string): Head {
  const forward = file.replaceAll('\\', '/');
  return HEADS.find((one) => one.file.test(forward))?.head ?? {};
}

/** How entries of ours stand in a file: one shape for each kind of file. Shapes are pure; they see texts, never paths. */

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
