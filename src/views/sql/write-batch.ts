/** Adds a batch of entries to the tables, in one transaction with the position that it leads to. */
import { addWritten, writeBuckets } from '../buckets.ts';
import type { Batch, Position, Projection } from '../follower.ts';
import type { CountSum, HookTimeSum, Summary } from '../summarise.ts';
import { DERIVED } from './schema.ts';
import { numberOf, type Sql, type SqlDatabase, textIn } from './sql.ts';

/** How many entries are removed in one transaction, so that readers and other followers need not wait long. */
const PRUNED_AT_ONCE = 20_000;

export function createProjection(database: SqlDatabase): Projection {
  return {
    position: () => positionOf(database),
    apply: (batch) => apply(database, batch),
    reset: (from) => reset(database, from),
    prune: (upTo) => prune(database, upTo),
  };
}

async function positionOf(sql: Sql): Promise<Position> {
  const [row] = await sql.all('SELECT pos, hash, pruned, missing, rebuilds FROM v.progress');
  return {
    pos: numberOf(row, 'pos'),
    hash: row ? textIn(row, 'hash') : '',
    pruned: numberOf(row, 'pruned'),
    missing: numberOf(row, 'missing'),
    rebuilds: numberOf(row, 'rebuilds'),
  };
}

/** Returns false if another follower was faster. The row of the progress is changed first, so only one of them gets through. */
async function apply(database: SqlDatabase, { from, to, missing, summary }: Batch): Promise<boolean> {
  const entries = await database.write(async (sql) => {
    const moved = await sql.run(
      'UPDATE v.progress SET pos = ?, hash = ?, missing = missing + ?, entries = entries + ? WHERE pos = ? AND hash = ? AND rebuilds = ?',
      [to.seq, to.hash, missing, summary.rows.length, from.pos, from.hash, from.rebuilds],
    );
    if (moved !== 1) return undefined;
    await add(database, sql, summary);
    const [row] = await sql.all('SELECT entries, pruned FROM v.progress');
    // These were pruned from the log after they had been read from it.
    const pruned = numberOf(row, 'pruned');
    if (pruned > from.pos) await removeText(database, sql, pruned);
    return numberOf(row, 'entries');
  });
  if (entries === undefined) return false;
  await database.text.grow(entries);
  return true;
}

async function add(database: SqlDatabase, sql: Sql, summary: Summary): Promise<void> {
  const searched = summary.rows.map(({ pos, tool, what, reason }) => [pos, `${tool ?? ''} ${what} ${reason ?? ''}`.toLowerCase()] as const);
  await sql.insert(
    ENTRY,
    summary.rows.map((row, i) => [
      ...[row.pos, row.id, row.at, row.sort, row.session, row.agent, row.project, row.host, row.user, row.machine, row.origin],
      ...[row.kind, row.tool, row.decision, row.faults, row.asked, row.skipped, row.isRewritten ? 1 : 0, row.isAlarm ? 1 : 0, row.ms],
      ...[row.ticket, row.what, row.reason, row.decider, searched[i]?.[1] ?? ''],
    ]),
  );
  await database.text.add(sql, searched);
  await sql.insert(
    'INSERT INTO v.facet AS t (name, value, n, first_pos, last_pos)',
    [...summary.facets.values()].map(({ name, value, n, firstPos, lastPos }) => [name, value, n, firstPos, lastPos]),
    'ON CONFLICT (name, value) DO UPDATE SET n = t.n + excluded.n, last_pos = excluded.last_pos',
  );
  await addSessions(sql, summary);
  await addFigures(sql, summary);
  await addHooks(sql, summary);
  await addProblems(sql, summary);
}

const ENTRY = `INSERT INTO v.entry (pos, id, at, sort, session, agent, project, host, account, machine, origin, kind, tool, decision, faults,
  asked, skipped, rewritten, alarm, ms, ticket, what, reason, decider, search)`;

const COUNTED =
  'n = t.n + excluded.n, denied = t.denied + excluded.denied, held = t.held + excluded.held, asked = t.asked + excluded.asked';
const LASTED = `first_at = CASE WHEN excluded.first_at < t.first_at THEN excluded.first_at ELSE t.first_at END,
  last_at = CASE WHEN excluded.last_at > t.last_at THEN excluded.last_at ELSE t.last_at END`;

function countsOf({ n, denied, held, asked, faults }: CountSum): number[] {
  return [n, denied, held, asked, faults];
}

