/**
 * A store keeps held actions and the record of decisions. Memory, SQLite and Postgres implement one interface, and one contract suite tests
 * all of them. Times are milliseconds since the epoch and are handed in, because stores have no clock of their own.
 */

import type { HookReport } from '../decision/outcome.ts';
import type { EventKind, HookEvent } from '../event/event.ts';
import type { LogStore } from '../record/decision-record.ts';
import type { GrantStore } from '../record/grant.ts';
import type { Ledger } from '../record/ledger.ts';
import type { Actor, Who } from '../record/who.ts';
import type { Json, JsonObject } from '../values/json.ts';

export interface Store {
  readonly tickets: TicketStore;
  readonly log: LogStore;
  readonly grants: GrantStore;
  /** Null if the store cannot keep work for other processes. The work is then done in this process. */
  readonly queue: Queue | null;
  close(): Promise<void>;
  /** Instead of `close`, for a process that ends at once: leaves to a later process what takes long and can wait. Absent: nothing can. */
  leave?(): Promise<void>;
}

/** A kind of store, as its URL names it. */
export interface StoreKind {
  /** The part that follows the scheme of the URL: nothing, the path of a file, or the address of a server. */
  readonly place: 'nothing' | 'path' | 'server';
  open(url: string, options?: StoreOptions): Promise<Store>;
}

export interface StoreOptions {
  /** How long a call waits for a lock that another process holds, and all calls in a row together. Default: the store's own. */
  readonly lockMs?: number | undefined;
  /** How changes are recorded and sealed. Absent: the store writes no entry of its own accord and seals nothing. */
  readonly ledger?: Ledger | undefined;
}

/** Work that is done even if the process that requested it dies. */
export interface Queue {
  /** `tasks`: the work that this process can do, by name. The queue has connections of its own and outlives the store's. */
  open(tasks: Readonly<Record<string, (payload: Json) => Promise<void>>>): Promise<WorkQueue>;
}

export interface WorkQueue {
  /** Durable when it resolves. With a key, nothing is added while a job of this key waits, runs or has failed for good. */
  add(task: string, payload: Json, options?: { readonly key?: string }): Promise<void>;
  /** Starts to work on the jobs of all processes, as far as this one has their tasks. */
  start(): Promise<void>;
  /** Waits for the jobs that run, then closes the connections. */
  stop(): Promise<void>;
}

/** Only `open` can be left, and only once. An approval releases its action once (`releasedAt`). */
export type TicketState = 'open' | 'approved' | 'denied' | 'expired' | 'withdrawn';
export type SettledState = Exclude<TicketState, 'open'>;

export interface TicketRecord {
  readonly id: string;
  readonly state: TicketState;
  /** The digest of exactly this action of this person on this machine. An approval counts for it and for nothing else. */
  readonly digest: string;
  /** The digest of the action without its user and machine. An approval for anyone counts for it. Tickets of older versions lack it. */
  readonly shared?: string;
  readonly kind: EventKind;
  readonly tool: string | null;
  readonly session: string;
  readonly root: string;
  readonly reason: string;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly settledAt: number | null;
  /** The person who settled it, their note, and the way they used (`cli`, `api`, …). */
  readonly by: string | null;
  readonly note: string | null;
  readonly via: string | null;
  /** The input that the person wants instead. All hooks judge it again. */
  readonly edit: Json | null;
  readonly releasedAt: number | null;
  /** Whose action it is. Tickets of older versions lack it. */
  readonly who?: Who;
  /** The account that settled it, and how it was found out that it is a person; absent while it is open. `by` is the name that was given. */
  readonly settledBy?: Who;
  readonly actor?: Actor;
  /** The approval releases this action of anyone who works on the store. */
  readonly anyone?: true;
  /** The data that the caller gave with its event. No digest covers it, so it is a key to look something up and proves nothing. */
  readonly metadata?: JsonObject;
  readonly action: HeldAction;
}

