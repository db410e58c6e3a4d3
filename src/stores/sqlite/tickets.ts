/**
 * Tickets in SQLite. One conditional UPDATE changes the state of a ticket, so exactly one of any number of processes sees its row changed.
 * Values that never change are kept as text; the others have a column.
 */
import {
  type HeldAction,
  type NewTicket,
  type Settling,
  settlementOf,
  type TicketFilter,
  type TicketRecord,
  type TicketStore,
} from '../../core/contracts/store.ts';
import type { Database, Row, SqlValue } from './database.ts';

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

export function createSqliteTickets(database: Database, closed: AbortSignal): TicketStore {
  const waiting = createWaiting(closed);
  const get = (id: string, now: number): TicketRecord | undefined => {
    const ticket = ticketOf(database.get(GET, id));
    if (ticket?.state !== 'open' || now < ticket.expiresAt) return ticket;
    expire(database, now);
    return ticketOf(database.get(GET, id));
  };
  return {
    async open(ticket, now) {
      return database.write(() => open(database, ticket, now));
    },
    async get(id, now) {
      return get(id, now);
    },
    async list(filter, now) {
      const stale = database.get(STALE, now);
      if (stale) expire(database, now);
      return select(database, filter);
    },
    async settle(id, settling) {
      const won = settle(database, id, settling);
      if (won) waiting.wake();
      const ticket = won ?? get(id, settling.at);
      return ticket && { ticket, won: won !== undefined };
    },
    async release(digest, now, shared = '') {
      return ticketOf(database.get(RELEASE, now, digest, now) ?? database.get(RELEASE_SHARED, now, shared, now));
    },
    async denied(digest, now) {
      return ticketOf(database.get(DENIED, digest, now));
    },
    async releaseById(id, now) {
      return ticketOf(database.get(RELEASE_BY_ID, now, id, now));
    },
    async waitFor(id, now, signal) {
      for (;;) {
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
const EXPIRE = `UPDATE tickets ${DUE.replace('WHERE', "SET state = 'expired', settled_at = expires_at WHERE")}`;

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

function releaseWhere(condition: string): string {
  return `UPDATE tickets SET released_at = ? WHERE id = (
    SELECT id FROM tickets WHERE ${condition} AND state = 'approved' AND released_at IS NULL AND expires_at > ?
    ORDER BY opened_at, id LIMIT 1)
  RETURNING ${TICKET}`;
}

const RELEASE = releaseWhere('digest = ?');
/** An approval for anyone. */
const RELEASE_SHARED = releaseWhere('shared = ? AND anyone = 1');

const DENIED = `SELECT ${TICKET} FROM tickets WHERE digest = ? AND state = 'denied' AND expires_at > ? ORDER BY opened_at DESC, id DESC LIMIT 1`;

const RELEASE_BY_ID = `UPDATE tickets SET released_at = ?
  WHERE id = ? AND state = 'approved' AND released_at IS NULL AND expires_at > ?
  RETURNING ${TICKET}`;

const INSERT = `INSERT INTO tickets (id, state, digest, shared, root, opened_at, expires_at, head, action)
  VALUES (?, 'open', ?, ?, ?, ?, ?, ?, ?) RETURNING ${TICKET}`;

const OPEN_ONE = `SELECT ${TICKET} FROM tickets WHERE digest = ? AND state = 'open'`;

const SETTLE = `UPDATE tickets SET state = ?, settled_at = ?, settlement = ?, anyone = ?
  WHERE id = ? AND state = 'open' AND expires_at > ?
  RETURNING ${TICKET}`;

function open(database: Database, ticket: NewTicket, now: number): { readonly ticket: TicketRecord; readonly isNew: boolean } {
  expire(database, now);
  const alive = ticketOf(database.get(OPEN_ONE, ticket.digest));
  if (alive) return { ticket: alive, isNew: false };
  const { action, ...head } = ticket;
  const { id, digest, shared = null, root, openedAt, expiresAt } = head;
  const row = database.get(INSERT, id, digest, shared, root, openedAt, expiresAt, JSON.stringify(head), JSON.stringify(action));
  return { ticket: parsed(row as TicketRow), isNew: true };
}

/** Expires tickets for good. A clock that is set back does not reopen them. */
function expire(database: Database, now: number): void {
  database.run(EXPIRE, now);
}

/** Returns the ticket if this call settled it. */
function settle(database: Database, id: string, settling: Settling): TicketRecord | undefined {
  const { state, at, anyone } = settling;
  return ticketOf(database.get(SETTLE, state, at, JSON.stringify(settlementOf(settling)), anyone ? 1 : 0, id, at));
}

function select(database: Database, { state, root, limit, after }: TicketFilter): TicketRecord[] {
  const conditions = [
    ['state = ?', state],
    ['root = ?', root],
    ['(opened_at, id) > (SELECT opened_at, id FROM tickets WHERE id = ?)', after],
  ].filter((condition): condition is [string, string] => condition[1] !== undefined);
  const where = conditions.map(([sql]) => sql).join(' AND ') || 'true';
  const values: SqlValue[] = conditions.map(([, value]) => value);
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
  const { id, digest, shared, kind, tool, session, root, reason, openedAt, expiresAt, who } = JSON.parse(head) as Omit<NewTicket, 'action'>;
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
  return ticket;
}