async function addSessions(sql: Sql, { sessions, agents }: Summary): Promise<void> {
  await sql.insert(
    `INSERT INTO v.session AS t (id, origin, account, machine, project, host, version, parent, first_at, last_at, last_pos, n, denied, held, asked,
       faults, hook_us, title, title_pos)`,
    [...sessions].map(([id, sum]) => {
      const { row, hostVersion } = sum.last;
      return [
        ...[id, row.origin, row.user, row.machine, row.project, row.host, hostVersion, sum.parent, sum.firstAt, sum.lastAt, sum.lastPos],
        ...[...countsOf(sum), sum.hookUs, sum.title, sum.titlePos],
      ];
    }),
    `ON CONFLICT (id) DO UPDATE SET origin = excluded.origin, account = excluded.account, machine = excluded.machine,
       project = excluded.project, host = excluded.host, version = excluded.version, parent = coalesce(excluded.parent, t.parent), ${LASTED},
       last_pos = excluded.last_pos, ${COUNTED}, faults = t.faults + excluded.faults, hook_us = t.hook_us + excluded.hook_us,
       title_pos = CASE WHEN t.title_pos > 0 THEN t.title_pos ELSE excluded.title_pos END,
       title = CASE WHEN t.title_pos > 0 THEN t.title ELSE excluded.title END`,
  );
  await sql.insert(
    'INSERT INTO v.agent AS t (session, agent, parent, first_at, last_at, n, denied, held, asked, faults)',
    [...agents.values()].map((sum) => [sum.session, sum.agent, sum.parent, sum.firstAt, sum.lastAt, ...countsOf(sum)]),
    `ON CONFLICT (session, agent) DO UPDATE SET parent = coalesce(excluded.parent, t.parent), ${LASTED}, ${COUNTED},
       faults = t.faults + excluded.faults`,
  );
}

async function addFigures(sql: Sql, { tallies, tools, kinds }: Summary): Promise<void> {
  await sql.insert(
    'INSERT INTO v.tally AS t (unit, at, n, n_pass, n_allow, n_ask, n_hold, n_deny, n_unknown, faults, us, first_pos, last_pos)',
    [...tallies.values()].map(({ unit, at, n, decisions: d, faults, us, firstPos, lastPos }) => [
      ...[unit, at, n, d.pass, d.allow, d.ask, d.hold, d.deny, d.unknown, faults, us, firstPos, lastPos],
    ]),
    `ON CONFLICT (unit, at) DO UPDATE SET n = t.n + excluded.n, n_pass = t.n_pass + excluded.n_pass, n_allow = t.n_allow + excluded.n_allow,
       n_ask = t.n_ask + excluded.n_ask, n_hold = t.n_hold + excluded.n_hold, n_deny = t.n_deny + excluded.n_deny,
       n_unknown = t.n_unknown + excluded.n_unknown, faults = t.faults + excluded.faults, us = t.us + excluded.us,
       last_pos = excluded.last_pos`,
  );
  await sql.insert(
    'INSERT INTO v.tool_hour AS t (at, tool, decision, n)',
    [...tools.values()].map(({ at, tool, decision, n }) => [at, tool, decision, n]),
    'ON CONFLICT (at, tool, decision) DO UPDATE SET n = t.n + excluded.n',
  );
  await sql.insert(
    'INSERT INTO v.kind_day AS t (at, kind, n)',
    [...kinds.values()].map(({ at, kind, n }) => [at, kind, n]),
    'ON CONFLICT (at, kind) DO UPDATE SET n = t.n + excluded.n',
  );
}

async function addHooks(sql: Sql, { hooks, hookTimes, hookEntries }: Summary): Promise<void> {
  await sql.insert(
    'INSERT INTO v.hook AS t (id, name, dialect, event, handler, file, line, scope, kind, first_at, last_asked, last_fault)',
    [...hooks].map(([id, { hook, kind, firstAt, lastAsked, lastFault }]) => [
      ...[id, hook.name, hook.dialect, hook.event, hook.handler, hook.file, hook.line, hook.scope],
      ...[kind, firstAt, lastAsked, lastFault],
    ]),
    `ON CONFLICT (id) DO UPDATE SET handler = excluded.handler, line = excluded.line, scope = excluded.scope, kind = excluded.kind,
       last_asked = ${laterOf('last_asked')}, last_fault = ${laterOf('last_fault')}`,
  );
  await addBefore(sql, [...hookTimes.values()]);
  await sql.insert(
    `INSERT INTO v.hook_time AS t (unit, at, hook, asked, denied, held, faulted, skipped, us, us_max, judged, cached, input, output, money,
       buckets)`,
    [...hookTimes.values()].map((sum) => [
      ...[sum.unit, sum.at, sum.hook, sum.asked, sum.denied, sum.held, sum.faulted, sum.skipped, sum.us, sum.usMax],
      ...[sum.judged, sum.cached, sum.input, sum.output, sum.money, writeBuckets(sum.buckets)],
    ]),
    `ON CONFLICT (unit, at, hook) DO UPDATE SET asked = t.asked + excluded.asked, denied = t.denied + excluded.denied,
       held = t.held + excluded.held, faulted = t.faulted + excluded.faulted, skipped = t.skipped + excluded.skipped, us = t.us + excluded.us,
       us_max = CASE WHEN excluded.us_max > t.us_max THEN excluded.us_max ELSE t.us_max END, judged = t.judged + excluded.judged,
       cached = t.cached + excluded.cached, input = t.input + excluded.input, output = t.output + excluded.output,
       money = t.money + excluded.money, buckets = excluded.buckets`,
  );
  await sql.insert(
    'INSERT INTO v.hook_entry (hook, pos, verdict)',
    hookEntries.map(({ hook, pos, verdict }) => [hook, pos, verdict]),
  );
}

