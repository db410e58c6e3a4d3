/** Held actions in Postgres. Each change of state is one statement that names the state it leaves, so exactly one caller wins a race. */

import {
  type NewTicket,
  settlementOf,
  type TicketFilter,
  type TicketRecord,
  type TicketSettlement,
  type TicketState,
  type TicketStore,
} from '../../core/contracts/store.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { column, type Database, type Value } from './database.ts';
import type { WakeUps } from './wake-ups.ts';

interface Row {
  readonly state: TicketState;
  readonly expires_at: number;
  readonly settled_at: number | null;
  readonly released_at: number | null;
  readonly body: string;
  readonly settling: string | null;
}

/** The polling interval for a ticket, in case a message is lost. */
const POLL_MS = 1_000;
const COLUMNS = 'state, expires_at, settled_at, released_at, body, settling';

export function createTickets(database: Database, wakeUps: WakeUps): TicketStore {
  const get: TicketStore['get'] = async (id, now) => {
    const [row] = await database.query<Row>(`SELECT ${COLUMNS} FROM hookline.tickets WHERE id = $1`, [column(id)], 'get');
    if (row?.state !== 'open' || row.expires_at > now) return row && ticketOf(row);
    const [expired] = await database.query<Row>(`${EXPIRE} WHERE id = $1 AND state = 'open' RETURNING ${COLUMNS}`, [column(id)], 'expire');
    // A ticket that has left `open` never changes its state again. If it was settled in between, its current state is final.
    return expired ? ticketOf(expired) : get(id, now);
  };
  const release = async (key: 'id' | 'digest' | 'shared', value: string, now: number) => {
    const [row] = await database.query<Row>(releaseBy(key), [column(value), now], `release_by_${key}`);
    return row && ticketOf(row);
  };
  return {
    open: (ticket, now) => open(database, ticket, now),
    get,
    list: (filter, now) => list(database, filter, now),
    async settle(id, settling) {
      const { state, at, anyone } = settling;
      const values = [column(id), at, state, JSON.stringify(settlementOf(settling)), anyone ? 1 : 0];
      const [row] = await database.query<Row>(SETTLE, values, 'settle');
      if (row) wakeUps.tell(id);
      const ticket = row ? ticketOf(row) : await get(id, at);
      return ticket && { ticket, won: row !== undefined };
    },
    async release(digest, now, shared) {
      const own = await release('digest', digest, now);
      return own ?? (shared === undefined ? undefined : release('shared', shared, now));
    },
    async denied(digest, now) {
      const [row] = await database.query<Row>(DENIED, [column(digest), now], 'denied');
      return row && ticketOf(row);
    },
    releaseById: (id, now) => release('id', id, now),
    waitFor: (id, now, signal) => waitFor({ get, wakeUps, id, now, signal }),
  };
}

const EXPIRE = `UPDATE hookline.tickets SET state = 'expired', settled_at = expires_at`;

const SETTLE = `
  UPDATE hookline.tickets SET state = $3, settled_at = $2, settling = $4, anyone = $5::int = 1
  WHERE id = $1 AND state = 'open' AND expires_at > $2
  RETURNING ${COLUMNS}`;

const INSERT = `
  INSERT INTO hookline.tickets (id, state, digest, root, opened_at, expires_at, body, shared) VALUES ($1, 'open', $2, $3, $4, $5, $6, $7)
  ON CONFLICT (digest) WHERE state = 'open' DO NOTHING
  RETURNING ${COLUMNS}`;

const DENIED = `
  SELECT ${COLUMNS} FROM hookline.tickets WHERE digest = $1 AND state = 'denied' AND expires_at > $2
  ORDER BY opened_at DESC, id DESC LIMIT 1`;

/** The second caller waits for the lock of the first, finds the row taken, and takes the next one or none. */
function releaseBy(key: 'id' | 'digest' | 'shared'): string {
  const wanted = key === 'shared' ? 'shared = $1 AND anyone' : `${key} = $1`;
  return `
    UPDATE hookline.tickets SET released_at = $2 WHERE id = (
      SELECT id FROM hookline.tickets WHERE ${wanted} AND state = 'approved' AND released_at IS NULL AND expires_at > $2
      ORDER BY opened_at, id LIMIT 1 FOR UPDATE)
    RETURNING ${COLUMNS}`;
}

