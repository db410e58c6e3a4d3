/** A dialect: a hook format with its profile (its meaning, as data) and its wire (how events and replies are written). */
import type { Verdict } from '../decision/decision.ts';
import type { EventKind, HookEvent } from '../event/event.ts';
import type { Profile } from '../meaning/profile.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { type Document, type Entry, entryOf, fieldOf, type Node } from '../values/document.ts';
import type { Json, JsonObject } from '../values/json.ts';
import type { Hook, Scope } from './hook.ts';
import type { Switch } from './switch.ts';
import type { FoundServer } from './tool-server.ts';

export interface Dialect {
  readonly id: string;
  readonly title: string;
  readonly profile: Profile;
  readonly wire: Wire;
  /** Other names for its events, for callers that fire an event by name. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Loads the code that reads its files. Called only if there is such a file, because most runs meet one or two formats. */
  loader(): Promise<LoadFile>;
  /** Loads the JSON Schema of its files, for editors. Absent: its hooks are code. */
  schema?(): Promise<JsonObject>;
  /** Loads the text of a new hook. Null: its hooks are code that Hookline does not run, or functions. */
  readonly scaffold: (() => Promise<WriteScaffold>) | null;
}

/**
 * `loose-frontmatter`: the `hooks:` block is read even if the rest of the frontmatter is broken. `program`: the document is the text of the file.
 * `hook-program`: the document is the settings that a program states about itself, which are read without running it.
 */
export type Format = 'frontmatter' | 'loose-frontmatter' | 'json' | 'toml' | 'program' | 'hook-program';

/** A new hook of a format, as `hookline new` writes it: it denies a force push and has no opinion on anything else. */
export interface Scaffold {
  readonly files: readonly ScaffoldFile[];
  /** The path of its test, next to the hook. Trust in a folder covers every file in it, so the test of such a hook is next to the folder. */
  readonly test: string;
  /** Its program imports `hookline/hook`, so an editor needs the types. */
  readonly isTyped?: true;
  /** The name that the format has for the tool that runs commands. */
  readonly tool: string;
}

/** Below the project, or below the home with `~/`. A text that starts with `#!` is a program. */
export interface ScaffoldFile {
  readonly path: string;
  readonly text: string;
  /** The part of the text that is added if the file exists, because hooks of others are in it. */
  readonly entry?: SharedEntry;
  /** Other paths of the same script, because its name is that of the event and another hook may have it. The first one that is free is taken. */
  readonly elsewhere?: readonly string[];
}

/** A value at a path of keys in JSON: with `item`, an item of the list there. Or a table at the end of a TOML file, in the list `list`. */
export type SharedEntry =
  | { readonly path: readonly string[]; readonly item: Json }
  | { readonly path: readonly string[]; readonly value: Json }
  | { readonly list: string; readonly table: string };

/**
 * Returns the files of a hook of this name.
 * @param schema returns the path of the format's JSON Schema as seen from a file, for formats whose files can name it
 */
export type WriteScaffold = (name: string, schema: (from: string) => string) => Scaffold;

/** Where the format's document is silent or surprises. Each quirk has a test of the same id; `agents/<id>/quirks.ts` lists them for the docs. */
export interface Quirk {
  readonly id: string;
  readonly behaviour: string;
}

/** Turns one file into hooks. Never throws. A part that cannot be read becomes a diagnostic, and the rest still loads. */
export type LoadFile = (document: Document, context: LoadContext) => Loaded;

/** Everything that a loader may know besides the document. It is handed in, so that loaders stay pure. */
export interface LoadContext {
  readonly scope: Scope;
  /** The folder of the file, absolute; for a plugin, its root. */
  readonly folder: string;
  /** The last part of that folder's path: `gate` in `hooks/gate/HOOK.md`. */
  readonly folderName: string;
  /** Prefix of every hook's id: the dialect, and the file relative to its root. */
  readonly idPrefix: string;
  /** Types of Hookline's own handlers that files of every format may name; absent: none. */
  readonly ownTypes?: ReadonlySet<string>;
  /** Returns the problem of a pattern; undefined if it can be used. */
  checkPattern(source: string, flags?: string): string | undefined;
  /** Parses another file below `folder`; undefined if there is none. A path out of the folder is an error. */
  read(relative: string, format: Format): Document | undefined;
  /** Returns the MCP server of this name, as the agent's own files define it; absent: no files are searched. */
  toolServer?(name: string): FoundServer | undefined;
  /** Describes the file or folder at a path below `folder`; undefined if there is none. */
  stat(relative: string): FileFact | undefined;
}

