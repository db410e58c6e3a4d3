/** An agent or a hook format: its dialect, the places where its hook files are found and, if the agent calls Hookline, its host. */
import type { Position } from '../values/diagnostic.ts';
import type { Document } from '../values/document.ts';
import type { Dialect, EntryForm, Format, LoadContext } from './dialect.ts';
import type { Scope } from './hook.ts';
import type { Host } from './host.ts';

export interface Agent {
  readonly id: string;
  readonly title: string;
  readonly dialect: Dialect;
  /** In the order in which they are searched. Places of the user come before those of the project, so the user's hooks come first. */
  readonly places: readonly Place[];
  /** Null for a format that no agent fires at Hookline. */
  readonly host: Host | null;
}

/** A location whose files this agent reads. Several agents may name the same location. */
export interface Place extends Location {
  readonly format: Format;
  /** `chosen`: another agent owns the location, and this one reads it only if the caller chooses its dialect and not the owner's. */
  readonly read: 'always' | 'chosen';
  /** Set where two agents own the location together: each reads the entries that have its form. */
  readonly sharedWith: Sharing | null;
  /** Loads the search for evidence that a file here is this agent's, although another owns the location. Absent: nothing in a file shows it. */
  readonly evidence?: () => Promise<FindEvidence>;
}

/**
 * Looks for a sign that a file was written for this agent: something that it has and the owner of the location does not have. Undefined:
 * there is none. Never throws.
 */
export type FindEvidence = (document: Document, context: LoadContext, owner: Dialect) => Evidence | undefined;

export interface Evidence {
  /** A clause that ends a sentence: `names the event \`Setup\``. */
  readonly what: string;
  readonly file: string;
  readonly at: Position;
}

export interface Sharing {
  /** The id of the other agent. */
  readonly agent: string;
  /** The entries that belong to this agent. */
  readonly entries: EntryForm;
}

/** A folder and the files in it that hold hooks. */
export interface Location {
  /** Names the location, or several that belong together. */
  readonly id: string;
  /** A word for several locations, by which the user's settings can name all of them. */
  readonly group?: string;
  readonly base: Base;
  /** The folder below the base, with `/`; empty for the base itself. */
  readonly path: string;
  readonly find: FileSearch;
  readonly scope: Scope;
  readonly kind: PlaceKind;
  /** Paths to watch below the base, if they do not follow from `path` and `find`. */
  readonly watch?: readonly string[];
}

/** `config` is the XDG config folder, `system` the root of the file system; `skills`, `plugins` and `hooks` are folders that the caller names. */
export type Base = 'root' | 'home' | 'config' | 'system' | NamedBase;
export type NamedBase = 'skills' | 'plugins' | 'hooks';

/**
 * Skills and subagents are mainly prose for a model. `code` is code that runs in the agent's own process, or names it: it is reported and never
 * becomes a hook. Files of the other kinds exist to configure an agent or its hooks.
 */
export type PlaceKind = 'settings' | 'hooks' | 'plugin' | 'skill' | 'subagent' | 'code';

/**
 * How files are found in the folder of a location. A hook lives in the folder in which `file` is looked for. With `or`, a folder without `file`
 * counts too if it has this other file; then it is read as if `file` were there and empty.
 */
export type FileSearch = SearchKind & { readonly or?: string };

type SearchKind =
  /** Exactly this file. */
  | { readonly kind: 'file'; readonly file: string }
  /** This file in each folder directly below; with `orSelf` also in the folder itself. */
  | { readonly kind: 'each'; readonly file: string; readonly orSelf: boolean }
  /** This file at any depth, the folder itself included. */
  | { readonly kind: 'deep'; readonly file: string }
  /** Each file whose name ends so. */
  | { readonly kind: 'ending'; readonly file: string }
  /** Each file with one of these endings, unless its name begins with a dot or ends as one of `except`. `file` is the first ending. */
  | EndingsSearch
  /** Each file with one of these names, in upper or lower case, and one of these endings. `file` is an example. */
  | NamedSearch;

export interface EndingsSearch {
  readonly kind: 'endings';
  readonly file: string;
  readonly endings: readonly string[];
  readonly except: readonly string[];
}

export interface NamedSearch {
  readonly kind: 'named';
  readonly file: string;
  readonly names: readonly string[];
  readonly endings: readonly string[];
}

export const file = (name: string): FileSearch => ({ kind: 'file', file: name });
export const each = (name: string): FileSearch => ({ kind: 'each', file: name, orSelf: false });
export const eachOrSelf = (name: string): FileSearch => ({ kind: 'each', file: name, orSelf: true });
export const deep = (name: string): FileSearch => ({ kind: 'deep', file: name });
export const orFile = (search: FileSearch, other: string): FileSearch => ({ ...search, or: other });
export const ending = (suffix: string): FileSearch => ({ kind: 'ending', file: suffix });
export const endings = (list: readonly string[], except: readonly string[]): EndingsSearch => ({
  ...{ kind: 'endings', file: list[0] ?? '' },
  ...{ endings: list, except },
});
export const named = (names: readonly string[], endings: readonly string[]): NamedSearch => ({
  ...{ kind: 'named', file: `${names[0]}${endings[0]}` },
  ...{ names, endings },
});

/** Returns the one of these names that a file has; undefined if it has none of them, or another ending. */
export function nameOf(file: string, { names, endings }: NamedSearch): string | undefined {
  const dot = file.lastIndexOf('.');
  const stem = (dot < 0 ? file : file.slice(0, dot)).toLowerCase();
  return endings.includes(dot < 0 ? '' : file.slice(dot).toLowerCase()) ? names.find((name) => name.toLowerCase() === stem) : undefined;
}

export function isEndedSo(file: string, { endings, except }: EndingsSearch): boolean {
  return !file.startsWith('.') && endings.some((ending) => file.endsWith(ending)) && !except.some((ending) => file.endsWith(ending));
}

/** Whether the name is that of an ES module. Hooks in such files share a worker. */
export function isModule(file: string): boolean {
  return /\.m?[jt]s$/.test(file);
}

/** The same for every agent that names the same location. */
export function locationKey({ base, path, find }: Location): string {
  return `${base}\0${path}\0${find.kind}\0${find.file}`;
}