/** The data needed to show the action and to resume it in another process. */
export interface HeldAction {
  /** The event as the hooks left it: the action that would run. */
  readonly event: HookEvent;
  /** The hooks that want a person. */
  readonly heldBy: readonly HookReport[];
  /** Ids of the hooks that were not asked yet. */
  readonly waiting: readonly string[];
  /** The same hooks, because a hook that is a function has another id in each process. Tickets of older versions lack it. */
  readonly waitingHooks?: readonly HookPlace[];
  /** The verdicts before the hold. */
  readonly reports: readonly HookReport[];
  readonly sum: JsonObject;
}

/** A hook, and where it is written. */
export type HookPlace = Pick<HookReport, 'id' | 'name' | 'dialect' | 'event' | 'source'>;

export type NewTicket = Omit<
  TicketRecord,
  'state' | 'settledAt' | 'by' | 'note' | 'via' | 'edit' | 'releasedAt' | 'settledBy' | 'actor' | 'anyone'
>;

export interface Settling {
  readonly state: Exclude<SettledState, 'expired'>;
  readonly at: number;
  readonly by: string | null;
  readonly note: string | null;
  readonly via: string | null;
  readonly edit: Json | null;
  /** The account that settles, and how that was found out. `by` is the name that was given. */
  readonly who?: Who;
  readonly actor?: Actor;
  /** With `approved`: the approval counts for anyone who takes the same action. */
  readonly anyone?: true;
}

/** Returns what a settlement adds to its ticket. A field that is not given is absent. */
export function settlementOf({ by, note, via, edit, who, actor, anyone }: Settling): TicketSettlement {
  return { by, note, via, edit, ...(who && { settledBy: who }), ...(actor && { actor }), ...(anyone && { anyone }) };
}

/** The part of a ticket that a settlement adds. */
export type TicketSettlement = Pick<TicketRecord, 'by' | 'note' | 'via' | 'edit' | 'settledBy' | 'actor' | 'anyone'>;

export interface TicketFilter {
  readonly state?: TicketState;
  readonly root?: string;
  /** The most tickets to return, oldest first. The next page starts after the last id of this one. */
  readonly limit?: number;
  readonly after?: string;
}

/** Receives a ticket that says it is approved, while the log does not. */
export type OnUnproven = (ticket: TicketRecord) => void;

export interface ReleaseOptions {
  /** The digest of the action without its user and machine. It is looked up if there is no approval for `digest`. */
  readonly shared?: string | undefined;
  /** Told of each approval that the log does not prove. It releases nothing. */
  readonly onUnproven?: OnUnproven | undefined;
}

export interface TicketStore {
  /** Stores it durably before it resolves. If a ticket of the same digest is open and alive at `now`, returns that one and stores nothing. */
  open(ticket: NewTicket, now: number): Promise<{ readonly ticket: TicketRecord; readonly isNew: boolean }>;
  /** As of `now`. A ticket that is open beyond its life reads as `expired` and stays so. */
  get(id: string, now: number): Promise<TicketRecord | undefined>;
  /** Ordered by openedAt, then id. */
  list(filter: TicketFilter, now: number): Promise<readonly TicketRecord[]>;
  /** Returns how many tickets a list of all pages would have. */
  count(filter: Pick<TicketFilter, 'state' | 'root'>, now: number): Promise<number>;
  /** Exactly one caller wins under any race: `won` is true for it alone. Undefined: there is no such ticket. */
  settle(id: string, settling: Settling): Promise<{ readonly ticket: TicketRecord; readonly won: boolean } | undefined>;
  /**
   * Takes an approval by digest, if it is unused and within its life. Exactly one caller receives it. With a ledger, an approval counts only if
   * the log has its entry and no entry of its release.
   */
  release(digest: string, now: number, options?: ReleaseOptions): Promise<TicketRecord | undefined>;
  /** Takes it by id, for the caller that settled it or waits for it. */
  releaseById(id: string, now: number, options?: Pick<ReleaseOptions, 'onUnproven'>): Promise<TicketRecord | undefined>;
  /** Returns the newest ticket of this digest that was denied and whose life is not over. */
  denied(digest: string, now: number): Promise<TicketRecord | undefined>;
  /** Resolves once the ticket is no longer open (also by expiry), or with its current state if the signal aborts. Undefined: no such ticket. */
  waitFor(id: string, now: () => number, signal: AbortSignal): Promise<TicketRecord | undefined>;
}
