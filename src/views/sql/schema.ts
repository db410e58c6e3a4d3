/** The tables of the views. Another version of them is dropped and built anew from the log; only the state of problems is kept. */
import type { Sql } from './sql.ts';

/** Changes with the tables, and with what is put into them. */
export const VERSION = 4;

/** Everything that follows from the log, and is emptied when the views are built anew. */
export const DERIVED = [
  'entry',
  'facet',
  'session',
  'agent',
  'tally',
  'tool_hour',
  'kind_day',
  'hook',
  'hook_time',
  'hook_entry',
  'problem',
];

/** The condition of an index, which a statement repeats word by word so that SQLite uses the index. */
export const OBJECTED = "decision IN ('deny', 'hold', 'ask')";

/** @param whole the type of a whole number that is the key of a table */
export function tables(whole: 'INTEGER' | 'bigint'): readonly string[] {
  return [
    `CREATE TABLE v.entry (pos ${whole} PRIMARY KEY, id text NOT NULL, at bigint NOT NULL, sort text NOT NULL, session text NOT NULL,
       agent text NOT NULL, project text NOT NULL, host text NOT NULL, account text NOT NULL, machine text NOT NULL, origin text NOT NULL,
       kind text NOT NULL, tool text, decision text NOT NULL, faults integer NOT NULL, asked integer NOT NULL, skipped integer NOT NULL,
       rewritten integer NOT NULL, alarm integer NOT NULL, ms double precision NOT NULL, ticket text, what text NOT NULL, reason text,
       decider text, search text NOT NULL)`,
    'CREATE INDEX entry_by_session ON v.entry (session, pos)',
    'CREATE INDEX entry_by_account ON v.entry (account, pos)',
    'CREATE INDEX entry_by_tool ON v.entry (tool, decision, pos)',
    `CREATE INDEX entry_objected ON v.entry (decision, pos) WHERE ${OBJECTED}`,
    // In the order of a page, for several decisions at once and for a text among them.
    `CREATE INDEX entry_objected_by_pos ON v.entry (pos) WHERE ${OBJECTED}`,
    'CREATE INDEX entry_faulted ON v.entry (pos) WHERE faults > 0',
    'CREATE INDEX entry_by_id ON v.entry (id)',
    `CREATE TABLE v.facet (name text NOT NULL, value text NOT NULL, n bigint NOT NULL, first_pos bigint NOT NULL, last_pos bigint NOT NULL,
       PRIMARY KEY (name, value))`,
    `CREATE TABLE v.session (id text PRIMARY KEY, origin text NOT NULL, account text NOT NULL, machine text NOT NULL, project text NOT NULL,
       host text NOT NULL, version text NOT NULL, parent text, first_at bigint NOT NULL, last_at bigint NOT NULL, last_pos bigint NOT NULL,
       n bigint NOT NULL, denied bigint NOT NULL, held bigint NOT NULL, asked bigint NOT NULL, faults bigint NOT NULL,
       hook_us bigint NOT NULL, title text, title_pos bigint NOT NULL)`,
    'CREATE INDEX session_by_age ON v.session (last_at, id)',
    'CREATE INDEX session_by_account ON v.session (account, last_at, id)',
    `CREATE TABLE v.agent (session text NOT NULL, agent text NOT NULL, parent text, first_at bigint NOT NULL, last_at bigint NOT NULL,
       n bigint NOT NULL, denied bigint NOT NULL, held bigint NOT NULL, asked bigint NOT NULL, faults bigint NOT NULL,
       PRIMARY KEY (session, agent))`,
    `CREATE TABLE v.tally (unit text NOT NULL, at bigint NOT NULL, n bigint NOT NULL, n_pass bigint NOT NULL, n_allow bigint NOT NULL,
       n_ask bigint NOT NULL, n_hold bigint NOT NULL, n_deny bigint NOT NULL, n_unknown bigint NOT NULL, faults bigint NOT NULL,
       us bigint NOT NULL, first_pos bigint NOT NULL, last_pos bigint NOT NULL, PRIMARY KEY (unit, at))`,
    `CREATE TABLE v.tool_hour (at bigint NOT NULL, tool text NOT NULL, decision text NOT NULL, n bigint NOT NULL,
       PRIMARY KEY (at, tool, decision))`,
    'CREATE TABLE v.kind_day (at bigint NOT NULL, kind text NOT NULL, n bigint NOT NULL, PRIMARY KEY (at, kind))',
    `CREATE TABLE v.hook (id text PRIMARY KEY, name text NOT NULL, dialect text NOT NULL, event text NOT NULL, handler text NOT NULL,
       file text NOT NULL, line integer, scope text NOT NULL, kind text NOT NULL, first_at bigint NOT NULL, last_asked bigint, last_fault bigint)`,
    `CREATE TABLE v.hook_time (unit text NOT NULL, at bigint NOT NULL, hook text NOT NULL, asked bigint NOT NULL, denied bigint NOT NULL,
       held bigint NOT NULL, faulted bigint NOT NULL, skipped bigint NOT NULL, us bigint NOT NULL, us_max bigint NOT NULL,
       judged bigint NOT NULL, cached bigint NOT NULL, input bigint NOT NULL, output bigint NOT NULL, money bigint NOT NULL,
       buckets text NOT NULL, PRIMARY KEY (unit, at, hook))`,
    'CREATE INDEX hook_time_by_hook ON v.hook_time (hook, unit, at)',
    'CREATE TABLE v.hook_entry (hook text NOT NULL, pos bigint NOT NULL, verdict text NOT NULL, PRIMARY KEY (hook, pos))',
    'CREATE INDEX hook_entry_by_pos ON v.hook_entry (pos)',
    `CREATE TABLE v.problem (id text PRIMARY KEY, kind text NOT NULL, hook text NOT NULL, first_at bigint NOT NULL, last_at bigint NOT NULL,
       n bigint NOT NULL, unseen bigint NOT NULL, shape text NOT NULL, shape_pos bigint NOT NULL)`,
    `CREATE TABLE v.progress (one integer PRIMARY KEY, pos bigint NOT NULL, hash text NOT NULL, pruned bigint NOT NULL, missing bigint NOT NULL,
       entries bigint NOT NULL, rebuilds bigint NOT NULL)`,
    "INSERT INTO v.progress (one, pos, hash, pruned, missing, entries, rebuilds) VALUES (1, 0, '', 0, 0, 0, 0)",
  ];
}

/** Kept in every version, so it has no column that depends on one. */
const KEPT = [
  'CREATE TABLE IF NOT EXISTS v.about (one integer PRIMARY KEY, version integer NOT NULL)',
  'CREATE TABLE IF NOT EXISTS v.problem_state (id text PRIMARY KEY, state text NOT NULL, at bigint NOT NULL, until bigint)',
];

/** Makes the tables of this version, within a transaction that holds the lock of the store. */
export async function createTables(sql: Sql, whole: 'INTEGER' | 'bigint', others: readonly string[] = []): Promise<void> {
  for (const statement of KEPT) await sql.run(statement);
  const [about] = await sql.all('SELECT version FROM v.about');
  if (about && Number(about['version']) === VERSION) return;
  for (const table of [...DERIVED, 'progress', ...others]) await sql.run(`DROP TABLE IF EXISTS v.${table}`);
  for (const statement of tables(whole)) await sql.run(statement);
  await sql.run('DELETE FROM v.about');
  await sql.run('INSERT INTO v.about (one, version) VALUES (1, ?)', [VERSION]);
}
