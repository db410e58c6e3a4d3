/** How the state of a ticket is put into words. Expiry is never told as a denial. */
import { HooklineError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import type { SettledState, TicketRecord } from '../core/store.ts';

export function refusalOf(ticket: TicketRecord): string {
  if (ticket.state === 'expired') return 'The ticket expired before anybody settled it.';
  return sentence(ticket.state === 'withdrawn' ? 'Withdrawn' : 'Denied', ticket);
}

export function sentence(verb: string, { by, note }: TicketRecord): string {
  return `${verb}${by === null ? '' : ` by ${by}`}${note === null || note === '' ? '.' : `: ${note}`}`;
}

export function approvalOf({ id, state, by, note, settledAt, expiresAt }: TicketRecord): NonNullable<Outcome['approval']> {
  return { ticket: id, state: state as SettledState, by, note, at: new Date(settledAt ?? expiresAt).toISOString() };
}

export function settledBefore(ticket: TicketRecord): HooklineError {
  const who = ticket.by === null ? '' : ` by ${ticket.by}`;
  const what = ticket.state === 'approved' && ticket.releasedAt !== null ? 'approved and used' : ticket.state;
  return new HooklineError('ticket-settled', `Ticket ${ticket.id} was ${what}${who} before.`, {
    hint: 'Fire the event again for a new ticket.',
  });
}
