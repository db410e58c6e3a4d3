/** What every part of the engine works with: the ports, the settings and the dialects by name. */
import type { Dialect } from '../core/contracts/dialect.ts';
import type { Call, Handler, Limits, Permits, Vouched } from '../core/contracts/handler.ts';
import type { Hook, TrustState } from '../core/contracts/hook.ts';
import type { Host } from '../core/contracts/host.ts';
import type { Nesting } from '../core/contracts/nesting.ts';
import type { Store, TicketRecord } from '../core/contracts/store.ts';
import type { Fault, Reply } from '../core/decision/reply.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Hash } from '../core/values/digest.ts';
import type { Environment } from '../core/values/environment.ts';
import type { OnceMemory } from './ask/once.ts';

export interface EngineContext {
  readonly ports: Ports;
  readonly settings: EngineSettings;
  readonly dialects: ReadonlyMap<string, Dialect>;
  /** The marks of the hooks above this process; undefined if there are none. */
  readonly ancestors: ReadonlySet<string> | undefined;
  /** Which hooks have answered that want to be asked once. */
  readonly once: OnceMemory;
}

/** What the engine needs from outside: all knowledge of dialects, transports, time and trust is handed in here. */

export interface Ports {
  /** In the order of their lanes. */
  readonly dialects: readonly Dialect[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly clock: Clock;
  newId(): string;
  readonly hash: Hash;
  /** What stands for a hook in the environment of all it starts; the same in every process of this user. */
  ancestorMark(hookId: string): string;
  /** Whether a hook may run in this folder: trust and audit. A yes, and a no of the audit, are remembered as long as the set lives. */
  admit(hook: Hook, cwd: string): Admission | Promise<Admission>;
  /** Whether this is said for the first time in a session (default: yes). */
  readonly isFirstTime?: OncePerSession;
  /** Which hooks were asked that want to be asked once in a session (default: known for as long as the engine lives). */
  readonly once?: OnceMemory;
  readonly background: Background;
  /** Opened when something is held or settled. */
  store(): Promise<Store>;
  /** Told after it is stored: that somebody is waited for, or no longer. */
  notify(type: 'ticket.opened' | 'ticket.settled', ticket: TicketRecord): void;
}

/** Returns true the first time that something is reported in a session. */
export type OncePerSession = (session: string, what: string) => boolean;

/** Returns whether the entry in the caller's own files answers for a call that came by another entry. */
export type AnsweredElsewhere = (call: EntryCall) => Promise<boolean>;

/** A call, as far as it shows by which entry it came. */
export interface EntryCall {
  readonly host: Host;
  /** The host for which the entry was written. */
  readonly entry: Host;
  /** Native name. */
  readonly event: string;
  readonly session: string;
}

/** How one event is judged. */
export interface FireOptions {
  /** Ends the hooks that still run; the action is then denied. */
  readonly signal?: AbortSignal | undefined;
  /** The environment that hooks see; undefined: that of this process. */
  readonly environment?: Environment | undefined;
  /** Dialects whose hooks are not asked, because the caller runs them itself. Functions are asked in any case: they are the engine's own. */
  readonly skipDialects?: readonly string[] | undefined;
  /** The caller asks people itself: an `ask` stays one. */
  readonly callerAsksPeople?: boolean | undefined;
}

export interface Clock {
  /** ISO 8601, now. */
  iso(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  tick(): number;
}

export type Admission = Admitted | NotAdmitted;

export interface Admitted {
  readonly admitted: true;
  readonly trust?: TrustState;
  readonly vouched?: Vouched;
  /** It is trusted by the bytes of its files: asked again at every run, right before the start. */
  readonly again?: (cwd: string) => Admission;
}

export interface NotAdmitted {
  readonly admitted: false;
  readonly cause: Exclude<TrustState, 'trusted'> | 'audit' | 'disabled';
  /** The same in words, for the outcome. */
  readonly skipReason: string;
  /** What to do about it. */
  readonly fix: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly trust?: TrustState;
  /** Said once in a session. */
  readonly once?: Diagnostic;
}

export const ADMITTED: Admitted = { admitted: true };

/** Where detached hooks go: they keep their timeout, and their answer is only noted. */
export interface Background {
  start(call: Call, handler: Handler): void;
  /** Waits for what was started, at most `deadlineMs`; names what never settled. */
  drain(deadlineMs: number): Promise<readonly string[]>;
}

/** How a detached hook ended. */
export interface DetachedEnd {
  readonly hook: Hook;
  readonly answer: Reply | Fault;
  readonly ms: number;
}

export interface EngineSettings {
  /** Every fault on a gating event denies. */
  readonly strict: boolean;
  readonly limits: Limits;
  /** What hooks may see of this process and reach from it. */
  readonly permits: Permits;
  /** The hooks above this process. */
  readonly nesting: Nesting;
  /** Whether context from hooks that come with a project is put in a frame that names them. */
  readonly markContext: boolean;
  /** How often in a row a hook may send the agent back to work. */
  readonly stopCap: number;
  /** The project: part of what an approval is bound to. */
  readonly root: string;
  /** How long a held action may wait. */
  readonly ticketLifeMs: number;
  /** Whether somebody can settle a ticket of this engine: without, an `ask` can only be a deny. */
  readonly canSettle: boolean;
}
