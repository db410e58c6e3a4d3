/**
 * What an agent's hooks never see, and what its own settings make of our entry. Only what was found out on the agent itself or in its source;
 * what follows from its profile, such as events it does not have, is not repeated here.
 */

import type { Severity } from '../values/diagnostic.ts';
import { type Document, entryOf, type Node } from '../values/document.ts';
import { permitsAddress } from './switch.ts';

export interface HostLimits {
  /** What goes past its hooks whatever stands in its files. */
  readonly blind: readonly Blind[];
  /** How many characters of a hook's context reach its model whole, and what becomes of more. */
  readonly context?: { readonly most: number; readonly beyond: string };
  /** What it says against running the entry that stands in a file. */
  objections?(look: HostLook): readonly Objection[];
}

export interface Blind {
  /** Whose calls: tools, other agents, or ways of running it. */
  readonly of: 'tools' | 'agents' | 'surfaces';
  readonly what: string;
  readonly because: string;
}

/** What a host may ask of the world about one of its files in which we stand. */
export interface HostLook {
  readonly scope: 'user' | 'project';
  readonly file: string;
  /** The same file without links on the way. */
  readonly realFile: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Our lines in that file, as they are written. */
  readonly lines: readonly string[];
  /** Another file of the host's: below the home with `~/`, below the project without, or absolute. Undefined if there is none to be read. */
  read(path: string): Document | undefined;
  sha256(text: string): string;
}

export interface Objection {
  readonly severity: Severity;
  readonly code: 'hooks-switched-off' | 'not-trusted-there';
  readonly because: string;
  readonly fix: string;
  /** Where that stands; absent: in our entry's own file. */
  readonly file?: string;
  readonly line?: number;
}

/** What stands under a path of keys. */
export function nodeAt(document: Document | undefined, ...path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => entryOf(node, key)?.value, document?.root);
}

export function valueAt(document: Document | undefined, ...path: readonly string[]): string | number | boolean | null | undefined {
  const node = nodeAt(document, ...path);
  return node?.kind === 'scalar' ? node.value : undefined;
}

export function wordsAt(document: Document | undefined, ...path: readonly string[]): readonly string[] | undefined {
  const node = nodeAt(document, ...path);
  if (node?.kind !== 'list') return undefined;
  return node.items.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []));
}

/** The hooks are off where the last of these files that says anything about it says so; an error, since nothing of ours is asked then. */
export function offWhere(look: HostLook, files: readonly string[], path: readonly string[], value: boolean): readonly Objection[] {
  const said = files.flatMap((file) => {
    const document = look.read(file);
    const node = nodeAt(document, ...path);
    return document && node?.kind === 'scalar' && typeof node.value === 'boolean' ? [{ document, node }] : [];
  });
  const last = said.at(-1);
  if (last?.node.value !== value) return [];
  return [switchedOff(`\`${path.join('.')}\` is ${value}: no hook is asked, ours included.`, last.document.file, last.node.at.line)];
}

export function switchedOff(because: string, file: string, line?: number): Objection {
  const fix = 'Remove it, or set it the other way.';
  return { severity: 'error', code: 'hooks-switched-off', because, fix, file, ...(line !== undefined && { line }) };
}

/** Whether a list of addresses with `*` for anything leaves one of ours out; without a list nothing is. */
export function leavesOut(lists: readonly (readonly string[] | undefined)[], lines: readonly string[]): boolean {
  const given = lists.filter((list) => list !== undefined);
  if (given.length === 0) return false;
  return lines.some((line) => /^https?:/.test(line) && !permitsAddress(given.flat(), line));
}

/** Whether a folder, or one above it, is in a list. */
export function isWithin(folder: string, list: readonly string[]): boolean {
  return list.some((one) => folder === one || folder.startsWith(one.endsWith('/') ? one : `${one}/`));
}