export interface FileFact {
  readonly kind: 'file' | 'folder';
  readonly executable: boolean;
}

export interface Loaded {
  readonly hooks: readonly Hook[];
  readonly diagnostics: readonly Diagnostic[];
  /** Settings in the file that disable hooks, here and in other files. */
  readonly switches?: readonly Switch[];
}

export interface Wire {
  /** The key of a payload that holds the event's name; null if a payload does not name its event. */
  readonly eventKey: string | null;
  /** Encodes the event in this dialect's format, as a hook of this native event reads it. */
  encodeEvent(event: HookEvent, nativeEvent: string): JsonObject;
  /** Decodes a native payload. Never throws: unknown keys are kept under `metadata`, values of a wrong type are left out. */
  decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent;
  /** Decodes the JSON that a script printed or a server returned for this event. A string is the problem with it. */
  decodeReply(value: Json, nativeEvent: string, event: HookEvent): Verdict | string;
  /** Decodes the value that a function returned for this event. A string is the problem with it. */
  decodeValue(value: unknown, nativeEvent: string, event: HookEvent): Verdict | string;
  /**
   * Encodes a verdict as the JSON that a script would print; undefined if only an exit code can express it. Some parts need the `event`, such
   * as an input that is merged into the old one: without the event they cannot be encoded.
   */
  encodeReply(verdict: Verdict, nativeEvent: string, event?: HookEvent): Json | undefined;
  /** The keys of a reply. A reply without any of them, but with keys of another format, is reported. Absent: nothing is compared. */
  readonly replyKeys?: readonly string[];
  /** Whether output that is not JSON may contain a reply. Absent: any output with a brace may. */
  mayReply?(text: string): boolean;
  /** Returns the part of a script's output that is its reply. Absent: the whole output. */
  answerIn?(output: string): string;
}

export interface DecodedEvent {
  readonly kind: EventKind;
  readonly data: JsonObject;
  readonly session?: string;
  readonly cwd?: string;
  /** ISO 8601. */
  readonly at?: string;
}

/**
 * The form that tells which of two formats an entry of a shared file belongs to.
 * `groups`: under a PascalCase key a list of `{matcher, hooks}` groups, or a single group, handler or text in its place.
 * `rest`: everything else under `hooks`.
 */
export type EntryForm = 'groups' | 'rest';

/**
 * Returns the document with the entries of this form only. Every entry under `hooks` has exactly one form. The rest of the document belongs to
 * `groups`, so for `rest` the result is undefined if there are no such entries.
 */
export function entriesOfForm(document: Document, form: EntryForm): Document | undefined {
  const { root } = document;
  const hooks = fieldOf(root, 'hooks');
  if (root?.kind !== 'map' || hooks?.kind !== 'map') return form === 'groups' ? document : undefined;
  const mine = hooks.entries.filter((entry) => (isGroups(entry) ? 'groups' : 'rest') === form);
  if (mine.length === 0 && form === 'rest') return undefined;
  const entries = root.entries.map((entry) => (entry.key === 'hooks' ? { ...entry, value: { ...hooks, entries: mine } } : entry));
  return { ...document, root: { ...root, entries } };
}

function isGroups({ key, value }: Entry): boolean {
  // A second `hooks` around all entries.
  if (key === 'hooks') return value.kind === 'map';
  if (!/^[A-Z]/.test(key)) return false;
  if (value.kind === 'list') return value.items.some(isGroup);
  return isGroup(value) || isHandler(value) || (value.kind === 'scalar' && typeof value.value === 'string');
}

function isHandler(node: Node): boolean {
  return fieldOf(node, 'type')?.kind === 'scalar' && entryOf(node, 'command') !== undefined;
}

function isGroup(node: Node): boolean {
  return entryOf(node, 'hooks') !== undefined;
}
