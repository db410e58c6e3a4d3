/** The part of a story that people wrote: who settled the ticket, when, with what words, and what became of the approval. */
import type { AuditEntry } from './audit.ts';
import { serialise } from './json.ts';
import { redact, redactText } from './redact.ts';
import type { TicketRecord } from './store.ts';
import { shorten } from './story-hooks.ts';

export function ticketSentences(entry: AuditEntry, ticket: TicketRecord | undefined): string[] {
  if (entry.ticket === null) return [];
  if (!ticket) return [`Its ticket ${entry.ticket} is not kept here any more.`];
  const { id, state, expiresAt, settledAt } = ticket;
  const when = settledAt === null ? '' : ` at ${iso(settledAt)}`;
  const by = ticket.by ?? 'Somebody';
  switch (state) {
    case 'open':
      return [`Ticket ${id} is still open, until ${iso(expiresAt)}: nobody has settled it yet.`];
    case 'approved':
      return [`${by} approved ticket ${id}${when}${from(ticket)}${saying(ticket)}.`, ...edited(ticket), release(entry, ticket)];
    case 'denied':
      return [`${by} denied ticket ${id}${when}${from(ticket)}${saying(ticket)}.`];
    case 'withdrawn':
      return [`${by} withdrew ticket ${id}${when}${from(ticket)}${saying(ticket)}: nobody needed an answer any more.`];
    case 'expired':
      return [`Ticket ${id} expired at ${iso(expiresAt)}: nobody settled it in time, and nobody denied it.`];
  }
}

function release(entry: AuditEntry, { releasedAt, expiresAt }: TicketRecord): string {
  if (releasedAt !== null)
    return entry.decision === 'hold'
      ? `The approval was used at ${iso(releasedAt)}, once; it does not count again.`
      : `That approval was used for this at ${iso(releasedAt)}; it does not count again.`;
  return `The approval is not used yet: the next identical call passes, once, until ${iso(expiresAt)}.`;
}

function edited({ edit }: TicketRecord): string[] {
  return edit === null
    ? []
    : [`It was approved with another input, which all hooks judge again: ${shorten(serialise(redact(edit).value))}`];
}

const PLACES: Readonly<Record<string, string>> = { cli: 'on the command line', api: 'in a program' };

function from({ via }: TicketRecord): string {
  return via === null ? '' : ` ${Object.hasOwn(PLACES, via) ? PLACES[via] : `by way of ${via}`}`;
}

function saying({ note }: TicketRecord): string {
  return note === null || note === '' ? '' : `, saying "${shorten(redactText(note))}"`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
