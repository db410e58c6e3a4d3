// `npm run bench:views`: the questions that people ask about a log of a million entries, each in at most 50 ms. Medians of warm runs.
// `--entries N`: another length. `--log FILE`: a log that is there, so that writing it is left out; its views are made anew.
// `--postgres`: the views are in a Postgres of their own, and the log is still in SQLite.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleSource } from '../support/bundle-source.mjs';
import { writeLongLog } from './long-log.mjs';
import { median } from './measure.mjs';

const { createSqlViews, openPostgresViews, openSqliteStore, openViews, viewsFile } = await import(
  await bundleSource('test/bench/views-parts.ts')
);

const LIMIT_MS = 50;
const RUNS = 9;
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const { values: options } = parseArgs({
  options: { entries: { type: 'string', default: '1000000' }, log: { type: 'string' }, postgres: { type: 'boolean', default: false } },
});
const server = options.postgres ? await (await import('./postgres-server.mjs')).startServer() : undefined;
const folder = mkdtempSync(path.join(tmpdir(), 'hookline-views-bench-'));
try {
  process.exitCode = (await bench(options.log ?? path.join(folder, 'log.db'))) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
}

async function bench(file) {
  const entries = Number(options.entries);
  if (!existsSync(file)) await timed(`writing ${entries} entries`, () => writeLongLog(file, entries, Date.now()));
  for (const end of ['', '-wal', '-shm']) rmSync(`${viewsFile(file)}${end}`, { force: true });
  const store = openSqliteStore(file);
  const views = server ? createSqlViews(await openPostgresViews(server.url), store.log) : await openViews(`sqlite:${file}`, store.log);
  const seconds = await timed('building the views', () =>
    views.catchUp(({ pos, head }) => {
      if (pos % 50_000 === 0) process.stderr.write(`\r${pos} of ${head} `);
    }),
  );
  const { pos } = await views.progress();
  const size = server ? '' : `, views ${megabytes(viewsFile(file))} MB`;
  console.log(`${Math.round(pos / seconds)} entries a second; log ${megabytes(file)} MB${size}`);
  const results = [];
  for (const [name, ask] of await questions(views)) {
    await ask();
    const times = [];
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now();
      await ask();
      times.push(performance.now() - start);
    }
    results.push({ name, ms: median(times) });
    const mark = median(times) <= LIMIT_MS ? ' ' : '✗';
    console.log(`${mark} ${name.padEnd(44)} ${median(times).toFixed(1).padStart(8)} ms`);
  }
  await views.close();
  await store.close();
  return results.every(({ ms }) => ms <= LIMIT_MS);
}

/** The table of the design, and the screens that need more than one figure. */
async function questions(views) {
  const [newest] = (await views.entries({}, { limit: 1 })).entries;
  const until = newest.at;
  const session = newest.session;
  const range = (ms) => ({ since: until - ms, until });
  const [hook] = await views.hooks(range(DAY));
  const middle = Math.floor(newest.pos / 2);
  const page = { limit: 100 };
  return [
    ['timeline, newest 100', () => views.entries({}, page)],
    ['… folded', () => views.folded({}, page)],
    ['… a page in the middle', () => views.entries({}, { ...page, before: middle })],
    ['… denied, 24 h', () => views.entries({ decision: ['deny'], since: until - DAY }, page)],
    ['… denied or held', () => views.entries({ decision: ['deny', 'hold'] }, page)],
    ['… tool and decision', () => views.entries({ tool: 'WebFetch', decision: ['deny'] }, page)],
    ['… a tool that never ran', () => views.entries({ tool: 'Never' }, page)],
    ['… with a fault', () => views.entries({ isFaulted: true }, page)],
    ['… of one user', () => views.entries({ user: 'bob' }, page)],
    ['… of one user, denied', () => views.entries({ user: 'bob', decision: ['deny'] }, page)],
    ['… of one project and kind', () => views.entries({ project: '/home/ann/projects/site', kind: 'tool.after' }, page)],
    ['… of one hook', () => views.entries({ hook: hook.id }, page)],
    ['… an hour a week ago', () => views.entries({ since: until - 7 * DAY, until: until - 7 * DAY + HOUR }, page)],
    ['session list, 50', () => views.sessions()],
    ['… of one project', () => views.sessions({ project: '/home/ann/projects/site' })],
    ['values of a filter', () => views.facets('tool')],
    ['one session', () => views.entries({ session }, { limit: 200 })],
    ['lanes of 15 minutes', () => views.lanes(range(15 * MINUTE))],
    ['counts by decision, 24 h', () => views.totals(range(DAY))],
    ['a bar per minute, an hour', () => views.figures('minute', range(HOUR))],
    ['tools, 7 days', () => views.tools(range(7 * DAY))],
    ['every hook: p50, p95, rates, 24 h', () => views.hooks(range(DAY))],
    ['… 7 days', () => views.hooks(range(7 * DAY))],
    ['… 30 days', () => views.hooks(range(30 * DAY))],
    ['one hook by hour, 7 days', () => views.hookSeries(hook.id, 'hour', range(7 * DAY))],
    ['problems', () => views.problems(until)],
    ['text, frequent', () => views.entries({ text: 'npm test' }, page)],
    ['text, rare', () => views.entries({ text: 'zebra-crossing' }, page)],
    ['text, never', () => views.entries({ text: 'no such text anywhere' }, page)],
    ['text, of denials', () => views.entries({ text: 'git status', decision: ['deny'] }, page)],
    ['text, rare, of denials', () => views.entries({ text: 'zebra-crossing', decision: ['deny', 'hold'] }, page)],
    ['text, frequent, with a fault', () => views.entries({ text: 'git status', isFaulted: true }, page)],
    ['text, in one session', () => views.entries({ text: 'git status', session }, page)],
    ['live tail', () => views.entries({}, { after: newest.pos - 10 })],
    ['an entry by its id', () => views.entry(newest.id)],
  ];
}

async function timed(what, work) {
  process.stderr.write(`${what} …\n`);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  process.stderr.write(`\r${what}: ${seconds.toFixed(1)} s\n`);
  return seconds;
}

function megabytes(file) {
  return Math.round(statSync(file).size / 2 ** 20);
}
