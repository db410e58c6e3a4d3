/**
 * A host: an agent product that fires its hooks at us. It is a dialect read backwards: what its own hooks would be shown is what arrives
 * here, and what its own hooks would print is how it is answered. So a host adds only what a dialect does not know: where its entries
 * stand, which of its payloads is which event, and what becomes of an answer that it has no words for.
 */

import type { JsonObject } from '../values/json.ts';
import type { Dialect } from './dialect.ts';
import type { HostLimits } from './host-limits.ts';

export interface Host {
  /** The same as its dialect's. */
  readonly id: string;
  readonly title: string;
  readonly speaks: Dialect;
  /**
   * Which native events a payload stands for: one for most, several where the host fires one event for what others tell apart. A string says
   * why it can't be told. `asked` is the event that the installed entry names, where the host does not put it into the payload.
   */
  eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string;
  /** What an answer becomes that the host can't carry out on an event; each is said, none is dropped silently. */
  readonly degrade: Degrade;
  /** How long it waits for an answer to an event before it goes on as if nobody had objected; absent: it waits, or blocks then. */
  waitsMs?(event: string): number;
  /**
   * A deny is said by the exit code and stderr, where the event has a code that denies, and not as JSON: that is lost to hosts that read
   * stdout as a whole, once a start-up file of the shell prints a word before us.
   */
  readonly deniesByExit?: boolean;
  /** Where it shows that a process was started by this host. */
  readonly signs: { readonly env?: readonly string[]; readonly payload?: readonly string[] };
  readonly entry: HostEntry;
  /** What its hooks never see, and whether it runs our entry: asked by the doctor, and loaded only then. */
  limits(): Promise<HostLimits>;
}

export interface Degrade {
  /** Nobody can be asked there: `deny` says so in the reason. */
  readonly ask: 'deny' | 'pass-to-host';
  /** A rewrite that can't be carried out means that something else would run than was judged. */
  readonly rewrite: 'deny';
  /** Text the host has no place for. */
  readonly context: 'say';
  readonly notice: 'say';
}

/** How Hookline gets into the host's own configuration. */
export interface HostEntry {
  /** Below the home, and below the project; undefined if the host has none of the kind. */
  readonly files: { readonly user?: string; readonly project?: string };
  /** A variable of the host's own that moves what stands below this folder of the home. */
  readonly movedBy?: { readonly variable: string; readonly holds: string };
  /** The events an installation covers, by native name. */
  readonly events: readonly string[];
  /** How the host calls a loopback address itself; false if it can't, or must not be made to. */
  readonly http: false | HostHttp;
  /** Why it must not, although it can. */
  readonly whyNoHttp?: string;
  /** What is written into the file: the value to put at a path of keys, one for each event. `command` is quoted for a shell. */
  entry(event: string, command: string): { readonly path: readonly string[]; readonly value: unknown };
}

/** A host that asks an address itself. Nearly all of them take it for consent that nobody answers there. */
export interface HostHttp {
  /** Whether our entry for this event makes the host block as long as nobody answers. */
  blocksWhenDead(event: string): boolean;
  /** Events for which it asks no address, whatever its file says. */
  readonly never?: readonly string[];
}
