/**
 * A host: an agent that calls Hookline as its hook. It is a dialect read backwards: Hookline receives the payloads of the host's own hooks, and
 * answers in their format. So a host adds only the facts that a dialect does not have: where its entries are, which event a payload is, and
 * how the agent is recognised.
 */

import type { JsonObject } from '../values/json.ts';
import type { Dialect } from './dialect.ts';
import type { FileReading } from './file-reading.ts';
import type { HostLimits } from './host-limits.ts';

export interface Host {
  /** The same as its dialect's. */
  readonly id: string;
  readonly title: string;
  readonly dialect: Dialect;
  /**
   * Returns the native events that a payload stands for: one for most, several where the host fires one event for what others tell apart. A
   * string says why the event cannot be told. `asked` is the event that the installed entry names, for hosts whose payload does not name it.
   */
  eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string;
  /** The key of a payload that holds the event's name. */
  readonly eventKey: string | null;
  /** Keys of the payload and environment variables that show that this host calls. A key weighs more, because a child inherits variables. */
  readonly identifiedBy: { readonly payload: readonly string[]; readonly env: readonly string[] };
  /** Variables that only this host sets for the processes it starts: a command that has one was not started by a person. */
  readonly markers: readonly string[];
  /** The variable in which it names the project to its hooks. */
  readonly projectVariable: string | null;
  /** Events on which an `ask` reaches a person. On all others an `ask` becomes a deny. */
  readonly asksPeople: readonly string[];
  /** Returns how long it waits for an answer before it continues as if no hook had objected. Null: it waits for ever, or blocks then. */
  readonly timeoutMs: ((event: string) => number) | null;
  /**
   * A deny is sent by the exit code and stderr if the event has a code that denies, and not as JSON. Hosts that parse stdout as a whole lose
   * the JSON if a start-up file of the shell prints anything before it.
   */
  readonly deniesByExit: boolean;
  /** Fields that its file must have before the host reads the rest. An installation writes them if they are missing. */
  readonly fileHead: Readonly<Record<string, unknown>> | null;
  /** Files of other hosts that it reads in addition to its own. */
  readonly alsoReads: readonly ForeignFiles[];
  readonly entry: HostEntry;
  /** The calls that its hooks never see, and whether it runs Hookline's entry. Only the doctor asks, so it is loaded on demand. */
  limits(): Promise<HostLimits>;
}

/** The files of another host, by its id and scope. */
export interface ForeignFiles {
  readonly host: string;
  readonly scopes: readonly ('user' | 'project')[];
}

/** A product that Hookline recognises but does not answer as a host. */
export interface OtherProduct {
  readonly id: string;
  readonly title: string;
  /** The folder in the home or the project that shows that it is used; null if none is known. */
  readonly folder: string | null;
  readonly eventKey: string | null;
  readonly markers: readonly string[];
  readonly projectVariable: string | null;
  readonly alsoReads: readonly ForeignFiles[];
}

/** How Hookline gets into the host's own configuration. */
export interface HostEntry {
  /** Below the home, and below the project; undefined if the host has none of the kind. */
  readonly files: { readonly user?: string; readonly project?: string };
  /** How the host parses these files. Null: each is a program, and nothing in it is parsed. */
  readonly reads: FileReading | null;
  /** Folders of the home that show that the host is used on this machine. */
  readonly traces: readonly string[];
  /** A variable of the host that moves this folder of the home. */
  readonly movedBy?: { readonly variable: string; readonly holds: string };
  /** The events an installation covers, by native name. */
  readonly events: readonly string[];
  /** How the host calls a loopback address itself; false if it cannot, or must not. */
  readonly http: false | HostHttp;
  /** Why it must not, although it can. */
  readonly whyNoHttp?: string;
  /** Returns the entry for an event: a value and its path of keys. `command` is quoted for a shell. */
  entry(event: string, command: string): { readonly path: readonly string[]; readonly value: unknown };
}

/** A host that sends requests itself. Nearly all of them take a missing answer for consent. */
export interface HostHttp {
  /** Whether Hookline's entry for this event makes the host block while no server answers. */
  blocksWhenDead(event: string): boolean;
  /** Events for which it asks no address, whatever its file says. */
  readonly never?: readonly string[];
}
