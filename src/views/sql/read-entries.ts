/** Finds entries. A time becomes a range of positions, and a page begins at a position, so a page costs the same wherever it is. */
import { foldPasses } from '../fold-passes.ts';
import { beginOf } from '../summarise.ts';
import {
  type EntryFilter,
  type EntryPage,
  FACETS,
  type FoldedPage,
  type PageOptions,
  type ViewDecision,
  type ViewEntry,
} from '../views.ts';
import { visibleLine } from '../visible-text.ts';
import { OBJECTED } from './schema.ts';
import { containing, LIKE, numberOf, type SqlDatabase, type SqlRow, type SqlValue, textIn } from './sql.ts';

const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 1000;
/** How many entries one folded page reads at most. */
const FOLDED_AT_ONCE = 1000;
const LONGEST_TEXT = 200;
const OBJECTIONS: readonly string[] = ['deny', 'hold', 'ask'];

export async function readEntries(database: SqlDatabase, filter: EntryFilter, page: PageOptions): Promise<EntryPage> {
  const limit = Math.max(1, Math.min(LARGEST_PAGE, page.limit ?? DEFAULT_PAGE));
  const found = await select(database, filter, { ...page, limit: limit + 1 });
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? (entries.at(-1)?.pos ?? null) : null };
}

export async function readFolded(database: SqlDatabase, filter: EntryFilter, { before, limit }: PageOptions): Promise<FoldedPage> {
  const wanted = Math.max(1, Math.min(LARGEST_PAGE, limit ?? DEFAULT_PAGE));
  const found = await select(database, filter, { ...(before !== undefined && { before }), limit: FOLDED_AT_ONCE + 1 });
  const { items, lastPos } = foldPasses(found.slice(0, FOLDED_AT_ONCE), wanted);
  const hasMore = found.some(({ pos }) => pos < lastPos);
  return { items, next: hasMore ? lastPos : null };
}

