/** The routes about held actions: lists, one of them with everything that a person needs, and their settlement. */
import type { Settling, TicketRecord } from '../../core/contracts/store.ts';
import type { Json } from '../../core/values/json.ts';
import { fitEdit } from '../../engine/decide/ticket.ts';
import { ticketSentences } from '../../engine/record/why.ts';
import type { SettleRequest, TicketDetail, TicketsAnswer } from '../api.ts';
import { notFound, Refusal, type Route, type RouteParts, route } from '../route.ts';
import { exactly, ref, TEXT } from '../schema.ts';
import { bindsOf, isEditable, maskedTicket, summaryOf, unmasked } from '../ticket-answers.ts';

interface ListQuery {
  readonly state?: 'open' | 'settled' | 'all';
  readonly limit?: number;
  readonly after?: string;
}

const BEFORE = 8;
/** The newest entries of a session that are looked at for changed files. */
const LOOKED_AT = 500;
/** The decision is recorded next to the ticket that it opens. */
const NEAR_MS = 60_000;
const SETTLED: ReadonlySet<string> = new Set(['ticket.approved', 'ticket.denied', 'ticket.withdrawn', 'ticket.expired']);
const OPENED: ReadonlySet<string> = new Set(['ticket.opened']);

export const TICKET_ROUTES: readonly Route[] = [
  route<ListQuery>({
    method: 'GET',
    path: '/tickets',
    says: 'Held actions: those that wait, oldest first, or those that were settled, or all of them, newest first.',
    query: {
      state: { type: 'string', enum: ['open', 'settled', 'all'] },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      after: { type: 'string', maxLength: 200, description: 'The `next` of the page before.' },
    },
    answer: ref('Tickets'),
    async handle({ query: { state = 'open', limit = 50, after } }, parts): Promise<TicketsAnswer> {
      const open = await parts.store.tickets.count({ state: 'open' }, parts.now());
      const page =
        state === 'open' ? await waiting(limit, after, parts) : await recorded(state === 'all' ? OPENED : SETTLED, limit, after, parts);
      return { tickets: page.tickets.map(summaryOf), open, next: page.next };
    },
  }),
  route({
    method: 'GET',
    path: '/tickets/{id}',
    says: 'One held action, and what a person needs to decide about it.',
    answer: ref('TicketDetail'),
    refuses: { 404: 'There is no such ticket.' },
    async handle({ path: { id = '' } }, parts): Promise<TicketDetail> {
      return ticketDetail(await ticketOf(id, parts), parts);
    },
  }),
  settling('approve', 'approved', 'Let exactly this action pass, once.'),
  settling('deny', 'denied', 'Deny the action.'),
  settling('withdraw', 'withdrawn', 'Say that the action needs no decision any more.'),
];

function settling(verb: string, state: Settling['state'], says: string): Route {
  return route<unknown, SettleRequest>({
    method: 'POST',
    path: `/tickets/{id}/${verb}`,
    says: `${says} The digest that was shown must be sent back.`,
    body: exactly(
      {
        digest: { type: 'string', minLength: 1, maxLength: 200 },
        note: { type: 'string', maxLength: 4000 },
        edit: verb === 'approve' ? { type: ['object', 'string'], description: 'The whole input that runs instead.' } : { type: 'null' },
        passphrase: { ...TEXT, maxLength: 1000 },
      },
      ['note', 'edit', 'passphrase'],
    ),
    answer: ref('TicketDetail'),
    refuses: {
      403: 'No person may be told from this page, or the passphrase is wrong.',
      404: 'There is no such ticket.',
      409: 'The digest is another one, or it is settled already: `state` and `by` say how.',
      422: 'The edit cannot be used.',
    },
    async handle({ path: { id = '' }, body, session }, parts): Promise<TicketDetail> {
      const ticket = await ticketOf(id, parts);
      if (ticket.digest !== body.digest)
        throw new Refusal(409, 'The action is another one than the page showed.', 'Look at it again. Nothing was settled.');
      if (ticket.state !== 'open') throw settledAlready(ticket);
      const edit = body.edit === undefined || body.edit === null ? null : fitted(body.edit, ticket);
      const wish = { state, edit, note: body.note ?? null, passphrase: body.passphrase };
      const result = await parts.settle(session, ticket, wish);
      parts.feed.wake();
      if ('refused' in result) throw new Refusal(403, result.refused.message, result.refused.hint);
      if (!result.won) throw settledAlready(result.ticket);
      return ticketDetail(result.ticket, parts);
    },
  });
}

