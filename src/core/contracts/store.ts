/**
 * Where held actions and the record of decisions are kept. One interface for memory, SQLite and Postgres; what they have in common is
 * proven by one contract suite. Times are milliseconds since the epoch, handed in: stores have no clock of their own.
 */

import type { HookReport } from '../decision/outcome.ts';
import type { EventKind, HookEvent } from '../event/event.ts';
import type { Json, JsonObject } from '../values/json.ts';
import type { LogStore } from './decision-record.ts';

export interface Store {
  readonly tickets: TicketStore;
  readonly log: LogStore;
  /** Null if the store cannot hold work for other processes: then it is done in this one. */
  readonly queue: Queue | null;
  close(): Promise<void>;
}

/** A kind of store, as its URL names it. */
export interface StoreKind {
  /** What follows the scheme of the URL: nothing, the path of a file, or the address of a server. */
  readonly place: 'nothing' | 'path' | 'server';
  open(url: string): Promise<Store>;
}

/** Work that is done even if the process that asks for it dies. */
export interface Queue {
  /** `tasks`: what this process can do, by name. The queue has connections of its own and outlives the store's. */
  open(tasks: Readonly<Record<string, (payload: Json) => Promise<void>>>): Promise<WorkQueue>;
}

export interface WorkQueue {
  /** Durable when it resolves. With a key: nothing is added while a job of this key waits, runs or has failed for good. */
  add(task: string, payload: Json, options?: { readonly key?: string }): Promise<void>;
  /** Starts to work on jobs of all processes, as far as this one has their tasks. */
  start(): Promise<void>;
  /** Waits for the jobs that run, then closes the connections. */
  stop(): Promise<void>;
}

/** `open` is the only state that can be left, once. An approval releases its action once (`releasedAt`). */
export type TicketState = 'open' | 'approved' | 'denied' | 'expired' | 'withdrawn';
export type SettledState = Exclude<TicketState, 'open'>;

export interface TicketRecord {
  readonly id: string;
  readonly state: TicketState;
  /** Of exactly what would run: an approval counts for this and nothing else. */
  readonly digest: string;
  readonly kind: EventKind;
  readonly tool: string | null;
  readonly session: string;
  readonly root: string;
  readonly reason: string;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly settledAt: number | null;
  /** Who settled it, what they said, and from where (`cli`, `api`, …). */
  readonly by: string | null;
  readonly note: string | null;
  readonly via: string | null;
  /** The input the person wants instead; it is judged again by all hooks. */
  readonly edit: Json | null;
  readonly releasedAt: number | null;
  readonly action: HeldAction;
}

/** What is needed to show the action, and to go on with it in another process. */
export interface HeldAction {
  /** As the hooks left it: what would run. */
  readonly event: HookEvent;
  /** The hooks that want a person. */
  readonly heldBy: readonly HookReport[];
  /** Ids of the hooks whose turn had not come. */
  readonly waiting: readonly string[];
  /** What was said before it was held. */
  readonly reports: readonly HookReport[];
  readonly sum: JsonObject;
}

export type NewTicket = Omit<TicketRecord, 'state' | 'settledAt' | 'by' | 'note' | 'via' | 'edit' | 'releasedAt'>;

export interface Settling {
  readonly state: Exclude<SettledState, 'expired'>;
  readonly at: number;
  readonly by: string | null;
  readonly note: string | null;
  readonly via: string | null;
  readonly edit: Json | null;
}

export interface TicketFilter {
  readonly state?: TicketState;
  readonly root?: string;
  /** At most this many, oldest first; the next page starts after the last id of this one. */
  readonly limit?: number;
  readonly after?: string;
}

export interface TicketStore {
  /** Stores it durably before it resolves. If one of the same digest is open and alive at `now`, that one is the answer and nothing is stored. */
  open(ticket: NewTicket, now: number): Promise<{ readonly ticket: TicketRecord; readonly isNew: boolean }>;
  /** As of `now`: one that is open beyond its life reads as `expired`, and is so for good. */
  get(id: string, now: number): Promise<TicketRecord | undefined>;
  /** Ordered by openedAt, then id. */
  list(filter: TicketFilter, now: number): Promise<readonly TicketRecord[]>;
  /** One winner under any race: `won` is true for exactly one caller. Undefined: there is no such ticket. */
  settle(id: string, settling: Settling): Promise<{ readonly ticket: TicketRecord; readonly won: boolean } | undefined>;
  /** Takes an approval that was not used yet and is within its life, by digest: given to exactly one caller. */
  release(digest: string, now: number): Promise<TicketRecord | undefined>;
  /** The same by id, for the one who settled it. */
  releaseById(id: string, now: number): Promise<TicketRecord | undefined>;
  /** Resolves once the ticket is no longer open (also by expiry), or with it as it stands when the signal aborts. Undefined: no such ticket. */
  waitFor(id: string, now: () => number, signal: AbortSignal): Promise<TicketRecord | undefined>;
}
