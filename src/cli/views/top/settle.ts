/** Settles a held action for the person at the screen, by the same gate as `hookline approvals`. */
import type { Store, TicketRecord } from '../../../core/contracts/store.ts';
import type { Arguments } from '../../arguments.ts';
import { lostText } from '../../decisions/print-tickets.ts';
import { findTicket, settleOnce, settlingOf } from '../../decisions/tickets.ts';
import { askPerson, type Way } from '../../input/by-a-person.ts';
import { userName } from '../../input/user-name.ts';
import type { Answer } from './state.ts';

export interface SettleParts {
  readonly args: Arguments;
  readonly store: Store;
  readonly way: Way;
  notify(type: 'ticket.settled', ticket: TicketRecord): void;
}

/** Returns what came of it, for the last line. */
export async function settle({ args, store, way, notify }: SettleParts, id: string, answer: Answer): Promise<string> {
  const found = await findTicket(store, id, Date.now());
  const permission = await askPerson(args, settlingOf(found, answer), way);
  if (!permission.permitted) return `${permission.message} ${permission.hint}`;
  const { who, actor } = permission;
  const settling = { state: answer, at: Date.now(), by: userName(), note: null, via: 'cli', edit: null, who, actor };
  const { ticket, won } = await settleOnce(store, found.id, settling);
  if (!won) return lostText(ticket, Date.now()).message;
  notify('ticket.settled', ticket);
  return answer === 'approved' ? 'Approved. It may run once.' : 'Denied. It does not run.';
}
