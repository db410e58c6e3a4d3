/** What a store must do, as plainly as it can be said: two lists and no cleverness. Real stores are measured by it. */

import type { NewTicket, Settling, TicketFilter, TicketRecord } from '../../../src/core/contracts/store.ts';
import type { LogFilter, LogRecord } from '../../../src/core/record/decision-record.ts';

export type ModelEntry = LogRecord & { readonly seq: number };

export class StoreModel {
  now = 1_700_000_000_000;
  tickets: TicketRecord[] = [];
  entries: ModelEntry[] = [];
  /** Entries that were ever written, and how many of them were pruned. */
  written = 0;
  pruned = 0;
  /** How many commands there were. */
  steps = 0;

  advance(ms: number): void {
    this.now += ms;
    this.tickets = this.tickets.map((ticket) =>
      ticket.state === 'open' && ticket.expiresAt <= this.now ? { ...ticket, state: 'expired', settledAt: ticket.expiresAt } : ticket,
    );
  }

  open(ticket: NewTicket): { ticket: TicketRecord; isNew: boolean } {
    const alive = this.tickets.find(({ digest, state }) => digest === ticket.digest && state === 'open');
    if (alive) return { ticket: alive, isNew: false };
    const opened: TicketRecord = {
      ...plain(ticket),
      state: 'open',
      settledAt: null,
      by: null,
      note: null,
      via: null,
      edit: null,
      releasedAt: null,
    };
    this.tickets.push(opened);
    return { ticket: opened, isNew: true };
  }

  get(id: string): TicketRecord | undefined {
    return this.tickets.find((ticket) => ticket.id === id);
  }

  denied(digest: string): TicketRecord | undefined {
    return this.ordered().findLast((ticket) => ticket.digest === digest && ticket.state === 'denied' && this.now < ticket.expiresAt);
  }

  settle(id: string, { at, ...settling }: Settling): { ticket: TicketRecord; won: boolean } | undefined {
    const found = this.get(id);
    if (found?.state !== 'open') return found && { ticket: found, won: false };
    return { ticket: this.#put({ ...found, ...plain(settling), settledAt: at }), won: true };
  }

  release(fits: (ticket: TicketRecord) => boolean): TicketRecord | undefined {
    const usable = this.ordered().find(
      (ticket) => fits(ticket) && ticket.state === 'approved' && ticket.releasedAt === null && this.now < ticket.expiresAt,
    );
    return usable && this.#put({ ...usable, releasedAt: this.now });
  }

  list({ state, root, limit, after }: TicketFilter): TicketRecord[] {
    const all = this.ordered();
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && from === 0) return [];
    return all
      .slice(from)
      .filter((ticket) => (state === undefined || ticket.state === state) && (root === undefined || ticket.root === root))
      .slice(0, limit);
  }

  ordered(): TicketRecord[] {
    return this.tickets.toSorted((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1));
  }

  append(record: LogRecord): void {
    this.written++;
    this.entries.push({ ...plain(record), seq: this.written });
  }

  log({ session, tool, decision, hook, since, until, after, limit }: LogFilter): ModelEntry[] {
    const found = this.entries.filter(
      (entry) =>
        (session === undefined || entry.session === session) &&
        (tool === undefined || entry.tool === tool) &&
        (decision === undefined || entry.decision === decision) &&
        (hook === undefined || hooksOf(entry).some(({ id, name }) => id.includes(hook) || name.includes(hook))) &&
        (since === undefined || entry.at >= since) &&
        (until === undefined || entry.at <= until) &&
        (after === undefined || entry.seq > after),
    );
    if (limit === undefined || limit >= found.length) return found;
    return after === undefined ? found.slice(found.length - limit) : found.slice(0, limit);
  }

  prune(before: number): number {
    const kept = this.entries.findIndex(({ at }) => at >= before);
    const gone = kept === -1 ? this.entries.length : kept;
    this.entries = this.entries.slice(gone);
    this.pruned += gone;
    return gone;
  }

  #put(ticket: TicketRecord): TicketRecord {
    this.tickets = this.tickets.map((other) => (other.id === ticket.id ? ticket : other));
    return ticket;
  }
}

function hooksOf({ outcome }: LogRecord): readonly { readonly id: string; readonly name: string }[] {
  return (outcome as { hooks: readonly { id: string; name: string }[] }).hooks;
}

/** As JSON keeps it. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
