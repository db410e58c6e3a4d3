/** The errors with which an adapter ends or suspends a run, where its SDK has no other way. */
import type { TicketRef } from '../../core/decision/outcome.ts';
import { heldText } from './texts.ts';

/** The call waits for a person. Make it again once the ticket is settled. */
export class HeldError extends Error {
  override readonly name = 'HeldError';
  readonly ticket: TicketRef;
  readonly reason: string;

  constructor(ticket: TicketRef, reason: string) {
    super(heldText(ticket.id, reason));
    this.ticket = ticket;
    this.reason = reason;
  }
}

/** A hook ends the whole run. */
export class HaltError extends Error {
  override readonly name = 'HaltError';
}