async function open(database: Database, ticket: NewTicket, now: number): ReturnType<TicketStore['open']> {
  const { id, digest, root, openedAt, expiresAt } = ticket;
  const shared = ticket.shared === undefined ? null : column(ticket.shared);
  const values = [column(id), column(digest), column(root), openedAt, expiresAt, JSON.stringify(ticket), shared];
  for (;;) {
    const [stored] = await database.query<Row>(INSERT, values, 'open');
    if (stored) return { ticket: ticketOf(stored), isNew: true };
    const [other] = await database.query<Row>(`SELECT ${COLUMNS} FROM hookline.tickets WHERE digest = $1 AND state = 'open'`, [
      column(digest),
    ]);
    if (other && other.expires_at > now) return { ticket: ticketOf(other), isNew: false };
    // Either the open ticket has expired, or it was settled just now.
    await database.query(`${EXPIRE} WHERE digest = $1 AND state = 'open' AND expires_at <= $2`, [column(digest), now]);
  }
}

async function list(database: Database, { state, root, limit, after }: TicketFilter, now: number): Promise<readonly TicketRecord[]> {
  // Locks rows in the order of their ids, so that two callers cannot deadlock.
  await database.query(
    `${EXPIRE} WHERE id IN (SELECT id FROM hookline.tickets WHERE state = 'open' AND expires_at <= $1 ORDER BY id FOR UPDATE)`,
    [now],
    'expire_all',
  );
  const values: Value[] = [];
  const conditions = ['true'];
  const where = (value: string | undefined, condition: (parameter: string) => string) => {
    if (value === undefined) return;
    values.push(column(value));
    conditions.push(condition(`$${values.length}`));
  };
  where(state, (value) => `state = ${value}`);
  where(root, (value) => `root = ${value}`);
  where(after, (value) => `(opened_at, id) > (SELECT opened_at, id FROM hookline.tickets WHERE id = ${value})`);
  if (limit !== undefined) values.push(limit);
  const most = limit === undefined ? '' : `LIMIT $${values.length}`;
  const sql = `SELECT ${COLUMNS} FROM hookline.tickets WHERE ${conditions.join(' AND ')} ORDER BY opened_at, id ${most}`;
  return (await database.query<Row>(sql, values)).map(ticketOf);
}

interface Waiting {
  readonly get: TicketStore['get'];
  readonly wakeUps: WakeUps;
  readonly id: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

async function waitFor({ get, wakeUps, id, now, signal }: Waiting): Promise<TicketRecord | undefined> {
  const watch = wakeUps.watch(id);
  try {
    let ticket = await get(id, now());
    while (ticket?.state === 'open' && !signal.aborted) {
      await watch.news(Math.max(1, Math.min(POLL_MS, ticket.expiresAt - now())), signal);
      if (wakeUps.isClosed()) throw new HooklineError('store-unavailable', 'The store was closed while a caller waited for a ticket.');
      const known: TicketRecord = ticket;
      // A restart of the server does not end the wait. A caller that cannot wait longer aborts the signal.
      ticket = await get(id, now()).catch((error: unknown) => {
        if (signal.aborted || wakeUps.isClosed()) throw error;
        return known;
      });
    }
    return ticket;
  } finally {
    watch.end();
  }
}

function ticketOf({ state, settled_at, released_at, body, settling }: Row): TicketRecord {
  // This file wrote both texts, from a NewTicket and a Settling.
  const ticket = JSON.parse(body) as NewTicket;
  const kept = settling === null ? NOT_SETTLED : (JSON.parse(settling) as TicketSettlement);
  return { ...ticket, ...kept, state, settledAt: settled_at, releasedAt: released_at };
}

const NOT_SETTLED: TicketSettlement = { by: null, note: null, via: null, edit: null };
