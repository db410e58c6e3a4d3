/**
 * A host: an agent that calls Hookline as its hook. It is a dialect read backwards: Hookline receives the payloads of the host's own hooks, and
 * answers in their format. So a host adds only the facts that a dialect does not have: where its entries are, which event a payload is, and
 * how the agent is recognised.
 */

import type { McpSpelling } from '../event/tool-names.ts';
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
  /**
   * The keys of a payload that alone decide which events it stands for, whether others are asked ahead, and which tool they are about. Null: more
   * than that decides. A call that concerned no hook is remembered by their values.
   */
  readonly decidedBy: readonly string[] | null;
  readonly signs: Signs;
  readonly tells: CallerFacts;
  /** Events on which an `ask` reaches a person. On all others an `ask` becomes a deny. */
  readonly asksPeople: readonly string[];
  /** How to find out whether a person is there to answer an `ask`. Null: it asks no person, or always has one. */
  readonly attendance: Attendance | null;
  /** How a command starts it so that it asks no person, or so that its hooks do not run. Null: no command starts it. */
  readonly unleashed: Unleashed | null;
  /** Returns how long it waits for an answer before it continues as if no hook had objected. Null: it waits for ever, or blocks then. */
  readonly timeoutMs: ((event: string) => number) | null;
  /**
   * A deny is sent by the exit code and stderr if the event has a code that denies, and not as JSON. Hosts that parse stdout as a whole lose
   * the JSON if a start-up file of the shell prints anything before it.
   */
  readonly deniesByExit: boolean;
  /** How it spells the tools of MCP servers, as its dialect decodes them. */
  readonly mcpTools: McpSpelling;
  /**
   * Events on which Hookline's entry makes the host take an empty answer for a failure, and deny. There "no opinion" is written out.
   */
  readonly emptyFails: readonly string[];
  /** Events that it cannot deny, each with the earlier event on which the hooks of the first are asked, because that one can be denied. */
  readonly asksAhead: readonly AskedAhead[];
  /** Fields that its file must have before the host reads the rest. An installation writes them if they are missing. */
  readonly fileHead: Readonly<Record<string, unknown>> | null;
  /** Files of other hosts that it reads in addition to its own. */
  readonly alsoReads: readonly ForeignFiles[];
  readonly entry: HostEntry;
  /** The calls that its hooks never see, and whether it runs Hookline's entry. Only the doctor asks, so it is loaded on demand. */
  limits(): Promise<HostLimits>;
}

/**
 * Everything by which a product is recognised. The entry names the host, so signs choose only between hosts that share the entry's file. They
 * also show that no person started a command, and which variable names the project.
 */
export interface Signs {
  /** Keys that only its payloads have. They weigh more than variables, because a child process inherits variables. */
  readonly payload: readonly string[];
  /** Variables that it sets for its hooks. */
  readonly env: readonly string[];
  /** Variables that only this product sets for the processes it starts: a command that has one was not started by a person. */
  readonly markers: readonly string[];
  /** The variable in which it names the project to its hooks. */
  readonly project: string | null;
  /** Names of its programs, and of the packages that hold them: a command below one of these was not started by a person. */
  readonly programs: readonly string[];
  /** Names of an editor that has the agent inside, or folders in the path of one. Below it, a person or the agent may have started a command. */
  readonly editors: readonly string[];
}

/** Where a call says who calls. Keys are those of the payload; of several, the first that is there counts. */
export interface CallerFacts {
  /** The version of the product. `pattern`: the group that holds it, with dashes for dots. Null: it does not say it. */
  readonly version: { readonly key?: string; readonly variable?: string; readonly pattern?: RegExp } | null;
  /** The subagent that acts. */
  readonly agent: readonly string[];
  /** The agent or the call that started this one. */
  readonly parent: readonly string[];
}

/** The agent begins to do something on the event `on`, which it can deny. It tells of it on `event`, when a deny is too late. */
export interface AskedAhead {
  readonly on: string;
  readonly event: string;
  /** A few words for people: the calls of `on` that lead to `event`. */
  readonly calls: string;
  /** Returns the payload of `event` as far as it follows from that of `on`; undefined if this call does not lead to it. */
  payloadOf(payload: JsonObject): JsonObject | undefined;
}

/** The facts that show whether a person is at an agent. The first fact that is found counts, in the order of these fields. */
export interface Attendance {
  readonly nobody: AttendanceSigns & {
    /** Keys of the payload, each with the values that show it. */
    readonly payload: Readonly<Record<string, readonly string[]>>;
  };
  readonly somebody: AttendanceSigns;
  /** A prompt among the words of its command line ends the run with its answer, without a person. */
  readonly promptEnds: boolean;
  /** The descriptors that are a terminal if a person is there. */
  readonly terminals: readonly (0 | 1)[];
  /** If none of this can be seen. `ticket` where a question that no person answers waits for ever or is lost. */
  readonly otherwise: 'ask' | 'ticket';
}

export interface AttendanceSigns {
  /** Variables that the agent sets for its hooks, each with the values that show it. */
  readonly env: Readonly<Record<string, readonly string[]>>;
  /** Options and subcommands of its command line. */
  readonly words: readonly string[];
}

/** The command lines that start an agent without the protection that its user has. A variable that moves its folder counts too, because the hooks are in the folder that it leaves. */
export interface Unleashed {
  /** Options, alone or with their value after a space. `*` in a value stands for any text. */
  readonly words: readonly string[];
  /** Variables, each with the values that switch the protection off. `*` stands for any text. */
  readonly env: Readonly<Record<string, readonly string[]>>;
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
  readonly signs: Signs;
  readonly unleashed: Unleashed | null;
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
