/** Tickets page by page, and one of them by its id or the beginning of it. */
import type { Store, TicketFilter, TicketRecord } from '../core/store.ts';
import { findByPrefix } from './id-prefix.ts';

const PAGE = 1000;

export async function* ticketPages(store: Store, filter: TicketFilter, now: number): AsyncGenerator<readonly TicketRecord[]> {
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

export async function findTicket(store: Store, id: string, now: number): Promise<TicketRecord> {
  const exact = await store.tickets.get(id, now);
  if (exact) return exact;
  const wanted = { what: 'ticket', code: 'unknown-ticket', list: 'hookline approvals --all' } as const;
  return findByPrefix(id, ticketPages(store, {}, now), wanted);
}
