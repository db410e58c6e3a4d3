/** The routes about the page itself: its login, what it may do, and the stream of what is new. */
import type { EntryQuery, LoginAnswer, Me } from '../api.ts';
import { MOST_STREAMS } from '../feed.ts';
import { FILTER_QUERY, filterOf } from '../filter.ts';
import { Refusal, type Route, route, type Streamed } from '../route.ts';
import { ANY, COUNT, exactly, ref } from '../schema.ts';

export const PAGE_ROUTES: readonly Route[] = [
  route<unknown, { readonly code: string }>({
    method: 'POST',
    path: '/login',
    says: 'Exchange the code of a link for a token. A code works once, for a minute.',
    isOpen: true,
    body: exactly({ code: { type: 'string', minLength: 1, maxLength: 200 } }),
    answer: ref('Login'),
    refuses: { 403: 'The code is unknown, used or old.' },
    handle({ body: { code } }, { login }): LoginAnswer {
      const found = login(code);
      if (!found) throw new Refusal(403, 'The code is unknown, was used, or is older than a minute.', 'Run `hookline ui` for a new link.');
      const { token, session } = found;
      return { token, may: session.may, because: session.because };
    },
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    says: 'This document.',
    isOpen: true,
    answer: ANY,
    handle: (_, { document }) => document(),
  }),
  route({
    method: 'GET',
    path: '/me',
    says: 'The rights of this page, and what waits.',
    answer: ref('Me'),
    async handle({ session }, parts): Promise<Me> {
      const { views, store, about, now } = parts;
      const [progress, openTickets, problems, needsPassphrase] = await Promise.all([
        views.progress(),
        store.tickets.count({ state: 'open' }, now()),
        views.problems(now()),
        parts.needsPassphrase(session),
      ]);
      const open = problems.filter(({ state }) => state === 'open').length;
      const { following } = parts.feed;
      return { may: session.may, because: session.because, ...about, needsPassphrase, progress, following, openTickets, problems: open };
    },
  }),
  route({
    method: 'POST',
    path: '/leave',
    says: 'Say that this page is no longer looked at.',
    body: exactly({}),
    answer: exactly({}),
    handle: () => ({}),
  }),
  route<EntryQuery & { readonly last?: number; readonly fold?: '1' }>({
    method: 'GET',
    path: '/stream',
    says: 'New entries, tickets and problems as they come (`entry`, `folds`, `ticket`, `problem`, `progress`, `following`, `reset`). It resumes after `last-event-id`.',
    query: {
      ...FILTER_QUERY,
      last: { ...COUNT, description: 'The position of the last entry that the page has.' },
      fold: { type: 'string', enum: ['1'], description: 'Many passes at once come as `folds`. A stream with a filter has none.' },
    },
    answer: { streams: 'text/event-stream' },
    refuses: { 429: 'Too many pages look.' },
    handle({ query: { last, fold, ...query }, lastEventId }, { feed }): Streamed {
      if (feed.clients >= MOST_STREAMS) throw new Refusal(429, `${MOST_STREAMS} pages look already.`, 'Close some of them.');
      const resumed = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : last;
      return {
        type: 'text/event-stream',
        write: (response) => feed.serve(response, { filter: filterOf(query), isFolded: fold === '1', last: resumed }),
      };
    },
  }),
];
