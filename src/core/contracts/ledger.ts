/**
 * How a store records and seals its own changes. Each change to a ticket or a grant, and each pruning, is an entry of the log, written in the
 * transaction of the change: neither exists without the other. The seal shows whether the newest entries were removed.
 */
import type { Hash } from '../values/digest.ts';
import type { ActKind, Anchor, LogEntry, LogRecord, Pruning } from './decision-record.ts';
import type { Grant, GrantUse } from './grant.ts';
import type { TicketRecord } from './store.ts';
import type { Who } from './who.ts';

export interface Ledger {
  readonly hash: Hash;
  /** Returns the entry of a change. Its id is the same in every process, so that the entry of a ticket or grant can be looked up. */
  entryOf(change: Change): LogRecord;
  /** Whether an entry of the log is the one that this ticket's approval wrote: same ticket, digest, edit and life. */
  proves(entry: LogEntry, ticket: TicketRecord): boolean;
  /** Null: the store does not seal its head. */
  readonly seal: Seal | null;
}

export type Change =
  | {
      readonly kind: TicketAct;
      readonly at: number;
      readonly ticket: TicketRecord;
      /** The account that settles, if it is not the one of this process. */
      readonly who?: Who | undefined;
    }
  | { readonly kind: 'grant.given' | 'grant.revoked'; readonly at: number; readonly grant: Grant }
  | { readonly kind: 'grant.used'; readonly at: number; readonly grant: Grant; readonly use: GrantUse }
  | { readonly kind: 'log.pruned'; readonly pruned: Pruned; readonly pruning: Pruning };

export type TicketAct = Extract<ActKind, `ticket.${string}`>;

/** A range of entries that was removed from the beginning of the log. */
export interface Pruned {
  readonly first: Anchor;
  readonly last: Anchor;
  readonly count: number;
  readonly before: number;
}

/** Proves that the head of the log is the one this user's processes wrote. */
export interface Seal {
  /** Names the key: the id of the state folder that holds it. */
  readonly origin: string;
  /** Returns the authentication code of a head. */
  of(head: Anchor): string;
}

/** The head of the log, with the code of the one who appended last. */
export interface SealedHead extends Anchor {
  readonly seal: string | null;
  readonly origin: string | null;
}

/** Returns the id of the entry of a ticket's change. A ticket is opened, settled and released at most once. */
export function ticketEntryId(ticket: string, kind: TicketAct): string {
  return `${ticket}.${kind === 'ticket.opened' ? 'opened' : kind === 'ticket.released' ? 'released' : 'settled'}`;
}
