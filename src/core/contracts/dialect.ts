/** A dialect: a config format with its profile (what it means, as data) and its wire (how it is written). */
import type { Verdict } from '../decision/decision.ts';
import type { EventKind, HookEvent } from '../event/event.ts';
import type { Profile } from '../meaning/profile.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { type Document, type Entry, entryOf, fieldOf, type Node } from '../values/document.ts';
import type { Json, JsonObject } from '../values/json.ts';
import type { Hook, Scope } from './hook.ts';
import type { Switch } from './switch.ts';

export interface Dialect {
  readonly id: string;
  readonly title: string;
  readonly profile: Profile;
  readonly wire: Wire;
  /** Other names its events go by, where they are fired by name. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Fetches what reads its files. Asked only where there is such a file: most runs meet one format or two, and pay for no other. */
  loader(): Promise<LoadFile>;
}

/** `loose-frontmatter`: where the rest of it is broken, its `hooks:` block still counts. */
export type Format = 'frontmatter' | 'loose-frontmatter' | 'json' | 'toml';

/** Where the format's document is silent or surprises. Each quirk has a test of the same id; `agents/<id>/quirks.ts` lists them for the docs. */
export interface Quirk {
  readonly id: string;
  readonly behaviour: string;
}

/** Turns one file into hooks. Never throws; what it can't read is a diagnostic, and the rest still loads. */
export type LoadFile = (document: Document, context: LoadContext) => Loaded;

/** What a loader may ask of the world: all of it handed in, so that loaders stay pure. */
export interface LoadContext {
  readonly scope: Scope;
  /** The folder the file stands in, absolute. For a plugin: its root. */
  readonly folder: string;
  /** The last part of that folder's path: `gate` in `hooks/gate/HOOK.md`. */
  readonly folderName: string;
  /** Prefix of every hook's id: dialect and the file as seen from its root. */
  readonly idPrefix: string;
  /** Types of Hookline's own handlers that files of every format may name; absent: none. */
  readonly ownTypes?: ReadonlySet<string>;
  /** Says what is wrong with a pattern; undefined if it can be used. */
  checkPattern(source: string, flags?: string): string | undefined;
  /** Another file below `folder`, parsed; undefined if there is none. Refuses to leave the folder. */
  read(relative: string, format: Format): Document | undefined;
  /** What stands at a path below `folder`. */
  stat(relative: string): FileFact | undefined;
}

export interface FileFact {
  readonly kind: 'file' | 'folder';
  readonly executable: boolean;
}

export interface Loaded {
  readonly hooks: readonly Hook[];
  readonly diagnostics: readonly Diagnostic[];
  /** By what else stands in the file hooks are switched off, here and elsewhere. */
  readonly switches?: readonly Switch[];
}

export interface Wire {
  /** The key of a payload that holds the event's name; null if a payload does not name its event. */
  readonly eventKey: string | null;
  /** The event in this dialect's words, as the hook of this native event would read it. */
  encodeEvent(event: HookEvent, nativeEvent: string): JsonObject;
  /** A native payload as a canonical event. Never throws: unknown keys are kept under `metadata`, nonsense is left out. */
  decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent;
  /** The meaning of the JSON a script printed or a server answered to this event. A string says what is wrong with it. */
  decodeReply(value: Json, nativeEvent: string, event: HookEvent): Verdict | string;
  /** The meaning of what a function returned for this event. A string says what is wrong with it. */
  decodeValue(value: unknown, nativeEvent: string, event: HookEvent): Verdict | string;
  /**
   * The JSON a script would print to say this; undefined if only exit codes can say it. Some words depend on the `event` they answer, such as
   * an input that is laid over the old one: without it these can't be said.
   */
  encodeReply(verdict: Verdict, nativeEvent: string, event?: HookEvent): Json | undefined;
  /** The part of what a script printed that is its answer; absent: all of it. */
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

/** Whose an entry of a file is that two formats share: told by the form of its key and value, as a table says it, and by nothing else. */

/**
 * `groups`: under a PascalCase key a list of `{matcher, hooks}` groups, or what is meant for one: a single group, a single handler, a text.
 * `rest`: everything else under `hooks`.
 */
export type EntryForm = 'groups' | 'rest';

/**
 * The document as far as it is of this form. Every entry under `hooks` is of exactly one; all that is no such entry is of the first, so that a
 * document without entries of the second is nothing to it: undefined.
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
  // One wrapper too many around all of it.
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
