// `npm run simulate`: what a company of a given size asks of Hookline, from the costs that the bench measured (docs/performance.json).
// `--write` puts the tables into docs/scale.md. The same figures give the same tables: the random numbers have a fixed seed.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../docs', import.meta.url));

/** How people work. Every number is an assumption: change it here and look again. */
export const WORK = {
  /** Agents that one developer has at work, on average over the hours of work. */
  agentsPerDeveloper: 0.5,
  hoursPerDay: 8,
  toolCallsPerMinute: 6,
  /** Before and after the call. */
  eventsPerCall: 2,
  /** Prompts, stops, subagents, sessions. */
  otherEventsPerMinute: 1,
  /** Events on which a hook runs, so that they are recorded: the guard on shell commands, and a few others. */
  recordedShare: 0.45,
  /** Recorded events that wait for a person. */
  heldShare: 0.004,
  /** The busiest minute of a day, against its mean. */
  peak: 2.5,
  keepDays: 90,
};

export const SIZES = [200, 2_000, 100_000];
/** Connections that a Postgres server accepts as it is installed. */
const CONNECTIONS = 100;
/** Beyond this share of its capacity a queue grows faster than it is worked off in the busiest minute. */
const FULL = 0.7;

/** The figures of the bench, by the names of its rows. */
export function costsFrom({ rows }) {
  const figure = (name) => {
    const found = rows.find((row) => row.name.trim() === name);
    if (!found) throw new Error(`docs/performance.json has no row "${name}". Run \`npm run bench -- --page\`.`);
    return found.figure;
  };
  return {
    clientMs: figure('one event by the installed entry, in bash (CPU)'),
    serverMs: 1 / figure('events a second by HTTP, in thousands'),
    coldMs: figure('started for one event: `hookline hook` with the guard, recorded (CPU)'),
    sqliteMs: figure('a decision in the log (SQLite)') / 1000,
    sqliteBytes: figure('bytes of an entry, SQLite'),
    postgresMs: figure(rows.find(({ name }) => /^an entry in Postgres, \d+ clients at once/.test(name))?.name ?? 'an entry in Postgres'),
    postgresBytes: figure('bytes of an entry with its indexes, Postgres'),
  };
}

export function simulate(developers, costs, work = WORK) {
  const agents = developers * work.agentsPerDeveloper;
  const perMinute = agents * (work.toolCallsPerMinute * work.eventsPerCall + work.otherEventsPerMinute);
  const events = perMinute / 60;
  const recorded = events * work.recordedShare;
  const rows = recorded * 3600 * work.hoursPerDay;
  const capacity = 1000 / costs.postgresMs;
  return {
    developers,
    agents,
    events,
    peakEvents: events * work.peak,
    peakRecorded: recorded * work.peak,
    rows,
    bytes: rows * costs.postgresBytes,
    kept: rows * costs.postgresBytes * work.keepDays,
    tickets: rows * work.heldShare,
    /** Logs that the busiest minute needs, if none may be fuller than `FULL`. */
    logs: Math.max(1, Math.ceil((recorded * work.peak) / (capacity * FULL))),
    ...oneLog(recorded * work.peak, costs.postgresMs),
    /** On the machine of one developer: seconds of CPU in a day, with a server that is warm and without one. */
    warmSeconds: ((events / developers) * 3600 * work.hoursPerDay * (costs.clientMs + costs.serverMs)) / 1000,
    coldSeconds: ((events / developers) * 3600 * work.hoursPerDay * costs.coldMs) / 1000,
  };
}

/** A minute at the peak: events arrive at random, and one log writes them one after the other. Returns how long an event waits for its entry. */
function oneLog(perSecond, serviceMs) {
  const random = seeded(7);
  const waits = [];
  let now = 0;
  let free = 0;
  while (now < 60_000 && waits.length < 400_000) {
    now += (-Math.log(1 - random()) / perSecond) * 1000;
    const start = Math.max(now, free);
    // Half of the time is the same for every entry, the other half varies.
    free = start + serviceMs * (0.5 - 0.5 * Math.log(1 - random()));
    waits.push(free - now);
  }
  waits.sort((a, b) => a - b);
  return {
    load: (perSecond * serviceMs) / 1000,
    p50: waits[Math.floor(waits.length / 2)] ?? 0,
    p99: waits[Math.floor(waits.length * 0.99)] ?? 0,
  };
}

