/** The routes about the log as a whole: verify it with progress, and export it. */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { FORMATS, type FormatName } from '../../engine/record/export/export-log.ts';
import type { VerifyDone, VerifyProgress } from '../api.ts';
import { Refusal, type Route, type RouteParts, route, type Streamed } from '../route.ts';

const PROGRESS_MS = 100;
let isVerifying = false;

export const LOG_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/log/verify',
    says: 'Verify that the log is complete and unchanged: `progress` with `checked` and `total`, then `done` with the problems.',
    answer: { streams: 'text/event-stream' },
    refuses: { 429: 'It is being verified already.' },
    handle({ signal }, parts): Streamed {
      if (isVerifying) throw new Refusal(429, 'The log is being verified already.', 'Wait for the end of it.');
      return { type: 'text/event-stream; charset=utf-8', headers: {}, write: (response) => verify(response, signal, parts) };
    },
  }),
  route<{ readonly format?: FormatName }>({
    method: 'GET',
    path: '/log/export',
    says: 'The whole log, as `hookline log export` writes it.',
    query: { format: { type: 'string', enum: Object.keys(FORMATS) } },
    answer: { streams: 'application/octet-stream' },
    handle({ query: { format = 'ndjson' }, signal }, { exported }): Streamed {
      const headers = { 'content-disposition': `attachment; filename="hookline-log.${format}"` };
      return { type: 'application/octet-stream', headers, write: (response) => pour(exported(format), response, signal) };
    },
  }),
];

async function verify(response: ServerResponse, signal: AbortSignal, { store, verify: check }: RouteParts): Promise<void> {
  isVerifying = true;
  try {
    const [anchor, head] = [await store.log.anchor(), await store.log.head()];
    const total = head.seq - anchor.seq;
    const tell = (event: string, data: VerifyProgress | VerifyDone): void =>
      void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    let told = Number.NEGATIVE_INFINITY;
    tell('progress', { checked: 0, total });
    const {
      ok,
      entries,
      head: last,
      sealed,
      problems,
    } = await check((checked) => {
      // A page that left needs no result.
      if (signal.aborted) throw new Refusal(499, 'The page left.', '');
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      tell('progress', { checked, total: Math.max(total, checked) });
    });
    tell('progress', { checked: entries, total: entries });
    tell('done', { ok, entries, head: last, sealed, problems });
    response.end();
  } finally {
    isVerifying = false;
  }
}

async function pour(parts: AsyncIterable<string>, response: ServerResponse, signal: AbortSignal): Promise<void> {
  for await (const part of parts) {
    if (signal.aborted) return;
    if (!response.write(part)) await once(response, 'drain', { signal }).catch(() => {});
  }
  response.end();
}
