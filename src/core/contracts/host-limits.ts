/**
 * The calls that an agent's hooks never see, and the settings that disable Hookline's entry. Only facts from the agent itself or its source;
 * facts that follow from its profile, such as missing events, are not repeated here.
 */

import type { Severity } from '../values/diagnostic.ts';
import { type Document, entryOf, type Node } from '../values/document.ts';
import { permitsAddress } from './switch.ts';

export interface HostLimits {
  /** Calls that its hooks never see, whatever its files contain. */
  readonly blind: readonly Blind[];
  /** How many characters of a hook's context reach its model whole, and what happens to the rest. */
  readonly context?: { readonly most: number; readonly beyond: string };
  /** Returns why it does not run the entry in a file. */
  objections?(look: HostLook): readonly Objection[];
}

export interface Blind {
  /** Whose calls: tools, other agents, or ways of running it. */
  readonly of: 'tools' | 'agents' | 'surfaces';
  readonly what: string;
  readonly because: string;
}

/** Gives a host access to its files, for one file with Hookline's entry. */
export interface HostLook {
  readonly scope: 'user' | 'project';
  readonly file: string;
  /** The same file without links on the way. */
  readonly realFile: string;
  /** Whether the file itself is a link. */
  readonly isLink: boolean;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hookline's lines in that file, as they are written. */
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
  /** The place of the setting; absent: in the file of Hookline's entry. */
  readonly file?: string;
  readonly line?: number;
}

/** Returns the node at a path of keys. */
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

/** The last of these files that has the setting decides. It is an error, because Hookline's entry does not run then. */
export function offWhere(look: HostLook, files: readonly string[], path: readonly string[], value: boolean): readonly Objection[] {
  const said = files.flatMap((file) => {
    const document = look.read(file);
    const node = nodeAt(document, ...path);
    return document && node?.kind === 'scalar' && typeof node.value === 'boolean' ? [{ document, node }] : [];
  });
  const last = said.at(-1);
  if (last?.node.value !== value) return [];
  return [
    switchedOff(`\`${path.join('.')}\` is ${value}, so no hook runs, Hookline's entry included.`, last.document.file, last.node.at.line),
  ];
}

export function switchedOff(because: string, file: string, line?: number): Objection {
  const fix = 'Remove it, or set it the other way.';
  return { severity: 'error', code: 'hooks-switched-off', because, fix, file, ...(line !== undefined && { line }) };
}

/** Whether a list of addresses, with `*` for any text, lacks one of Hookline's. Without a list none is missing. */
export function leavesOut(lists: readonly (readonly string[] | undefined)[], lines: readonly string[]): boolean {
  const given = lists.filter((list) => list !== undefined);
  if (given.length === 0) return false;
  return lines.some((line) => /^https?:/.test(line) && !permitsAddress(given.flat(), line));
}

/** Whether a folder, or one above it, is in a list. */
export function isWithin(folder: string, list: readonly string[]): boolean {
  return list.some((one) => folder === one || folder.startsWith(one.endsWith('/') ? one : `${one}/`));
}
