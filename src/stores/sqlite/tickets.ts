/**
 * Tickets in SQLite. One conditional UPDATE changes the state of a ticket, so exactly one of any number of processes sees its row changed.
 * Values that never change are kept as text; the others have a column.
 */

import {
  type HeldAction,
  type NewTicket,
  type OnUnproven,
  type Settling,
  settlementOf,
  type TicketFilter,
  type TicketRecord,
  type TicketStore,
} from '../../core/contracts/store.ts';
import { type TicketAct, ticketEntryId } from '../../core/record/ledger.ts';
import type { Chain } from './chain.ts';
import type { Database, Row, SqlValue } from './database.ts';
import { entryById } from './log.ts';

const POLL_MS = 50;

/** Waits for a change: wakes at once if this store makes it, and within the polling interval if another process does. */
export interface Waiting {
  wake(): void;
  /** Resolves when the caller should look again, at most `ms` from now. */
  change(ms: number, signal: AbortSignal): Promise<void>;
}

export function createWaiting(closed: AbortSignal): Waiting {
  const sleepers = new Set<() => void>();
  return {
    wake() {
      for (const wake of sleepers) wake();
    },
    change(ms, signal) {
      return new Promise((resolve) => {
        const ends = [signal, closed];
        const wake = (): void => {
          clearTimeout(timer);
          sleepers.delete(wake);
          for (const end of ends) end.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, Math.min(POLL_MS, Math.max(1, ms)));
        sleepers.add(wake);
        for (const end of ends) end.addEventListener('abort', wake);
        if (ends.some(({ aborted }) => aborted)) wake();
      });
    },
  };
}

export function createSqliteTickets(database: Database, chain: Chain, closed: AbortSignal): TicketStore {
  const waiting = createWaiting(closed);
  const get = (id: string, now: number): TicketRecord | undefined => {
    const ticket = ticketOf(database.get(GET, id));
    if (ticket?.state !== 'open' || now < ticket.expiresAt) return ticket;
    if (database.isReadOnly) return asExpired(ticket);
    database.write(() => expire(database, chain, now));
    return ticketOf(database.get(GET, id));
  };
  /** Expires the tickets that are due. Returns false if there are some and the file cannot be written. */
  const isAsOf = (now: number): boolean => {
    if (!database.get(STALE, now)) return true;
    if (database.isReadOnly) return false;
    database.write(() => expire(database, chain, now));
    return true;
  };
  return {
    async open(ticket, now) {
      return database.write(() => open(database, chain, ticket, now));
    },
    async get(id, now) {
      return get(id, now);
    },
    async list(filter, now) {
      return isAsOf(now) ? select(database, filter) : selectAsOf(database, filter, now);
    },
    async count(filter, now) {
      return isAsOf(now) ? count(database, filter) : selectAsOf(database, filter, now).length;
    },
    async settle(id, settling) {
      const won = database.write(() => settle(database, chain, id, settling));
      if (won) waiting.wake();
      const ticket = won ?? get(id, settling.at);
      return ticket && { ticket, won: won !== undefined };
    },
    async release(digest, now, { shared, onUnproven } = {}) {
      const own = release(database, chain, { key: 'digest', value: digest, now, onUnproven });
      return own ?? (shared === undefined ? undefined : release(database, chain, { key: 'shared', value: shared, now, onUnproven }));
    },
    async denied(digest, now) {
      return ticketOf(database.get(DENIED, digest, now));
    },
    async releaseById(id, now, { onUnproven } = {}) {
      return release(database, chain, { key: 'id', value: id, now, onUnproven });
    },
    async waitFor(id, now, signal) {
      for (;;) {
        database.checkPresence();
        const row = database.get('SELECT state, expires_at FROM tickets WHERE id = ?', id);
        if (row?.['state'] !== 'open' || Number(row['expires_at']) <= now() || signal.aborted) return get(id, now());
        await waiting.change(Number(row['expires_at']) - now(), signal);
      }
    },
  };
}

// Names the index, because SQLite would otherwise scan all open tickets.
const DUE = "INDEXED BY tickets_to_expire WHERE state = 'open' AND expires_at <= ?";
const STALE = `SELECT 1 FROM tickets ${DUE} LIMIT 1`;
const SET_EXPIRED = DUE.replace('WHERE', "SET state = 'expired', settled_at = expires_at WHERE");