/** The number of developers at which each limit is reached, the first one first. */
export function limits(costs, work = WORK) {
  const perDeveloper = simulate(1, costs, work);
  const reach = (most, each) => Math.floor(most / each);
  const capacity = 1000 / costs.postgresMs;
  return [
    [
      'connections of Postgres as installed',
      `${CONNECTIONS} of them, one for each machine at work`,
      reach(CONNECTIONS, work.agentsPerDeveloper),
    ],
    [
      'one log in Postgres',
      `${number(capacity * FULL)} entries a second in the busiest minute`,
      reach(capacity * FULL, perDeveloper.peakRecorded),
    ],
    ['a disk of 1 TB', `${work.keepDays} days of entries`, reach(1e12, perDeveloper.kept)],
  ].sort((a, b) => a[2] - b[2]);
}

/** mulberry32: small, fast, and the same on every machine. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The tables of the page. */
export function tables(costs, work = WORK) {
  const results = SIZES.map((developers) => simulate(developers, costs, work));
  const line = (name, show) => `| ${name} | ${results.map(show).join(' | ')} |`;
  const main = [
    `| | ${SIZES.map((size) => `${number(size)} developers`).join(' | ')} |`,
    `|---|${SIZES.map(() => '---').join('|')}|`,
    line('agents at work', ({ agents }) => number(agents)),
    line('events a second, mean', ({ events }) => number(events)),
    line('events a second, busiest minute', ({ peakEvents }) => number(peakEvents)),
    line('entries a second, busiest minute', ({ peakRecorded }) => number(peakRecorded)),
    line('rows a day', ({ rows }) => number(rows)),
    line('bytes a day', ({ bytes }) => size(bytes)),
    line(`bytes kept in ${work.keepDays} days`, ({ kept }) => size(kept)),
    line('held actions a day', ({ tickets }) => number(tickets)),
    line('one log: share of its capacity in the busiest minute', ({ load }) => `${number(load * 100)} %`),
    line('one log: an entry waits (median, 99 of 100)', ({ p50, p99, load }) =>
      load >= 1 ? 'does not keep up' : `${ms(p50)}, ${ms(p99)}`,
    ),
    line('logs that are needed', ({ logs }) => number(logs)),
    line('CPU of one developer a day, server warm', ({ warmSeconds }) => `${number(warmSeconds)} s`),
    line('CPU of one developer a day, no server', ({ coldSeconds }) => `${number(coldSeconds)} s`),
  ];
  const first = [
    '| limit | reached at | because of |',
    '|---|---|---|',
    ...limits(costs, work).map(([name, what, at]) => `| ${name} | ${number(at)} developers | ${what} |`),
  ];
  return { main: main.join('\n'), limits: first.join('\n') };
}

/** Two figures that count. */
function number(value) {
  if (value === 0) return '0';
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value))));
  const rounded =
    digits > 0
      ? Number(value.toFixed(digits))
      : Math.round(value / 10 ** (Math.floor(Math.log10(value)) - 1)) * 10 ** (Math.floor(Math.log10(value)) - 1);
  return rounded.toLocaleString('en-GB');
}

function size(bytes) {
  const [unit, name] = [
    [1e12, 'TB'],
    [1e9, 'GB'],
    [1e6, 'MB'],
  ].find(([most]) => bytes >= most) ?? [1e3, 'kB'];
  return `${number(bytes / unit)} ${name}`;
}

function ms(value) {
  return `${number(value)} ms`;
}

export function written(page, { main, limits: first }) {
  return page
    .replace(/(<!-- simulation -->\n)[\s\S]*?(\n<!-- \/simulation -->)/, (_, begin, end) => `${begin}${main}${end}`)
    .replace(/(<!-- limits -->\n)[\s\S]*?(\n<!-- \/limits -->)/, (_, begin, end) => `${begin}${first}${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = tables(costsFrom(JSON.parse(readFileSync(path.join(docs, 'performance.json'), 'utf8'))));
  const page = path.join(docs, 'scale.md');
  if (process.argv.includes('--write')) writeFileSync(page, written(readFileSync(page, 'utf8'), found));
  console.log(`${found.main}\n\n${found.limits}`);
}
