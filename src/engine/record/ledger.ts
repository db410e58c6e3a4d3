/**
 * Writes the entries of the changes that a store makes: to tickets, to grants, and to the log itself. Decides whether an entry proves an
 * approval.
 */

import type { TicketRecord } from '../../core/contracts/store.ts';
import { isAsWritten, type LogRecord } from '../../core/record/decision-record.ts';
import { type Change, type Ledger, type Pruned, type Seal, type TicketAct, ticketEntryId } from '../../core/record/ledger.ts';
import type { Who } from '../../core/record/who.ts';
import { digestOf, type Hash } from '../../core/values/digest.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { type Act, actRecord } from './act.ts';
import { grantEntry } from './grant-entry.ts';

export interface LedgerParts {
  readonly hash: Hash;
  /** The account and the machine of this process. */
  who(): Who;
  readonly root: string;
  /** Looked for when the first entry is written, because most processes write none. */
  seal(): Seal | null;
  newId(): string;
  now(): number;
}

export function createLedger(parts: LedgerParts): Ledger {
  const { hash } = parts;
  let seal: Seal | null | undefined;
  return {
    hash,
    get seal() {
      if (seal === undefined) seal = parts.seal();
      return seal;
    },
    entryOf: (change) => ('grant' in change ? grantEntry(change, hash, parts.who()) : actRecord(actOf(change, parts), hash)),
    proves(entry, ticket) {
      if (entry.id !== ticketEntryId(ticket.id, 'ticket.approved') || entry.kind !== 'ticket.approved' || entry.ticket !== ticket.id)
        return false;
      // The digest is of the facts before anything in them was masked.
      const isSame = entry.digests.event === digestOf(settledFacts(ticket, hash), hash);
      return ticket.state === 'approved' && entry.decision === 'allow' && isSame && isAsWritten(entry, hash);
    },
  };
}

function actOf(change: Exclude<Change, { readonly grant: unknown }>, { hash, who, root, newId, now }: LedgerParts): Act {
  if ('ticket' in change)
    return ticketAct(change.kind, change.ticket, change.at, hash, change.who ?? whoOf(change.kind, change.ticket, who));
  const { kind, pruned, pruning } = change;
  const { at = now(), actor, keepDays } = pruning;
  const data = { ...pruned, keepDays: keepDays ?? null } as unknown as JsonObject;
  const says = prunedSentence(pruned, keepDays);
  return { id: newId(), at, kind, allowed: true, says, data, root, who: pruning.who ?? who(), ...(actor && { actor }) };
}

function ticketAct(kind: TicketAct, ticket: TicketRecord, at: number, hash: Hash, who: Who): Act {
  const { id, root, session, tool, reason, actor } = ticket;
  const isSettled = PEOPLE.includes(kind);
  return {
    id: ticketEntryId(id, kind),
    at,
    kind,
    allowed: kind !== 'ticket.denied',
    says: TICKET_SENTENCES[kind](ticket),
    data: isSettled ? settledFacts(ticket, hash) : { ...facts(ticket, hash), why: reason },
    root,
    session,
    tool,
    ticket: id,
    who,
    ...(isSettled && actor && { actor }),
  };
}

/** The acts of people on a ticket. */
const PEOPLE: readonly TicketAct[] = ['ticket.approved', 'ticket.denied', 'ticket.withdrawn'];

/** A ticket is opened by the one whose action it is, and expires for them. The others act for themselves. */
function whoOf(kind: TicketAct, ticket: TicketRecord, who: () => Who): Who {
  return (kind === 'ticket.opened' || kind === 'ticket.expired' ? ticket.who : undefined) ?? who();
}

/** The facts that an approval is bound to. The digest of the held action covers what is resumed. */
function facts({ id, digest, shared, openedAt, expiresAt, action }: TicketRecord, hash: Hash): JsonObject {
  return { ticket: id, digest, shared: shared ?? null, action: digestOf(action, hash), openedAt, expiresAt };
}

function settledFacts(ticket: TicketRecord, hash: Hash): JsonObject {
  const { edit, state, settledAt, by, note, via, anyone = false } = ticket;
  return { ...facts(ticket, hash), state, settledAt, edit: edit === null ? null : digestOf(edit, hash), by, note, via, anyone };
}

const TICKET_SENTENCES: Readonly<Record<TicketAct, (ticket: TicketRecord) => string>> = {
  'ticket.opened': ({ id }) => `Ticket ${id} was opened: the action waits for a person.`,
  'ticket.approved': (ticket) => settledSentence(ticket, 'approved'),
  'ticket.denied': (ticket) => settledSentence(ticket, 'denied'),
  'ticket.withdrawn': (ticket) => settledSentence(ticket, 'withdrawn'),
  'ticket.expired': ({ id }) => `Ticket ${id} expired before a person settled it.`,
  'ticket.released': ({ id }) => `The approval of ticket ${id} was used.`,
};

function settledSentence({ id, by, note, edit, anyone }: TicketRecord, what: string): string {
  const edited = edit === null ? '' : ' with another input';
  return `Ticket ${id} was ${what}${edited}${anyone ? ' for anyone' : ''}${by === null ? '' : ` by ${by}`}${note === null || note === '' ? '.' : `: ${note}`}`;
}

function prunedSentence({ first, last, count }: Pruned, keepDays: number | undefined): string {
  const range = count === 1 ? `Entry ${last.seq} was` : `Entries ${first.seq} to ${last.seq} were`;
  return `${range} removed${keepDays === undefined ? '.' : `: the log keeps ${keepDays} days.`}`;
}

/** The range that a `log.pruned` entry states, as far as it can be read. */
export function prunedRange({ kind, data }: Pick<LogRecord, 'kind' | 'data'>): Pick<Pruned, 'last'> | undefined {
  const last = kind === 'log.pruned' ? data['last'] : undefined;
  const { seq, hash } = (last ?? {}) as Partial<Pruned['last']>;
  return typeof seq === 'number' && typeof hash === 'string' ? { last: { seq, hash } } : undefined;
}
