/** Held actions in Postgres. Each change of state is one statement that names the state it leaves, so exactly one caller wins a race. */

import {
  type NewTicket,
  type OnUnproven,
  type Settling,
  settlementOf,
  type TicketFilter,
  type TicketRecord,
  type TicketSettlement,
  type TicketState,
  type TicketStore,
} from '../../core/contracts/store.ts';
import { ticketEntryId } from '../../core/record/ledger.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { Chain } from './chain.ts';
import { column, type Database, isGone, type Query, type Value } from './database.ts';
import { entryById } from './log.ts';
import type { WakeUps } from './wake-ups.ts';

interface Row {
  readonly id: string;
  readonly digest: string;
  readonly shared: string | null;
  readonly state: TicketState;
  readonly expires_at: number;
  readonly settled_at: number | null;
  readonly released_at: number | null;
  readonly body: string;
  readonly settling: string | null;
}

/** The polling interval for a ticket, in case a message is lost. */
const POLL_MS = 1_000;
const COLUMNS = 'id, digest, shared, state, expires_at, settled_at, released_at, body, settling';

export function createTickets(database: Database, chain: Chain, wakeUps: WakeUps): TicketStore {
  const read = createReader(database.read);
  const get: TicketStore['get'] = async (id, now) => {
    const row = await read(id);
    if (row?.state !== 'open' || row.expires_at > now) return row && ticketOf(row);
    // A ticket that has left `open` never changes its state again. If it was settled in between, its current state is final.
    await expire(chain, { condition: 'id = $2', value: column(id) }, now);
    return get(id, now);
  };
  return {
    open: (ticket, now) => open(database, chain, ticket, now),
    get,
    list: (filter, now) => list(database, chain, filter, now),
    count: (filter, now) => count(database, chain, filter, now),
    async settle(id, settling) {
      const won = await settle(read, chain, id, settling);
      // The process that wrote it, which may be another one, tells the rest.
      if (won) wakeUps.wake(id);
      const ticket = won ?? (await get(id, settling.at));
      return ticket && { ticket, won: won !== undefined };
    },
    async release(digest, now, { shared, onUnproven } = {}) {
      const own = await release(database, chain, { key: 'digest', value: digest, now, onUnproven });
      return own ?? (shared === undefined ? undefined : release(database, chain, { key: 'shared', value: shared, now, onUnproven }));
    },
    async denied(digest, now) {
      const [row] = await database.read<Row>(DENIED, [column(digest), now], 'denied');
      return row && ticketOf(row);
    },
    releaseById: (id, now, { onUnproven } = {}) => release(database, chain, { key: 'id', value: id, now, onUnproven }),
    waitFor: (id, now, signal) => waitFor({ get, wakeUps, id, now, signal }),
  };
}

type Read = (id: string) => Promise<Row | undefined>;

/** Reads tickets by their ids. Ids that are asked for during a read are read together after it. */
function createReader(query: Query): Read {
  let isReading = false;
  let waiting: { readonly id: string; done(rows: Promise<ReadonlyMap<string, Row>>): void }[] = [];
  const readAll = (): void => {
    isReading = waiting.length > 0;
    if (!isReading) return;
    const callers = waiting;
    waiting = [];
    const [id = '', ...others] = new Set(callers.map((caller) => caller.id));
    const found =
      others.length === 0
        ? query<Row>(`SELECT ${COLUMNS} FROM hookline.tickets WHERE id = $1`, [id], 'get')
        : query<Row>(`SELECT ${COLUMNS} FROM hookline.tickets WHERE id = ANY($1::text[])`, [[id, ...others]], 'get_all');
    const rows = found.then((all) => new Map(all.map((row) => [row.id, row])));
    for (const { done } of callers) done(rows);
    rows.then(readAll, readAll);
  };
  return async (id) => {
    const rows = await new Promise<ReadonlyMap<string, Row>>((resolve) => {
      waiting.push({ id: column(id), done: resolve });
      if (!isReading) readAll();
    });
    return rows.get(column(id));
  };
}

const EXPIRE = `UPDATE hookline.tickets SET state = 'expired', settled_at = expires_at`;

const DENIED = `
  SELECT ${COLUMNS} FROM hookline.tickets WHERE digest = $1 AND state = 'denied' AND expires_at > $2
  ORDER BY opened_at DESC, id DESC LIMIT 1`;

/** Expires tickets that are due, and records each. The look before costs no lock. */
async function expire(chain: Chain, { condition, value }: { condition: string; value: string | null }, now: number): Promise<void> {
  await chain.holding(async ({ query, record }) => {
    // Locks rows in the order of their ids, so that two callers cannot deadlock.
    const due = `SELECT id FROM hookline.tickets WHERE state = 'open' AND expires_at <= $1 AND ${condition} ORDER BY id FOR UPDATE`;
    const rows = await query<Row>(`${EXPIRE} WHERE id IN (${due}) RETURNING ${COLUMNS}`, value === null ? [now] : [now, value]);
    await record(rows.map((row) => ({ kind: 'ticket.expired', at: now, ticket: ticketOf(row) })));
  });
}

