/** Held actions, in memory: each can be settled once, within its life. */
import type { Decision } from '../core/decision.ts';
import { HooklineError } from '../core/errors.ts';
import type { HookEvent } from '../core/event.ts';
import type { Sum } from '../core/fold.ts';
import type { HookReport, TicketRef } from '../core/outcome.ts';

export interface Ticket extends TicketRef {
  /** The event as the hooks left it: what would run. */
  readonly event: HookEvent;
  /** Digest of exactly what would run. */
  readonly digest: string;
  readonly decision: Decision;
  /** What was said before it was held. */
  readonly sum: Sum;
  /** Hooks whose turn had not come: on resume the action goes to them. */
  readonly waiting: readonly string[];
  readonly reports: readonly HookReport[];
}

export interface Tickets {
  open(ticket: Ticket): void;
  /** Takes the ticket out, for the one who settles it. */
  take(id: string): Ticket;
  /** Puts it back: it could not be settled after all. */
  putBack(ticket: Ticket): void;
}

const MOST_SETTLED = 10_000;

export function createTickets(): Tickets {
  const open = new Map<string, Ticket>();
  const settled = new Set<string>();
  return {
    open: (ticket) => void open.set(ticket.id, ticket),
    take(id) {
      const ticket = open.get(id);
      if (!ticket) {
        if (settled.has(id))
          throw new HooklineError('ticket-settled', `Ticket ${id} was settled before.`, { hint: 'Fire the event again for a new ticket.' });
        throw new HooklineError('unknown-ticket', `There is no ticket ${id}.`, { hint: 'Tickets live in the engine that opened them.' });
      }
      open.delete(id);
      if (settled.size >= MOST_SETTLED) settled.clear();
      settled.add(id);
      return ticket;
    },
    putBack(ticket) {
      settled.delete(ticket.id);
      open.set(ticket.id, ticket);
    },
  };
}
