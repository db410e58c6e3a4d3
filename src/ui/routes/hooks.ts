/** The routes about hooks: their figures and problems, and whether those that are configured run. */
import type { ProblemChange, ProblemView } from '../../views/views.ts';
import type { AgentsAnswer, HooksAnswer, ProblemRequest, SeriesAnswer } from '../api.ts';
import { AT } from '../filter.ts';
import { notFound, Refusal, type Route, route } from '../route.ts';
import { exactly, ref } from '../schema.ts';
import { rangeOf } from './sessions.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Hooks are loaded for so many projects, the last used ones first. */
const MOST_ROOTS = 10;
/** The most points of one series. */
const LONGEST_MS = { hour: 14 * DAY_MS, day: 400 * DAY_MS } as const;

export const HOOK_ROUTES: readonly Route[] = [
  route<{ readonly since?: number; readonly until?: number }>({
    method: 'GET',
    path: '/hooks',
    says: 'Figures and problems of hooks, and the hooks of the last used projects with their states.',
    query: { since: AT, until: AT },
    answer: ref('Hooks'),
    async handle({ query }, { views, now, configured }): Promise<HooksAnswer> {
      const [hooks, problems, sessions] = await Promise.all([
        views.hooks(rangeOf(query, 7 * DAY_MS, now())),
        views.problems(now()),
        views.sessions({ limit: 200 }),
      ]);
      const roots = [...new Set(sessions.map(({ project }) => project))].filter((root) => root !== '').slice(0, MOST_ROOTS);
      return { hooks, problems, configured: await configured(roots) };
    },
  }),
  route({
    method: 'GET',
    path: '/agents',
    says: 'The agents that are found on this machine, whether they ask Hookline, and a command for a machine without any.',
    answer: ref('Agents'),
    handle: (_, { agents }): AgentsAnswer => agents(),
  }),
  route<{ readonly by?: 'hour' | 'day'; readonly since?: number; readonly until?: number }>({
    method: 'GET',
    path: '/hooks/{id}/series',
    says: 'The figures of one hook over time.',
    query: { by: { type: 'string', enum: ['hour', 'day'] }, since: AT, until: AT },
    answer: ref('Series'),
    async handle({ path: { id = '' }, query: { by = 'hour', ...query } }, { views, now }): Promise<SeriesAnswer> {
      const range = rangeOf(query, by === 'hour' ? 7 * DAY_MS : 30 * DAY_MS, now());
      if (range.until - range.since > LONGEST_MS[by])
        throw new Refusal(400, 'The range is too long for this unit.', 'Ask for a shorter range, or `by=day`.');
      return { points: await views.hookSeries(id, by, range) };
    },
  }),
  route<unknown, ProblemRequest>({
    method: 'PATCH',
    path: '/problems/{id}',
    says: 'Resolve, mute or reopen a problem. It is reopened by itself if it happens again.',
    body: exactly({ state: { type: 'string', enum: ['open', 'resolved', 'muted'] }, until: AT }, ['until']),
    answer: ref('ProblemOfHook'),
    refuses: { 404: 'There is no such problem.' },
    async handle({ path: { id = '' }, body }, { views, now }): Promise<ProblemView> {
      const find = async (): Promise<ProblemView | undefined> => (await views.problems(now())).find((problem) => problem.id === id);
      if (!(await find())) throw notFound('such problem', '`GET /v1/hooks` lists those that are there.');
      await views.changeProblem(id, changeOf(body, now()));
      return (await find()) as ProblemView;
    },
  }),
];

function changeOf({ state, until }: ProblemRequest, at: number): ProblemChange {
  if (state !== 'muted') {
    if (until !== undefined) throw new Refusal(400, '`until` is for `muted` alone.', 'Leave it out.');
    return state === 'open' ? { state } : { state, at };
  }
  if (until === undefined || until <= at) throw new Refusal(400, 'A problem is muted until a time to come.', 'Send `until`.');
  return { state, at, until };
}