function laterOf(column: string): string {
  return `CASE WHEN t.${column} IS NULL OR excluded.${column} > t.${column} THEN coalesce(excluded.${column}, t.${column}) ELSE t.${column} END`;
}

/** Adds the durations that are stored to those of the batch, because SQL cannot add them. */
async function addBefore(sql: Sql, sums: readonly HookTimeSum[]): Promise<void> {
  const times = new Map(sums.map(({ unit, at }) => [`${unit} ${at}`, { unit, at }]));
  const found = new Map(sums.map((sum) => [`${sum.unit} ${sum.at} ${sum.hook}`, sum]));
  for (const { unit, at } of times.values())
    for (const row of await sql.all('SELECT hook, buckets FROM v.hook_time WHERE unit = ? AND at = ?', [unit, at])) {
      const sum = found.get(`${unit} ${at} ${textIn(row, 'hook')}`);
      if (sum) addWritten(sum.buckets, textIn(row, 'buckets'));
    }
}

async function addProblems(sql: Sql, { problems }: Summary): Promise<void> {
  await sql.insert(
    'INSERT INTO v.problem AS t (id, kind, hook, first_at, last_at, n, unseen, shape, shape_pos)',
    [...problems].map(([id, sum]) => [id, sum.kind, sum.hook, sum.firstAt, sum.lastAt, sum.n, sum.unseen, sum.shape, sum.lastPos]),
    `ON CONFLICT (id) DO UPDATE SET ${LASTED}, n = t.n + excluded.n, unseen = t.unseen + excluded.unseen, shape = excluded.shape,
       shape_pos = excluded.shape_pos`,
  );
}

/** Begins anew, unless another follower did. */
async function reset(database: SqlDatabase, from: Position): Promise<void> {
  await database.write(async (sql) => {
    const moved = await sql.run(
      "UPDATE v.progress SET pos = 0, hash = '', pruned = 0, missing = 0, entries = 0, rebuilds = rebuilds + 1 WHERE pos = ? AND hash = ? AND rebuilds = ?",
      [from.pos, from.hash, from.rebuilds],
    );
    if (moved !== 1) return;
    await database.text.clear(sql);
    for (const table of DERIVED) await database.clear(sql, table);
  });
  await database.forget();
}

async function prune(database: SqlDatabase, upTo: number): Promise<void> {
  let { pruned } = await positionOf(database);
  while (pruned < upTo) {
    const [first] = await database.all('SELECT pos FROM v.entry ORDER BY pos LIMIT 1');
    const end = first ? Math.min(upTo, Math.max(pruned, numberOf(first, 'pos')) + PRUNED_AT_ONCE) : upTo;
    await database.write(async (sql) => {
      await sql.run('UPDATE v.progress SET pruned = ? WHERE pruned < ?', [end, end]);
      await removeText(database, sql, end);
    });
    pruned = end;
  }
  await database.forget();
}

/** Removes the entries up to this one and the texts that come from them. Their share in figures stays. */
async function removeText(database: SqlDatabase, sql: Sql, upTo: number): Promise<void> {
  await database.text.remove(sql, upTo);
  await sql.run('DELETE FROM v.entry WHERE pos <= ?', [upTo]);
  await sql.run('DELETE FROM v.hook_entry WHERE pos <= ?', [upTo]);
  await sql.run('UPDATE v.session SET title = NULL WHERE title_pos <= ? AND title IS NOT NULL', [upTo]);
  await sql.run("UPDATE v.problem SET shape = '' WHERE shape_pos <= ? AND shape <> ''", [upTo]);
}
