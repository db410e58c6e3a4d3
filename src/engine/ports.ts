/** The context that every stage of the engine shares: the ports to the outside, the settings, and the dialects by name. */
import type { Dialect } from '../core/contracts/dialect.ts';
import type { Call, Handler, Limits, Permits, Vouched } from '../core/contracts/handler.ts';
import type { Hook, TrustState } from '../core/contracts/hook.ts';
import type { Host } from '../core/contracts/host.ts';
import type { Nesting } from '../core/contracts/nesting.ts';
import type { Store, TicketRecord } from '../core/contracts/store.ts';
import type { Fault, Reply } from '../core/decision/reply.ts';
import type { HookEvent } from '../core/event/event.ts';
import type { TrailName } from '../core/meaning/profile.ts';
import type { GrantScope } from '../core/record/grant.ts';
import type { Caller, Who } from '../core/record/who.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Hash } from '../core/values/digest.ts';
import type { Environment } from '../core/values/environment.ts';
import type { JsonObject } from '../core/values/json.ts';
import type { OnceMemory } from './ask/once.ts';

export interface EngineContext {
  readonly ports: Ports;
  readonly settings: EngineSettings;
  readonly dialects: ReadonlyMap<string, Dialect>;
  /** The marks of the hooks above this process; undefined if there are none. */
  readonly ancestors: ReadonlySet<string> | undefined;
  /** The hooks that have answered in a session and ask to run only once in it. */
  readonly once: OnceMemory;
  /** Aborts when the engine ends the hooks that still run. */
  readonly closing: AbortSignal;
}

