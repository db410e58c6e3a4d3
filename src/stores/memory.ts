/**
 * A store that lives as long as the process, for tests and for hosts that persist nothing. It obeys the same laws as the durable stores.
 */

import {
  type NewTicket,
  type Settling,
  type Store,
  type StoreOptions,
  settlementOf,
  type TicketFilter,
  type TicketRecord,
  type TicketStore,
} from '../core/contracts/store.ts';
import {
  type Anchor,
  chain,
  GENESIS,
  type LogEntry,
  type LogFilter,
  type LogRecord,
  type LogStore,
} from '../core/record/decision-record.ts';
import type { Change, Ledger } from '../core/record/ledger.ts';
import type { Hash } from '../core/values/digest.ts';
import { HooklineError } from '../core/values/errors.ts';
import { isObject, type Json, textOf } from '../core/values/json.ts';
import { createMemoryGrants } from './memory-grants.ts';

/** Rejects every call on a closed store, as a durable store does. */
export function throwIfClosed(closed: AbortSignal): void {
  if (closed.aborted) throw new HooklineError('store-unavailable', 'The store was closed.', { hint: 'Open it again.' });
}

/** Records a change of a ticket in the log of the same store. */
type Record = (change: Change) => void;

/** The log in memory. Entries are kept as text, so that a caller cannot change an entry through the record it passed in. */
export function createMemoryLog(closed: AbortSignal, ledger?: Ledger): LogStore & { readonly record: Record } {
  let texts: string[] = [];
  let anchor: Anchor = GENESIS;
  let last: Anchor = GENESIS;
  const entries = (from = 0): LogEntry[] => texts.slice(from).map((text) => JSON.parse(text) as LogEntry);
  const add = (record: LogRecord, hash: Hash): void => {
    const entry = chain(record, last, hash);
    texts.push(JSON.stringify(entry));
    last = { seq: entry.seq, hash: entry.hash };
  };
  const record: Record = (change) => {
    if (ledger) add(ledger.entryOf(change), ledger.hash);
  };
  return {
    append(entry: LogRecord, hash: Hash) {
      throwIfClosed(closed);
      add(entry, hash);
      return undefined;
    },
    record,
    async list(filter) {
      throwIfClosed(closed);
      const { among } = filter;
      const found = entries(among === undefined ? 0 : Math.max(0, texts.length - among)).filter((entry) => matches(entry, filter));
      const { limit, after } = filter;
      if (limit === undefined) return found;
      return after === undefined ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
    },
    async get(id) {
      throwIfClosed(closed);
      return entries().find((entry) => entry.id === id);
    },
    async prune(before, pruning = {}) {
      throwIfClosed(closed);
      const all = entries();
      // Removes only the oldest entries, because a gap would break the chain.
      const kept = all.findIndex(({ at }) => at >= before);
      const gone = all.slice(0, kept === -1 ? all.length : kept);
      const [start, end] = [gone[0], gone.at(-1)];
      if (!start || !end) return 0;
      anchor = { seq: end.seq, hash: end.hash };
      texts = texts.slice(gone.length);
      const pruned = { first: { seq: start.seq, hash: start.hash }, last: anchor, count: gone.length, before };
      record({ kind: 'log.pruned', pruned, pruning });
      return gone.length;
    },
    async anchor() {
      throwIfClosed(closed);
      return anchor;
    },
    async head() {
      throwIfClosed(closed);
      // No other program can reach the memory of this one, so a seal would prove nothing.
      return { ...last, seal: null, origin: null };
    },
  };
}

function matches(entry: LogEntry, { session, tool, decision, hook, since, until, after }: LogFilter): boolean {
  return (
    (session === undefined || entry.session === session) &&
    (tool === undefined || entry.tool === tool) &&
    (decision === undefined || [decision].flat().includes(entry.decision)) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at <= until) &&
    (after === undefined || entry.seq > after) &&
    (hook === undefined || hookNames(entry.outcome).some((name) => name.includes(hook)))
  );
}

/** Returns the names and ids of the hooks in an outcome. */
function hookNames(outcome: Json): string[] {
  const hooks = isObject(outcome) ? outcome['hooks'] : undefined;
  if (!Array.isArray(hooks)) return [];
  return hooks.flatMap((hook: Json) => (isObject(hook) ? [textOf(hook['name']) ?? '', textOf(hook['id']) ?? ''] : []));
}

/** The longest time a waiter relies on its timer. The clock is handed in and may jump. */
const LONGEST_NAP_MS = 250;