async function ticketOf(id: string, { store, now }: RouteParts): Promise<TicketRecord> {
  const ticket = await store.tickets.get(id, now());
  if (!ticket) throw notFound(`ticket ${id.slice(0, 100)}`, '`GET /v1/tickets` lists those that wait.');
  return ticket;
}

function settledAlready({ id, state, by }: TicketRecord): Refusal {
  const who = by === null ? '' : ` by ${by}`;
  return new Refusal(409, `Ticket ${id} is already ${state}${who}. Nothing was changed.`, 'Look at it again.', { state, by });
}

/** The edit in the form of this kind of event, with the secrets that it leaves as they are. */
function fitted(edit: Json, ticket: TicketRecord): Json {
  try {
    return fitEdit(ticket.kind, unmasked(edit, ticket));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(422, (error as Error).message, 'Nothing was settled.');
  }
}

interface TicketPage {
  readonly tickets: readonly TicketRecord[];
  readonly next: string | null;
}

async function waiting(limit: number, after: string | undefined, { store, now }: RouteParts): Promise<TicketPage> {
  // One more shows whether there is a next page.
  const found = await store.tickets.list({ state: 'open', limit: limit + 1, ...(after !== undefined && { after }) }, now());
  const tickets = found.slice(0, limit);
  return { tickets, next: found.length > limit ? (tickets.at(-1)?.id ?? null) : null };
}

/** Finds tickets by their entries in the log, newest first, because a store lists them oldest first. */
async function recorded(
  kinds: ReadonlySet<string>,
  limit: number,
  after: string | undefined,
  { views, store, now }: RouteParts,
): Promise<TicketPage> {
  const tickets = new Map<string, TicketRecord>();
  let before = after !== undefined && /^\d{1,15}$/.test(after) ? Number(after) : undefined;
  for (;;) {
    const page = await views.entries({ sort: 'act' }, { limit: 200, ...(before !== undefined && { before }) });
    for (const { kind, ticket: id, pos } of page.entries) {
      if (id === null || !kinds.has(kind) || tickets.has(id)) continue;
      const ticket = await store.tickets.get(id, now());
      if (!ticket || (kinds === SETTLED && ticket.state === 'open')) continue;
      tickets.set(id, ticket);
      if (tickets.size === limit) return { tickets: [...tickets.values()], next: String(pos) };
    }
    if (page.next === null) return { tickets: [...tickets.values()], next: null };
    before = page.next;
  }
}

/** Returns a ticket with the session around it. */
export async function ticketDetail(ticket: TicketRecord, parts: RouteParts): Promise<TicketDetail> {
  const { views, store, changedFiles } = parts;
  const { id, session, openedAt } = ticket;
  const near = await views.entries({ session, since: openedAt - NEAR_MS, until: openedAt + NEAR_MS }, { limit: 200 });
  const entry = near.entries.findLast((one) => one.ticket === id && one.sort === 'event') ?? null;
  const upTo = entry ? { before: entry.pos } : {};
  const [before, prompts, records] = await Promise.all([
    views.entries({ session, sort: 'event', ...(!entry && { until: openedAt }) }, { limit: BEFORE, ...upTo }),
    views.entries({ session, kind: 'prompt.submit', until: openedAt }, { limit: 1 }),
    store.log.list({ session, limit: LOOKED_AT }),
  ]);
  const record = entry ? await store.log.get(entry.id) : undefined;
  return {
    ticket: maskedTicket(ticket),
    entry,
    story: record ? ticketSentences(record, ticket) : [],
    before: [...before.entries].reverse(),
    asked: prompts.entries[0]?.what ?? null,
    changedFiles: await changedFiles(records),
    binds: bindsOf(ticket),
    editable: isEditable(ticket),
  };
}
