/** The routes about decisions: lists, one of them as a story, and who would be asked now. */
import { isAsWritten, type LogEntry } from '../../core/record/decision-record.ts';
import { isObject, textOf } from '../../core/values/json.ts';
import { type Recorded, readRecorded } from '../../engine/record/recorded-outcome.ts';
import { explainEntry, isEndOf } from '../../engine/record/why.ts';
import { hookId } from '../../views/problem-shape.ts';
import type { EntryFilter, EntryPage, FoldedPage, ViewEntry } from '../../views/views.ts';
import type { DayCount, EntryDetail, EntryQuery, PlanAnswer } from '../api.ts';
import { FILTER_QUERY, filterOf } from '../filter.ts';
import { notFound, type Route, type RouteParts, route } from '../route.ts';
import { COUNT, ref } from '../schema.ts';
import { ticketDetail } from './tickets.ts';

interface PageQuery extends EntryQuery {
  readonly before?: number;
  readonly limit?: number;
  readonly fold?: '1';
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FOLLOWED = 5;
const MOST_COUNTED = 1000;
/** A background hook that ends at once may be recorded shortly before its event. */
const NEAR = 50;

export const DECISION_ROUTES: readonly Route[] = [
  route<PageQuery>({
    method: 'GET',
    path: '/entries',
    says: 'A page of entries, newest first. With `fold=1`, runs of passes of a session are one item.',
    query: {
      ...FILTER_QUERY,
      before: { ...COUNT, description: 'Entries before this position.' },
      limit: { type: 'integer', minimum: 1, maximum: 1000 },
      fold: { type: 'string', enum: ['1'] },
    },
    answer: { anyOf: [ref('EntryPage'), ref('FoldedPage')] },
    handle({ query: { before, limit, fold, ...query } }, { views }): Promise<EntryPage | FoldedPage> {
      const page = { ...(before !== undefined && { before }), ...(limit !== undefined && { limit }) };
      return fold === '1' ? views.folded(filterOf(query), page) : views.entries(filterOf(query), page);
    },
  }),
  route<EntryQuery>({
    method: 'GET',
    path: '/entries/{id}',
    says: 'One entry as a story. The filter of the list tells which entries are next to it.',
    query: FILTER_QUERY,
    answer: ref('EntryDetail'),
    refuses: { 404: 'There is no such entry.' },
    async handle({ path: { id = '' }, query }, parts): Promise<EntryDetail> {
      const { views, store, now } = parts;
      const { entry, record } = await found(id, parts);
      const ticket = record.ticket === null ? undefined : await store.tickets.get(record.ticket, now());
      const outcome = readRecorded(record);
      const command = commandOf(record);
      const { entries: followed } = await views.entries({ session: entry.session }, { after: entry.pos, limit: FOLLOWED });
      return {
        entry,
        record,
        title: (await views.session(entry.session))?.title ?? null,
        story: explainEntry(record, ticket, await endingsOf(record, parts)),
        command,
        marks: command === null || entry.decision === 'pass' ? [] : await parts.marks(command, record),
        told: toldBy(outcome),
        hooks: outcome.hooks,
        followed,
        sameHookWeek: await weekOf(outcome, parts),
        neighbours: await neighboursOf(entry, filterOf(query), parts),
        chain: await chainOf(record, parts),
        ticket: ticket ? await ticketDetail(ticket, parts) : null,
      };
    },
  }),
  route({
    method: 'GET',
    path: '/entries/{id}/plan',
    says: 'The hooks that would be asked about the same event now. Runs nothing.',
    answer: ref('Plan'),
    refuses: { 404: 'There is no such entry.' },
    async handle({ path: { id = '' } }, parts): Promise<PlanAnswer> {
      const { record } = await found(id, parts);
      return parts.plan({ entry: record });
    },
  }),
];

async function found(id: string, { views, store }: RouteParts): Promise<{ readonly entry: ViewEntry; readonly record: LogEntry }> {
  const [entry, record] = await Promise.all([views.entry(id), store.log.get(id)]);
  if (!entry || !record)
    throw notFound(`entry ${id.slice(0, 100)}`, 'It may have been removed: the log keeps entries as long as its settings say.');
  return { entry, record };
}

async function endingsOf(record: LogEntry, { store }: RouteParts): Promise<readonly LogEntry[]> {
  const later = await store.log.list({ session: record.session, after: Math.max(0, record.seq - NEAR), limit: 1000 });
  return later.filter((one) => isEndOf(one, record.id));
}

/** The command of the action, as far as it is text. */
function commandOf({ data }: LogEntry): string | null {
  const { input } = data;
  return (isObject(input) ? textOf(input['command']) : undefined) ?? null;
}

/** Returns the text that reached the agent: the reason of a denial, the feedback of a stop, or the added context. */
function toldBy({ decision, reason, continue: goesOn, halt, context }: Recorded): string | null {
  const texts = [decision === 'deny' || decision === 'hold' || decision === 'ask' ? reason : null, goesOn, halt, ...context];
  const told = texts.filter((text) => text !== null && text !== undefined && text !== '');
  return told.length === 0 ? null : [...new Set(told)].join('\n\n');
}

/** Counts how often the hook that decided did so on each of the last days. */
async function weekOf({ hooks, decision }: Recorded, { views, now }: RouteParts): Promise<readonly DayCount[]> {
  const decided = hooks.find((hook) => hook.decision === decision && decision !== 'pass') ?? hooks.find(({ fault }) => fault !== undefined);
  if (!decided) return [];
  const today = Math.floor(now() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: 7 }, (_, i) => today - (6 - i) * DAY_MS);
  const id = hookId(decided.dialect, decided.event, decided.name, decided.source.file);
  const { entries } = await views.entries({ hook: id, since: days[0] as number }, { limit: MOST_COUNTED });
  return days.map((at) => ({ at, entries: entries.filter((entry) => entry.at >= at && entry.at < at + DAY_MS).length }));
}

async function neighboursOf({ pos }: ViewEntry, filter: EntryFilter, { views }: RouteParts): Promise<EntryDetail['neighbours']> {
  const [newer, older] = await Promise.all([
    views.entries(filter, { after: pos, limit: 1 }),
    views.entries(filter, { before: pos, limit: 1 }),
  ]);
  return { newer: newer.entries[0]?.id ?? null, older: older.entries[0]?.id ?? null };
}

/** Checks an entry by its hash, and by the entry before it. */
async function chainOf(record: LogEntry, { store, hash }: RouteParts): Promise<EntryDetail['chain']> {
  if (record.unreadable !== undefined) return 'unreadable';
  if (!isAsWritten(record, hash)) return 'altered';
  const anchor = await store.log.anchor();
  const [before] = record.seq - 1 > anchor.seq ? await store.log.list({ after: record.seq - 2, limit: 1 }) : [];
  const previous = record.seq - 1 > anchor.seq ? (before?.seq === record.seq - 1 ? before.hash : undefined) : anchor.hash;
  return previous === record.previous ? 'sound' : 'altered';
}