/** Tickets in memory. A ticket leaves `open` once, in one synchronous step, so exactly one caller settles it. */
export function createMemoryTickets(closed: AbortSignal, record: Record = () => undefined): TicketStore {
  const kept = new Tickets(record);
  return {
    async open(ticket, now) {
      throwIfClosed(closed);
      const alive = kept.openOne(ticket.digest, now);
      if (alive) return { ticket: alive, isNew: false };
      return { ticket: kept.add(ticket, now), isNew: true };
    },
    async get(id, now) {
      throwIfClosed(closed);
      return kept.get(id, now);
    },
    async list(filter, now) {
      throwIfClosed(closed);
      return selected(kept.all(now), filter);
    },
    async count(filter, now) {
      throwIfClosed(closed);
      return selected(kept.all(now), filter).length;
    },
    async settle(id, settling) {
      throwIfClosed(closed);
      const ticket = kept.get(id, settling.at);
      if (ticket?.state !== 'open') return ticket && { ticket, won: false };
      const done = kept.put(settled(ticket, settling));
      record({ kind: `ticket.${settling.state}`, at: settling.at, ticket: done, who: settling.who });
      return { ticket: done, won: true };
    },
    async release(digest, now, { shared } = {}) {
      throwIfClosed(closed);
      const all = kept.all(now).filter((ticket) => isUsable(ticket, now));
      const forAnyone = (ticket: TicketRecord): boolean => shared !== undefined && ticket.anyone === true && ticket.shared === shared;
      const usable = all.find((ticket) => ticket.digest === digest) ?? all.find(forAnyone);
      return usable && kept.release(usable, now);
    },
    async denied(digest, now) {
      throwIfClosed(closed);
      return kept.all(now).findLast((ticket) => ticket.digest === digest && ticket.state === 'denied' && now < ticket.expiresAt);
    },
    async releaseById(id, now) {
      throwIfClosed(closed);
      const ticket = kept.get(id, now);
      return ticket && isUsable(ticket, now) ? kept.release(ticket, now) : undefined;
    },
    async waitFor(id, now, signal) {
      for (;;) {
        throwIfClosed(closed);
        const ticket = kept.get(id, now());
        if (ticket?.state !== 'open' || signal.aborted) return ticket;
        await kept.change(Math.min(LONGEST_NAP_MS, Math.max(1, ticket.expiresAt - now())), [signal, closed]);
      }
    },
  };
}

class Tickets {
  readonly #records = new Map<string, TicketRecord>();
  /** Maps a digest to the id of the last ticket opened for it. */
  readonly #opened = new Map<string, string>();
  readonly #wakers = new Set<() => void>();
  readonly #record: Record;

  constructor(record: Record) {
    this.#record = record;
  }

  add(ticket: NewTicket, now: number): TicketRecord {
    if (this.#records.has(ticket.id)) throw new Error(`There is already a ticket ${ticket.id}.`);
    // Copies by way of text, so that the caller can change its event without changing the ticket.
    const copy = JSON.parse(JSON.stringify(ticket)) as NewTicket;
    this.#opened.set(copy.digest, copy.id);
    const fate = { settledAt: null, by: null, note: null, via: null, edit: null, releasedAt: null };
    const opened = this.put({ ...copy, state: 'open', ...fate });
    this.#record({ kind: 'ticket.opened', at: now, ticket: opened });
    return opened;
  }

  release(ticket: TicketRecord, now: number): TicketRecord {
    const released = this.put({ ...ticket, releasedAt: now });
    this.#record({ kind: 'ticket.released', at: now, ticket: released });
    return released;
  }

  put(ticket: TicketRecord): TicketRecord {
    this.#records.set(ticket.id, ticket);
    if (ticket.state !== 'open') for (const wake of this.#wakers) wake();
    return ticket;
  }

  get(id: string, now: number): TicketRecord | undefined {
    const ticket = this.#records.get(id);
    if (ticket?.state !== 'open' || now < ticket.expiresAt) return ticket;
    const expired = this.put({ ...ticket, state: 'expired', settledAt: ticket.expiresAt });
    this.#record({ kind: 'ticket.expired', at: now, ticket: expired });
    return expired;
  }

  openOne(digest: string, now: number): TicketRecord | undefined {
    const ticket = this.get(this.#opened.get(digest) ?? '', now);
    return ticket?.state === 'open' ? ticket : undefined;
  }

  /** In the order of opening. */
  all(now: number): TicketRecord[] {
    const records = [...this.#records.keys()].flatMap((id) => this.get(id, now) ?? []);
    return records.sort((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1));
  }

  /** Resolves when a ticket is settled, when the time is over, or when the signal aborts. */
  change(ms: number, ends: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wakers.delete(wake);
        for (const end of ends) end.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wakers.add(wake);
      for (const end of ends) end.addEventListener('abort', wake);
      if (ends.some(({ aborted }) => aborted)) wake();
    });
  }
}

function selected(tickets: readonly TicketRecord[], { state, root, limit, after }: TicketFilter): TicketRecord[] {
  const start = after === undefined ? 0 : tickets.findIndex(({ id }) => id === after) + 1 || tickets.length;
  const found = tickets.slice(start).filter((ticket) => (state ?? ticket.state) === ticket.state && (root ?? ticket.root) === ticket.root);
  return limit === undefined ? found : found.slice(0, limit);
}

function settled(ticket: TicketRecord, settling: Settling): TicketRecord {
  return { ...ticket, ...settlementOf(settling), state: settling.state, settledAt: settling.at };
}

function isUsable(ticket: TicketRecord, now: number): boolean {
  return ticket.state === 'approved' && ticket.releasedAt === null && now < ticket.expiresAt;
}

/** Without a ledger it records nothing of its own accord. Nothing outside this process can change it, so an approval needs no proof. */
export function createMemoryStore({ ledger }: Pick<StoreOptions, 'ledger'> = {}): Store {
  const life = new AbortController();
  const log = createMemoryLog(life.signal, ledger);
  return {
    tickets: createMemoryTickets(life.signal, log.record),
    log,
    grants: createMemoryGrants(() => throwIfClosed(life.signal), log.record),
    queue: null,
    async close() {
      life.abort();
    },
  };
}
