/** The routes about sessions and time: sessions, lanes of the last minutes, figures, and the values that filters can have. */
import { FACETS, type FacetName, type Range, type SessionFilter, type SessionView, type Unit, type ViewEntry } from '../../views/views.ts';
import type { FacetsAnswer, FiguresAnswer, NowAnswer, SessionAnswer, SessionsAnswer } from '../api.ts';
import { AT, FILTER_QUERY } from '../filter.ts';
import { notFound, Refusal, type Route, type RouteParts, route } from '../route.ts';
import { ref } from '../schema.ts';

interface SessionsQuery extends Pick<SessionFilter, 'project' | 'host' | 'user' | 'since' | 'limit'> {
  readonly after?: string;
}

interface RangeQuery {
  readonly since?: number;
  readonly until?: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The time that figures cover if the request does not say it. */
const COVERED: Readonly<Record<Unit, number>> = { minute: HOUR_MS, hour: 24 * HOUR_MS, day: 30 * 24 * HOUR_MS };
/** The most figures of one answer. */
const MOST_FIGURES = 3000;
const UNIT_MS: Readonly<Record<Unit, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: 24 * HOUR_MS };
const MOST_IN_LANE = 2000;

export const SESSION_ROUTES: readonly Route[] = [
  route<{ readonly minutes?: number }>({
    method: 'GET',
    path: '/now',
    says: 'The sessions at work, each with its entries of the last minutes.',
    query: { minutes: { type: 'integer', minimum: 1, maximum: 240 } },
    answer: ref('Now'),
    async handle({ query: { minutes = 15 } }, { views, now }): Promise<NowAnswer> {
      const at = now();
      const since = at - minutes * MINUTE_MS;
      // An entry of this very moment belongs to it.
      return { at, since, lanes: await views.lanes({ since, until: at + MINUTE_MS }) };
    },
  }),
  route<RangeQuery & { readonly by?: Unit }>({
    method: 'GET',
    path: '/figures',
    says: 'How many entries there were in each minute, hour or day, and how they were decided.',
    query: { by: { type: 'string', enum: ['minute', 'hour', 'day'] }, since: AT, until: AT },
    answer: ref('Figures'),
    async handle({ query: { by = 'minute', ...query } }, { views, now }): Promise<FiguresAnswer> {
      const range = rangeOf(query, COVERED[by], now());
      if ((range.until - range.since) / UNIT_MS[by] > MOST_FIGURES)
        throw new Refusal(400, `The range has more than ${MOST_FIGURES} figures.`, 'Ask for a shorter range, or a larger unit.');
      const [figures, totals, hooks] = await Promise.all([views.figures(by, range), views.totals(range), views.hooks(range)]);
      const slowest = Math.max(...hooks.flatMap(({ p95 }) => p95 ?? []));
      return { by, figures, totals, p95: Number.isFinite(slowest) ? slowest : null };
    },
  }),
  route<SessionsQuery>({
    method: 'GET',
    path: '/sessions',
    says: 'Sessions, the last used one first.',
    query: {
      ...{ project: FILTER_QUERY.project, host: FILTER_QUERY.host, user: FILTER_QUERY.user, since: AT },
      after: { type: 'string', maxLength: 5000, description: 'The `next` of the page before.' },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
    },
    answer: ref('Sessions'),
    async handle({ query: { after, limit = 50, ...filter } }, { views }): Promise<SessionsAnswer> {
      const sessions = await views.sessions({ ...filter, limit: limit + 1, ...(after !== undefined && { after: pointIn(after) }) });
      const page = sessions.slice(0, limit);
      const last = page.at(-1);
      return { sessions: page, next: last && sessions.length > limit ? pointOf(last) : null };
    },
  }),
  route({
    method: 'GET',
    path: '/sessions/{id}',
    says: 'One session with its newest entries, oldest first.',
    answer: ref('SessionDetail'),
    refuses: { 404: 'There is no such session.' },
    async handle({ path: { id = '' } }, parts): Promise<SessionAnswer> {
      const session = await parts.views.session(id);
      if (!session) throw notFound(`session ${id.slice(0, 100)}`, '`GET /v1/sessions` lists those that are there.');
      return { session, ...(await laneOf(id, parts)) };
    },
  }),
  route({
    method: 'GET',
    path: '/facets/{name}',
    says: 'The values that entries have, the most frequent first: `tool`, `kind`, `host`, `user` or `project`.',
    answer: ref('Facets'),
    refuses: { 404: 'There is no such facet.' },
    async handle({ path: { name } }, { views }): Promise<FacetsAnswer> {
      const facet = FACETS.find((one): one is FacetName => one === name);
      if (!facet) throw notFound('such facet', `Facets: ${FACETS.join(', ')}.`);
      return { values: await views.facets(facet) };
    },
  }),
];

/** Returns the range of a request, which ends now unless it says otherwise. */
export function rangeOf({ since, until }: RangeQuery, covered: number, now: number): Range {
  const end = until ?? now + MINUTE_MS;
  const range = { since: since ?? Math.min(end, now) - covered, until: end };
  if (range.since >= range.until) throw new Refusal(400, '`since` must be before `until`.', 'Correct one of them.');
  return range;
}

async function laneOf(session: string, { views }: RouteParts): Promise<Pick<SessionAnswer, 'lane' | 'isCut'>> {
  const lane: ViewEntry[] = [];
  for (let before: number | undefined; ; ) {
    const page = await views.entries({ session }, { limit: 1000, ...(before !== undefined && { before }) });
    lane.push(...page.entries);
    if (page.next === null || lane.length >= MOST_IN_LANE) return { lane: lane.reverse(), isCut: page.next !== null };
    before = page.next;
  }
}

function pointOf({ lastAt, id }: SessionView): string {
  return Buffer.from(JSON.stringify([lastAt, id])).toString('base64url');
}

function pointIn(text: string): { readonly lastAt: number; readonly id: string } {
  try {
    const [lastAt, id] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (typeof lastAt === 'number' && typeof id === 'string') return { lastAt, id };
  } catch {
    // Refused below.
  }
  throw new Refusal(400, '`after` is not the `next` of a page.', 'Begin without it.');
}