/** Selects three texts per row, because reading many columns costs more. The settlement is left out while the ticket is open. */
const FATE = `CASE state WHEN 'open' THEN NULL ELSE
  substr(settlement, 1, length(settlement) - 1) || ',"state":"' || state || '","settledAt":' || settled_at
  || ',"releasedAt":' || coalesce(released_at, 'null') || '}' END AS fate`;
const TICKET = `head, action, ${FATE}`;
/** Leaves out the action, which a list of thousands rarely needs and would spend most of its time on. */
const TICKET_IN_LIST = `head, ${FATE}`;
const ACTION = 'SELECT action FROM tickets WHERE id = ?';
/** Lists up to this length include the action. */
const SHORT_LIST = 1000;
const GET = `SELECT ${TICKET} FROM tickets WHERE id = ?`;

const USABLE = "state = 'approved' AND released_at IS NULL AND expires_at > ?";
const RELEASE = `UPDATE tickets SET released_at = ? WHERE id = ? RETURNING ${TICKET}`;
const DENIED = `SELECT ${TICKET} FROM tickets WHERE digest = ? AND state = 'denied' AND expires_at > ? ORDER BY opened_at DESC, id DESC LIMIT 1`;

const INSERT = `INSERT INTO tickets (id, state, digest, shared, root, opened_at, expires_at, head, action)
  VALUES (?, 'open', ?, ?, ?, ?, ?, ?, ?) RETURNING ${TICKET}`;

const OPEN_ONE = `SELECT ${TICKET} FROM tickets WHERE digest = ? AND state = 'open'`;

const SETTLE = `UPDATE tickets SET state = ?, settled_at = ?, settlement = ?, anyone = ?
  WHERE id = ? AND state = 'open' AND expires_at > ?
  RETURNING ${TICKET}`;

function open(
  database: Database,
  chain: Chain,
  ticket: NewTicket,
  now: number,
): { readonly ticket: TicketRecord; readonly isNew: boolean } {
  expire(database, chain, now);
  const alive = ticketOf(database.get(OPEN_ONE, ticket.digest));
  if (alive) return { ticket: alive, isNew: false };
  const { action, ...head } = ticket;
  const { id, digest, shared = null, root, openedAt, expiresAt } = head;
  const row = database.get(INSERT, id, digest, shared, root, openedAt, expiresAt, JSON.stringify(head), JSON.stringify(action));
  const opened = parsed(row as TicketRow);
  chain.record({ kind: 'ticket.opened', at: now, ticket: opened });
  return { ticket: opened, isNew: true };
}

const EXPIRE = `UPDATE tickets ${SET_EXPIRED} RETURNING ${TICKET}`;

/** Expires tickets for good. A clock that is set back does not reopen them. */
function expire(database: Database, chain: Chain, now: number): void {
  // Most calls find none, and an UPDATE that returns nothing costs more than a look.
  if (!database.get(STALE, now)) return;
  for (const row of database.all(EXPIRE, now)) chain.record({ kind: 'ticket.expired', at: now, ticket: parsed(row as TicketRow) });
}

/** Returns the ticket if this call settled it. */
function settle(database: Database, chain: Chain, id: string, settling: Settling): TicketRecord | undefined {
  const { state, at, who, anyone } = settling;
  const ticket = ticketOf(database.get(SETTLE, state, at, JSON.stringify(settlementOf(settling)), anyone ? 1 : 0, id, at));
  if (ticket) chain.record({ kind: `ticket.${state}` satisfies TicketAct, at, ticket, who });
  return ticket;
}

interface Release {
  readonly key: keyof typeof FOUND_BY;
  readonly value: string;
  readonly now: number;
  readonly onUnproven: OnUnproven | undefined;
}

/** An approval for anyone is found by the digest that all of them share. */
const FOUND_BY = { id: 'id = ?', digest: 'digest = ?', shared: 'shared = ? AND anyone = 1' } as const;

/** An approval is taken under the write lock, after the log has shown that it was given and not used. */
function release(database: Database, chain: Chain, { key, value, now, onUnproven }: Release): TicketRecord | undefined {
  const usable = `SELECT ${TICKET}, id, digest, shared, expires_at FROM tickets WHERE ${FOUND_BY[key]} AND ${USABLE} ORDER BY opened_at, id`;
  // Most actions were never approved, and a look takes no lock.
  if (!database.get(usable, value, now)) return undefined;
  return database.write(() => {
    for (const row of database.all(usable, value, now)) {
      const ticket = parsed(row as TicketRow);
      if (!isProven(database, chain, ticket, row)) onUnproven?.(ticket);
      else {
        const released = ticketOf(database.get(RELEASE, now, ticket.id));
        if (released) chain.record({ kind: 'ticket.released', at: now, ticket: released });
        return released;
      }
    }
    return undefined;
  });
}

