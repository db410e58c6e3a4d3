/** Finds tickets in a store, and settles one of them. */
import type { Settling, Store, TicketFilter, TicketRecord } from '../../core/contracts/store.ts';
import type { GatedAct } from '../input/by-a-person.ts';
import { findByPrefix } from '../input/id-prefix.ts';

const PAGE = 1000;

/** Reads tickets page by page. */
async function* ticketPages(store: Store, filter: TicketFilter, now: number): AsyncGenerator<readonly TicketRecord[]> {
  let page = await store.tickets.list({ ...filter, limit: PAGE }, now);
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    if (page.length < PAGE || !last) return;
    page = await store.tickets.list({ ...filter, limit: PAGE, after: last.id }, now);
  }
}

export async function allTickets(store: Store, filter: TicketFilter, now: number): Promise<readonly TicketRecord[]> {
  const all: TicketRecord[] = [];
  for await (const page of ticketPages(store, filter, now)) all.push(...page);
  return all;
}

/** Finds a ticket by its id or the start of it. */
export async function findTicket(store: Store, id: string, now: number): Promise<TicketRecord> {
  const exact = await store.tickets.get(id, now);
  if (exact) return exact;
  const wanted = { what: 'ticket', code: 'unknown-ticket', list: 'hookline approvals --all' } as const;
  return findByPrefix(id, ticketPages(store, {}, now), wanted);
}

type Settled = NonNullable<Awaited<ReturnType<Store['tickets']['settle']>>>;

export async function settleOnce(store: Store, id: string, settling: Settling): Promise<Settled> {
  const settled = await store.tickets.settle(id, settling);
  // The ticket disappeared after it was found. Search again to report that it does not exist.
  return settled ?? { ticket: await findTicket(store, id, settling.at), won: false };
}

/** Returns the act of settling a ticket. The store writes the entry of an allowed one itself, with the change. */
export function settlingOf({ id, root, tool, reason }: TicketRecord, state: Settling['state']): GatedAct {
  const verb = { approved: 'approve', denied: 'deny', withdrawn: 'withdraw' }[state];
  const data = { tool, reason };
  return { kind: `ticket.${state}`, weight: 'settling', does: `${verb} an action`, data, root, ticket: id };
}