/** Returns the ticket if this call settled it. */
async function settle(read: Read, chain: Chain, id: string, settling: Settling): Promise<TicketRecord | undefined> {
  const { state, at, who, anyone } = settling;
  const kept = JSON.stringify(settlementOf(settling));
  // The entry tells what was settled, so the ticket is read before. Only its state can change meanwhile, and the change checks that.
  const found = await read(id);
  if (found?.state !== 'open' || found.expires_at <= at) return undefined;
  const ticket = ticketOf({ ...found, state, settled_at: at, settling: kept });
  const made = { act: 'settle', id: found.id, state, at, settling: kept, anyone: anyone === true } as const;
  const won = await chain.change(made, () => ({ kind: `ticket.${state}`, at, ticket, who }));
  return won ? ticket : undefined;
}

interface Release {
  readonly key: keyof typeof FOUND_BY;
  readonly value: string;
  readonly now: number;
  readonly onUnproven: OnUnproven | undefined;
}

/** An approval for anyone is found by the digest that all of them share. */
const FOUND_BY = { id: 'id = $1', digest: 'digest = $1', shared: 'shared = $1 AND anyone' } as const;

/** An approval is taken while the head is held, after the log has shown that it was given and not used. */
async function release(database: Database, chain: Chain, { key, value, now, onUnproven }: Release): Promise<TicketRecord | undefined> {
  const usable = `SELECT ${COLUMNS} FROM hookline.tickets
    WHERE ${FOUND_BY[key]} AND state = 'approved' AND released_at IS NULL AND expires_at > $2 ORDER BY opened_at, id`;
  const values = [column(value), now];
  // Most actions were never approved, and a look takes no lock.
  if ((await database.read(usable, values, `usable_by_${key}`)).length === 0) return undefined;
  return chain.holding(async ({ query, record }) => {
    for (const found of await query<Row>(`${usable} FOR UPDATE`, values)) {
      const approved = ticketOf(found);
      if (!(await isProven(query, chain, approved, found))) onUnproven?.(approved);
      else {
        const [row] = await query<Row>(`UPDATE hookline.tickets SET released_at = $2 WHERE id = $1 RETURNING ${COLUMNS}`, [found.id, now]);
        const ticket = row && ticketOf(row);
        if (ticket) await record([{ kind: 'ticket.released', at: now, ticket }]);
        return ticket;
      }
    }
    return undefined;
  });
}

async function isProven(query: Query, { ledger }: Chain, ticket: TicketRecord, row: Row): Promise<boolean> {
  if (!ledger) return true;
  // The row was found by its columns, and the entry tells of the rest.
  if (row.id !== column(ticket.id) || row.digest !== column(ticket.digest) || row.expires_at !== ticket.expiresAt) return false;
  if (row.shared !== (ticket.shared === undefined ? null : column(ticket.shared))) return false;
  const entry = await entryById(query, ticketEntryId(ticket.id, 'ticket.approved'));
  return entry !== undefined && ledger.proves(entry, ticket) && !(await entryById(query, ticketEntryId(ticket.id, 'ticket.released')));
}

async function open(database: Database, chain: Chain, ticket: NewTicket, now: number): ReturnType<TicketStore['open']> {
  const { id, digest, root, openedAt, expiresAt } = ticket;
  const shared = ticket.shared === undefined ? null : column(ticket.shared);
  const body = JSON.stringify(ticket);
  const made = { act: 'open', id: column(id), digest: column(digest), root: column(root), openedAt, expiresAt, body, shared } as const;
  for (;;) {
    const isNew = await chain.change(made, () => ({
      kind: 'ticket.opened',
      at: now,
      ticket: { ...ticket, ...NOT_SETTLED, state: 'open', settledAt: null, releasedAt: null },
    }));
    if (isNew)
      return { ticket: { ...(JSON.parse(body) as NewTicket), ...NOT_SETTLED, state: 'open', settledAt: null, releasedAt: null }, isNew };
    const [other] = await database.read<Row>(`SELECT ${COLUMNS} FROM hookline.tickets WHERE digest = $1 AND state = 'open'`, [
      column(digest),
    ]);
    if (other && other.expires_at > now) return { ticket: ticketOf(other), isNew: false };
    // Either the open ticket has expired, or it was settled just now.
    await expire(chain, { condition: 'digest = $2', value: column(digest) }, now);
  }
}

async function list(database: Database, chain: Chain, { limit, ...filter }: TicketFilter, now: number): Promise<readonly TicketRecord[]> {
  await expireDue(database, chain, now);
  const { where, values } = conditionsOf(filter);
  if (limit !== undefined) values.push(limit);
  const most = limit === undefined ? '' : `LIMIT $${values.length}`;
  const sql = `SELECT ${COLUMNS} FROM hookline.tickets WHERE ${where} ORDER BY opened_at, id ${most}`;
  return (await database.read<Row>(sql, values)).map(ticketOf);
}

async function count(database: Database, chain: Chain, filter: TicketFilter, now: number): Promise<number> {
  await expireDue(database, chain, now);
  const { where, values } = conditionsOf(filter);
  const [row] = await database.read<{ readonly count: string }>(`SELECT count(*) AS count FROM hookline.tickets WHERE ${where}`, values);
  return Number(row?.count);
}

async function expireDue(database: Database, chain: Chain, now: number): Promise<void> {
  const due = `SELECT 1 FROM hookline.tickets WHERE state = 'open' AND expires_at <= $1 LIMIT 1`;
  if ((await database.read(due, [now], 'due')).length > 0) await expire(chain, { condition: 'true', value: null }, now);
}

function conditionsOf({ state, root, after }: TicketFilter): { readonly where: string; readonly values: Value[] } {
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
  return { where: conditions.join(' AND '), values };
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
        if (signal.aborted || wakeUps.isClosed() || isGone(error)) throw error;
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
