/**
 * How a store records and seals its own changes. Each change to a ticket or a grant, and each pruning, is an entry of the log, written in the
 * transaction of the change: neither exists without the other. The seal shows whether the newest entries were removed.
 */

import type { TicketRecord } from '../contracts/store.ts';
import type { Hash } from '../values/digest.ts';
import { type ActKind, type Anchor, isAsWritten, type LogEntry, type LogRecord, type Pruning } from './decision-record.ts';
import type { Grant, GrantUse } from './grant.ts';
import type { Actor, Who } from './who.ts';

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
  | { readonly kind: 'grant.given'; readonly at: number; readonly grant: Grant }
  | { readonly kind: 'grant.revoked'; readonly at: number; readonly grant: Grant; readonly actor: Actor }
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
  /** Returns the authentication code of a head. `count`: how many entries lead to it at once (default: one). */
  of(head: Anchor, count?: number): string;
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

/** Returns the id of the entry of a grant's change. A grant is given and revoked at most once, and each use has a number. */
export function grantEntryId({ id, uses }: Pick<Grant, 'id' | 'uses'>, kind: 'grant.given' | 'grant.used' | 'grant.revoked'): string {
  return `${id}.${kind.slice('grant.'.length)}${kind === 'grant.used' ? `.${uses}` : ''}`;
}

/**
 * Whether the log proves that a person gave this grant and did not revoke it, so that a row that was made or changed by another way permits
 * nothing.
 */
export function isProvenGrant(ledger: Ledger, grant: Grant, given: LogEntry | undefined, revoked: LogEntry | undefined): boolean {
  if (given?.kind !== 'grant.given' || revoked) return false;
  const fresh: Grant = { ...grant, revokedAt: null, revokedBy: null, uses: 0, usedAt: null };
  const expected = ledger.entryOf({ kind: 'grant.given', at: grant.at, grant: fresh });
  return isAsWritten(given, ledger.hash) && given.id === expected.id && given.digests.event === expected.digests.event;
}
