/** The knowledge of one project that the server of MCP shows to an agent. Nothing of it runs a hook, changes trust or settles a held action. */
import type { JsonObject } from '../../core/values/json.ts';

export interface HookDesk {
  /** Every hook, with its source and whether it runs. */
  list(): Promise<object>;
  /** Reads the hook files again, also in a running server of Hookline. */
  reload(): Promise<object>;
  /** Validates hook files and audits what they would run. */
  check(paths: readonly string[]): Promise<object>;
  /** Returns which hooks an event would reach. */
  plan(event: PlannedEvent): Promise<object>;
  /** Explains a decision of this project. */
  why(wanted: { readonly id?: string; readonly lastDeny?: boolean }): Promise<object>;
}

export interface PlannedEvent {
  readonly event: string;
  /** The dialect of the event's name and payload; canonical without one. */
  readonly as?: string;
  readonly tool?: string;
  readonly input?: JsonObject;
  readonly payload?: JsonObject;
}

/** Resources of one kind, each with a key in the address. */
export interface ResourceGroup {
  /** The first part of the address: `hookline://NAME/KEY`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  list(): Promise<readonly ListedResource[]>;
  /** Returns undefined if there is no resource with this key. */
  read(key: string): Promise<ResourceText | undefined>;
}

export interface ListedResource {
  readonly key: string;
  readonly title: string;
  readonly description?: string;
  readonly mimeType: string;
}

export interface ResourceText {
  readonly text: string;
  readonly mimeType: string;
}

/** A format in which hooks are written, as a prompt describes it. */
export interface FormatFacts {
  readonly id: string;
  readonly title: string;
  /** Where a project keeps its hooks. */
  readonly places: readonly string[];
  /** Names of events, each with the canonical kinds that it stands for. */
  readonly events: Readonly<Record<string, readonly string[]>>;
}

export function addressOf(group: string, key: string): string {
  return `hookline://${group}/${encodeURIComponent(key)}`;
}