export async function readEntryById(database: SqlDatabase, id: string): Promise<ViewEntry | undefined> {
  const [row] = await database.all(`SELECT ${COLUMNS} FROM v.entry AS e WHERE e.id = ? ORDER BY e.pos LIMIT 1`, [visibleLine(id, 200)]);
  return row && entryFrom(row);
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

async function select(database: SqlDatabase, filter: EntryFilter, { before, after, limit = 1 }: PageOptions): Promise<ViewEntry[]> {
  const bounds = await boundsOf(database, filter);
  if (!bounds) return [];
  const text = filter.text === undefined ? '' : visibleLine(filter.text, LONGEST_TEXT).toLowerCase();
  // A session or a hook has few entries, so a look at each is faster than all places of the text.
  const isNarrow = filter.session !== undefined || filter.hook !== undefined;
  const search = text === '' || isNarrow ? undefined : await database.text.find(text);
  const from = search?.from ?? (filter.hook === undefined ? 'v.entry AS e' : 'v.hook_entry AS h JOIN v.entry AS e ON e.pos = h.pos');
  // The position of the table that is read in order.
  const pos = search ? (search.from.includes(' AS f ') ? 'f.rowid' : 'e.pos') : filter.hook === undefined ? 'e.pos' : 'h.pos';
  const conditions: Condition[] = [
    ...(search ? [{ sql: search.where, values: search.values }] : []),
    ...(text !== '' && isNarrow ? [{ sql: LIKE, values: [containing(text)] }] : []),
    ...(filter.hook === undefined ? [] : [{ sql: 'h.hook = ?', values: [filter.hook] }]),
    ...exact(filter),
    ...(bounds.first > 0 ? [{ sql: `${pos} >= ?`, values: [bounds.first] }] : []),
    ...(bounds.last < Number.MAX_SAFE_INTEGER ? [{ sql: `${pos} <= ?`, values: [bounds.last] }] : []),
    ...(before === undefined ? [] : [{ sql: `${pos} < ?`, values: [before] }]),
    ...(after === undefined ? [] : [{ sql: `${pos} > ?`, values: [after] }]),
  ];
  const where = conditions.map(({ sql }) => sql).join(' AND ') || '1 = 1';
  const order = after !== undefined && before === undefined ? 'ASC' : 'DESC';
  const values = conditions.flatMap((condition) => condition.values);
  const rows = await database.all(`SELECT ${COLUMNS} FROM ${from} WHERE ${where} ORDER BY ${pos} ${order} LIMIT ?`, [...values, limit]);
  return rows.map(entryFrom);
}

function exact({ decision, tool, kind, host, user, project, session, agent, sort, isFaulted, since, until }: EntryFilter): Condition[] {
  const same = (column: string, value: string | undefined): Condition[] =>
    value === undefined ? [] : [{ sql: `e.${column} = ?`, values: [value] }];
  return [
    ...same('session', session === undefined ? undefined : visibleLine(session, 200)),
    ...same('tool', tool),
    ...same('kind', kind),
    ...same('host', host),
    ...same('account', user),
    ...same('project', project),
    ...same('agent', agent),
    ...same('sort', sort),
    ...(decision === undefined ? [] : decisionCondition(decision)),
    ...(isFaulted ? [{ sql: 'e.faults > 0', values: [] }] : []),
    ...(since === undefined ? [] : [{ sql: 'e.at >= ?', values: [since] }]),
    ...(until === undefined ? [] : [{ sql: 'e.at <= ?', values: [until] }]),
  ];
}

function decisionCondition(decisions: readonly ViewDecision[]): Condition[] {
  const [first, ...more] = decisions;
  if (first === undefined) return [{ sql: '1 = 0', values: [] }];
  // Repeats the condition of the index, because SQLite does not know what a value may be.
  const indexed = decisions.every((one) => OBJECTIONS.includes(one)) ? [{ sql: `e.${OBJECTED}`, values: [] }] : [];
  if (more.length === 0) return [...indexed, { sql: 'e.decision = ?', values: [first] }];
  return [...indexed, { sql: `e.decision IN (${decisions.map(() => '?').join(', ')})`, values: decisions }];
}

/** Returns the positions between which all entries of the filter are; undefined if there are none. */
async function boundsOf(
  database: SqlDatabase,
  filter: EntryFilter,
): Promise<{ readonly first: number; readonly last: number } | undefined> {
  let [first, last] = [0, Number.MAX_SAFE_INTEGER];
  for (const name of FACETS) {
    const value = filter[name];
    if (value === undefined) continue;
    const [row] = await database.all('SELECT first_pos, last_pos FROM v.facet WHERE name = ? AND value = ?', [name, value]);
    if (!row) return undefined;
    [first, last] = [Math.max(first, numberOf(row, 'first_pos')), Math.min(last, numberOf(row, 'last_pos'))];
  }
  // The figures tell the positions. Acts are in none of them, so the range reaches to the next entries that are.
  const { since, until } = filter;
  if (since !== undefined) {
    const at = beginOf('hour', Math.max(0, since));
    const [row] = await database.all("SELECT last_pos FROM v.tally WHERE unit = 'hour' AND at < ? ORDER BY at DESC LIMIT 1", [at]);
    const [lowest] = await database.all("SELECT min(first_pos) AS pos FROM v.tally WHERE unit = 'hour' AND at >= ?", [at]);
    // Clocks may differ, so an earlier hour can end after this one begins.
    const begin = Math.min(numberOf(row, 'last_pos'), lowest?.['pos'] == null ? Number.MAX_SAFE_INTEGER : numberOf(lowest, 'pos'));
    first = Math.max(first, begin);
  }
  if (until !== undefined) {
    const [row] = await database.all("SELECT min(first_pos) AS pos FROM v.tally WHERE unit = 'hour' AND at > ?", [until]);
    const [highest] = await database.all("SELECT max(last_pos) AS pos FROM v.tally WHERE unit = 'hour' AND at <= ?", [until]);
    if (row?.['pos'] != null) last = Math.min(last, Math.max(numberOf(row, 'pos'), numberOf(highest, 'pos')));
  }
  return { first, last };
}

export const COLUMNS = `e.pos, e.id, e.at, e.sort, e.session, e.agent, e.project, e.host, e.account, e.machine, e.origin, e.kind, e.tool, e.decision,
  e.faults, e.asked, e.skipped, e.rewritten, e.alarm, e.ms, e.ticket, e.what, e.reason, e.decider`;

/** One literal without spreads: pages have up to a thousand rows, and each spread makes an object of its own. */
export function entryFrom(row: SqlRow): ViewEntry {
  return {
    pos: numberOf(row, 'pos'),
    id: textIn(row, 'id'),
    at: numberOf(row, 'at'),
    sort: textIn(row, 'sort') as ViewEntry['sort'],
    session: textIn(row, 'session'),
    agent: textIn(row, 'agent'),
    project: textIn(row, 'project'),
    host: textIn(row, 'host'),
    user: textIn(row, 'account'),
    machine: textIn(row, 'machine'),
    origin: textIn(row, 'origin'),
    kind: textIn(row, 'kind'),
    tool: maybeText(row, 'tool'),
    decision: textIn(row, 'decision') as ViewDecision,
    faults: numberOf(row, 'faults'),
    asked: numberOf(row, 'asked'),
    skipped: numberOf(row, 'skipped'),
    isRewritten: numberOf(row, 'rewritten') === 1,
    isAlarm: numberOf(row, 'alarm') === 1,
    ms: numberOf(row, 'ms'),
    ticket: maybeText(row, 'ticket'),
    what: textIn(row, 'what'),
    reason: maybeText(row, 'reason'),
    decider: maybeText(row, 'decider'),
  };
}

function maybeText(row: SqlRow, column: string): string | null {
  return row[column] == null ? null : textIn(row, column);
}

/** Returns the position before which no entry is of this time or later. */
export async function positionSince(database: SqlDatabase, since: number): Promise<number> {
  return (await boundsOf(database, { since }))?.first ?? 0;
}

/** Returns the newest entries of a session since a time, oldest first. `from`: the position since that time. */
export async function readMarks(database: SqlDatabase, session: string, since: number, from: number, limit: number): Promise<ViewEntry[]> {
  const sql = `SELECT ${COLUMNS} FROM v.entry AS e WHERE e.session = ? AND e.pos >= ? ORDER BY e.pos DESC LIMIT ?`;
  const rows = await database.all(sql, [session, from, limit]);
  return rows
    .map(entryFrom)
    .filter(({ at }) => at >= since)
    .reverse();
}