/** Everything the engine needs from outside. All knowledge of dialects, transports, time and trust is handed in here. */
export interface Ports {
  /** In the order of their lanes. */
  readonly dialects: readonly Dialect[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly clock: Clock;
  newId(): string;
  readonly hash: Hash;
  /** Returns the mark of a hook for the environment of its processes. It is the same in every process of this user. */
  ancestorMark(hookId: string): string;
  /** Whether trust and audit let a hook run in this folder. An admission, and a rejection by the audit, are kept as long as the set lives. */
  admit(hook: Hook, cwd: string): Admission | Promise<Admission>;
  /** Whether this is a folder that a process can start in (default: yes). */
  isFolder?(path: string): boolean;
  /** Whether something is reported for the first time in a session (default: yes). */
  readonly isFirstTime?: OncePerSession;
  /** The hooks that were asked and ask to run only once in a session (default: kept as long as the engine lives). */
  readonly once?: OnceMemory;
  /** How often the agent was sent back to work in each session (default: kept as long as the engine lives). */
  readonly stopCounts?: StopCounts;
  /** The events of each session that numbers in payloads follow from (default: none is known). */
  readonly trails?: Readonly<Record<TrailName, SessionTrail>>;
  readonly background: Background;
  /** Opens the store when an action is held or settled. */
  store(): Promise<Store>;
  /** Returns whose action or act it is, once the store is open (default: unknown). */
  who?(caller?: Caller | undefined): Who | undefined;
  /** Notifies people, after the ticket is stored, that an action waits for them or no longer does. */
  notify(type: 'ticket.opened' | 'ticket.settled', ticket: TicketRecord): void;
  /** Whether an action is in the scope of a grant (default: no). */
  inScope?(scope: GrantScope, event: HookEvent): boolean | Promise<boolean>;
  /** Reports the pause that is in force at a tick of the clock, if there is one. */
  readonly paused?: (now: number) => Diagnostic | undefined;
}

/** How often the agent was sent back in a session, and with which words. Most hosts start a process for each event, so it outlives a process. */
/** The events of a session, as far as they count: each with its time in milliseconds. */
export interface SessionTrail {
  add(session: string, step: TrailStep): void;
  /** In the order in which they were added. */
  of(session: string): readonly TrailStep[];
}

export interface TrailStep {
  /** `call`: an agent calls a tool that starts a subagent, which the host tells of later. */
  readonly what: 'start' | 'prompt' | 'tool' | 'call' | 'subagent';
  readonly at: number;
  /** The id of the subagent, its name, and the session or the subagent that starts it. */
  readonly id?: string;
  readonly name?: string;
  readonly by?: string;
}

export interface StopCounts {
  get(session: string): number;
  /** Returns why it cannot be kept as long as it should, or undefined if it is kept. */
  raise(session: string, to: number, feedback: string): string | undefined;
  /** Whether the agent was sent back with these words. */
  has(session: string, feedback: string): boolean;
  clear(session: string): void;
}

/** Returns true the first time that something is reported in a session. */
export type OncePerSession = (session: string, what: string) => boolean;

/** Returns whether the entry in the caller's own files answers for a call that came by another entry. */
export type AnsweredElsewhere = (call: EntryCall) => Promise<boolean>;

/**
 * Returns whether a person is there to answer an `ask` of this call.
 * @param parent the process that started the hook; undefined if it is unknown
 */
export type IsAttended = (
  host: Pick<Host, 'attendance' | 'signs'>,
  payload: JsonObject,
  environment: Environment,
  parent: number | undefined,
) => boolean;

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
/** Whether the caller is still there. */
export interface CallerPresence {
  readonly isGone: boolean;
  /** Aborts when the caller is gone; its hooks then end. */
  readonly signal: AbortSignal;
}

export interface FireOptions {
  /** Ends the hooks that still run; the action is then denied. */
  readonly signal?: AbortSignal | undefined;
  /** The environment that hooks see; undefined: that of this process. */
  readonly environment?: Environment | undefined;
  /** Dialects whose hooks are not asked, because the caller runs them itself. Functions are always asked, because they belong to the engine. */
  readonly skipDialects?: readonly string[] | undefined;
  /** Whether the caller asks a person itself, so that an `ask` stays an `ask`. Called only if a hook asks, because it may take a while. */
  readonly callerAsksPeople?: (() => boolean) | undefined;
  /** The caller works on if a stop is denied (default: yes). If not, the stop cap has nothing to count. */
  readonly callerGoesOn?: boolean | undefined;
  /** A person has paused the hooks that are not managed. The outcome says so. */
  readonly paused?: Diagnostic | undefined;
}

export interface Clock {
  /** ISO 8601, now. `tick`: that of now, if the caller has just looked. */
  iso(tick?: number): string;
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
  /** The folder in which it is trusted, if it must run there because in the working directory of the session it would run other files. */
  readonly runsIn?: string;
  /** Checks again, right before each run, a hook that is trusted by the bytes of its files. */
  readonly again?: (cwd: string) => Admission;
  /** Returns which of these files changed since, as a clause. It is called when the hook has ended. */
  readonly changedSince?: () => string | undefined;
}

export interface NotAdmitted {
  readonly admitted: false;
  readonly cause: Exclude<TrustState, 'trusted'> | 'audit' | 'disabled';
  /** The reason that the outcome reports. */
  readonly skipReason: string;
  /** How to fix it. */
  readonly fix: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly trust?: TrustState;
  /** Reported once in a session. */
  readonly once?: Diagnostic;
  /** The event is denied if the hook gates it, because a person relies on the hook. */
  readonly denies?: boolean;
}

export const ADMITTED: Admitted = { admitted: true };

/** Runs detached hooks. They keep their timeout, and their reply is only logged. */
export interface Background {
  start(call: Call, handler: Handler): void;
  /** Waits for the hooks that were started, at most `deadlineMs`. Returns the names of those that never settled. */
  drain(deadlineMs: number): Promise<readonly string[]>;
}

/** How an engine is closed: how long it waits for the hooks that run, and whether it then ends them or waits until their own timeouts. */
export interface CloseOptions {
  readonly deadlineMs?: number;
  readonly running?: 'end' | 'wait';
}

/** How a detached hook ended. */
export interface DetachedEnd {
  readonly hook: Hook;
  readonly answer: Reply | Fault;
  readonly ms: number;
}

export interface EngineSettings {
  /** Every hook that is neither managed nor required is in shadow. */
  readonly shadow: boolean;
  /** Every fault on a gating event denies. */
  readonly strict: boolean;
  readonly limits: Limits;
  /** The parts of this process that hooks may see, and the addresses that they may reach. */
  readonly permits: Permits;
  /** The hooks above this process. */
  readonly nesting: Nesting;
  /** Whether context from hooks that come with a project is wrapped in a frame that names them. */
  readonly markContext: boolean;
  /** How often in a row a hook may send the agent back to work. */
  readonly stopCap: number;
  /** The project. Approvals are bound to it. */
  readonly root: string;
  /** How long a held action may wait. */
  readonly ticketLifeMs: number;
  /** Whether an action that a person denied is denied again, without a new ticket, until its ticket's life is over. */
  readonly denials: 'remember' | 'forget';
  /** Whether a person can settle a ticket of this engine. If not, an `ask` becomes a deny. */
  readonly canSettle: boolean;
}
