/** A dialect: a config format with its profile (what it means, as data) and its wire (how it is written). */
import type { Verdict } from './decision.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Document } from './document.ts';
import type { EventKind, HookEvent } from './event.ts';
import type { Hook, Scope } from './hook.ts';
import type { Json, JsonObject } from './json.ts';
import type { Profile } from './profile.ts';

export interface Dialect {
  readonly id: string;
  readonly title: string;
  readonly profile: Profile;
  readonly wire: Wire;
  /** Other names its events go by, where they are fired by name. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The places its document names, and how the files there are written. */
  readonly reads: readonly PlaceClaim[];
  /** Turns one file into hooks. Never throws; what it can't read is a diagnostic, and the rest still loads. */
  load(document: Document, context: LoadContext): Loaded;
  /** Where the document is silent or the format surprises: shown in the docs, each with a test of the same id. */
  readonly quirks: readonly Quirk[];
}

/** A named place where hook files are found; the list with paths is `config/places.ts`. */
export type PlaceId =
  | 'skills'
  | 'named-skills'
  | 'claude-settings'
  | 'claude-skills'
  | 'claude-agents'
  | 'claude-plugins'
  | 'root-plugin'
  | 'agents-hooks'
  | 'toml-hooks'
  | 'named-hooks-md'
  | 'named-hooks-toml'
  | 'plugins'
  | 'named-plugins';

export type Format = 'frontmatter' | 'json' | 'toml';

export interface PlaceClaim {
  readonly place: PlaceId;
  readonly format: Format;
}

export interface Quirk {
  readonly id: string;
  readonly behaviour: string;
}

/** What a loader may ask of the world: all of it handed in, so that loaders stay pure. */
export interface LoadContext {
  readonly scope: Scope;
  /** The folder the file stands in, absolute. For a plugin: its root. */
  readonly folder: string;
  /** The name that folder goes by (`gate` in `.agents/hooks/gate/HOOK.md`). */
  readonly folderName: string;
  /** Prefix of every hook's id: dialect and the file as seen from its root. */
  readonly idPrefix: string;
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
}

export interface Wire {
  /** The event in this dialect's words, as the hook of this native event would read it. */
  encodeEvent(event: HookEvent, nativeEvent: string): JsonObject;
  /** A native payload as a canonical event. Never throws: unknown keys are kept under `metadata`, nonsense is left out. */
  decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent;
  /** The meaning of the JSON a script printed or a server answered to this event. A string says what is wrong with it. */
  decodeReply(value: Json, nativeEvent: string, event: HookEvent): Verdict | string;
  /** The meaning of what a function returned for this event. A string says what is wrong with it. */
  decodeValue(value: unknown, nativeEvent: string, event: HookEvent): Verdict | string;
  /** The JSON a script would print to say this; undefined if only exit codes can say it. */
  encodeReply(verdict: Verdict, nativeEvent: string): Json | undefined;
}

export interface DecodedEvent {
  readonly kind: EventKind;
  readonly data: JsonObject;
  readonly session?: string;
  readonly cwd?: string;
  /** ISO 8601. */
  readonly at?: string;
}