function isProven(database: Database, { ledger }: Chain, ticket: TicketRecord, row: Row): boolean {
  if (!ledger) return true;
  // The row was found by its columns, and the entry tells of the rest.
  if (row['id'] !== ticket.id || row['digest'] !== ticket.digest || row['expires_at'] !== ticket.expiresAt) return false;
  if (row['shared'] !== (ticket.shared ?? null)) return false;
  const entry = entryById(database, ticketEntryId(ticket.id, 'ticket.approved'));
  return entry !== undefined && ledger.proves(entry, ticket) && !entryById(database, ticketEntryId(ticket.id, 'ticket.released'));
}

function asExpired(ticket: TicketRecord): TicketRecord {
  return { ...ticket, state: 'expired', settledAt: ticket.expiresAt };
}

/** Lists tickets of a file that cannot be written: those that are due are shown as expired, and stay as they are. */
function selectAsOf(database: Database, { state, limit, ...filter }: TicketFilter, now: number): TicketRecord[] {
  const seen = select(database, filter).map((ticket) => (ticket.state === 'open' && ticket.expiresAt <= now ? asExpired(ticket) : ticket));
  return seen.filter((ticket) => state === undefined || ticket.state === state).slice(0, limit);
}

function conditionsOf({ state, root, after }: TicketFilter): { readonly where: string; readonly values: readonly SqlValue[] } {
  const conditions = [
    ['state = ?', state],
    ['root = ?', root],
    ['(opened_at, id) > (SELECT opened_at, id FROM tickets WHERE id = ?)', after],
  ].filter((condition): condition is [string, string] => condition[1] !== undefined);
  return { where: conditions.map(([sql]) => sql).join(' AND ') || 'true', values: conditions.map(([, value]) => value) };
}

function count(database: Database, filter: TicketFilter): number {
  const { where, values } = conditionsOf(filter);
  return Number(database.get(`SELECT count(*) AS count FROM tickets WHERE ${where}`, ...values)?.['count']);
}

function select(database: Database, { limit, ...filter }: TicketFilter): TicketRecord[] {
  const { where, values } = conditionsOf(filter);
  const columns = limit !== undefined && limit <= SHORT_LIST ? TICKET : TICKET_IN_LIST;
  const sql = `SELECT ${columns} FROM tickets WHERE ${where} ORDER BY opened_at, id LIMIT ?`;
  return database.map(sql, [...values, limit ?? -1], (row) => parsed(row as TicketRow, database));
}

/** The columns that `TICKET` selects. */
type TicketRow = { readonly head: string; readonly action?: string; readonly fate: string | null };
type Fate = Omit<TicketRecord, keyof NewTicket>;

const UNDECIDED: Fate = { state: 'open', settledAt: null, by: null, note: null, via: null, edit: null, releasedAt: null };

function ticketOf(row: Row | undefined): TicketRecord | undefined {
  return row && parsed(row as TicketRow);
}

/** Lists each field, because spreading or defining fields for thousands of tickets takes longer than reading them. */
function parsed({ head, action: text, fate }: TicketRow, database?: Database): TicketRecord {
  const { id, digest, shared, kind, tool, session, root, reason, openedAt, expiresAt, who, metadata } = JSON.parse(head) as Omit<
    NewTicket,
    'action'
  >;
  const settled = fate === null ? UNDECIDED : (JSON.parse(fate) as Fate);
  const { state, settledAt, by, note, via, edit, releasedAt, settledBy, actor, anyone } = settled;
  let action: HeldAction | undefined;
  const ticket: { -readonly [K in keyof TicketRecord]: TicketRecord[K] } = {
    id,
    state,
    digest,
    kind,
    tool,
    session,
    root,
    reason,
    openedAt,
    expiresAt,
    settledAt,
    by,
    note,
    via,
    edit,
    releasedAt,
    // Parsed on first access, because a list rarely needs it. The text never changes.
    get action() {
      action ??= JSON.parse(text ?? String(database?.get(ACTION, id)?.['action'])) as HeldAction;
      return action;
    },
  };
  if (shared !== undefined) ticket.shared = shared;
  if (who) ticket.who = who;
  if (settledBy) ticket.settledBy = settledBy;
  if (actor) ticket.actor = actor;
  if (anyone) ticket.anyone = anyone;
  if (metadata) ticket.metadata = metadata;
  return ticket;
}
