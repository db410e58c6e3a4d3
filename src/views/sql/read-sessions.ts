/** Finds sessions with their subagents, and those that are at work now. */
import { type FlatAgent, type FlatLane, nestAgents, nestLanes } from '../lane-tree.ts';
import type { LaneView, Range, SessionFilter, SessionView } from '../views.ts';
import { visibleLine } from '../visible-text.ts';
import { positionSince, readMarks } from './read-entries.ts';
import { numberOf, type SqlDatabase, type SqlRow, type SqlValue, textIn } from './sql.ts';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 500;
const MOST_LANES = 100;
const MOST_MARKS = 300;

export async function readSessions(database: SqlDatabase, filter: SessionFilter): Promise<readonly SessionView[]> {
  const { project, host, user, since, after } = filter;
  const conditions: { sql: string; values: readonly SqlValue[] }[] = [
    ...(project === undefined ? [] : [{ sql: 'project = ?', values: [project] }]),
    ...(host === undefined ? [] : [{ sql: 'host = ?', values: [host] }]),
    ...(user === undefined ? [] : [{ sql: 'account = ?', values: [user] }]),
    ...(since === undefined ? [] : [{ sql: 'last_at >= ?', values: [since] }]),
    ...(after === undefined ? [] : [{ sql: '(last_at, id) < (?, ?)', values: [after.lastAt, after.id] }]),
  ];
  const limit = Math.max(1, Math.min(LARGEST_LIMIT, filter.limit ?? DEFAULT_LIMIT));
  const where = conditions.map(({ sql }) => sql).join(' AND ') || '1 = 1';
  const values = [...conditions.flatMap((condition) => condition.values), limit];
  return withAgents(database, await database.all(`SELECT * FROM v.session WHERE ${where} ORDER BY last_at DESC, id DESC LIMIT ?`, values));
}

export async function readSession(database: SqlDatabase, id: string): Promise<SessionView | undefined> {
  const [session] = await withAgents(database, await database.all('SELECT * FROM v.session WHERE id = ?', [visibleLine(id, 200)]));
  return session;
}

export async function readSessionCount(database: SqlDatabase, { since, until }: Range): Promise<number> {
  const [row] = await database.all('SELECT count(*) AS n FROM v.session WHERE last_at >= ? AND first_at <= ?', [since, until]);
  return numberOf(row, 'n');
}

export async function readLanes(database: SqlDatabase, range: Range): Promise<readonly LaneView[]> {
  const { since, until } = range;
  const sessions = await readSessions(database, { since, limit: MOST_LANES });
  const from = await positionSince(database, since);
  const lanes: FlatLane[] = [];
  for (const session of sessions.filter(({ firstAt }) => firstAt <= until)) {
    const marks = await readMarks(database, session.id, since, from, MOST_MARKS + 1);
    lanes.push({ session, marks: marks.slice(-MOST_MARKS), isCut: marks.length > MOST_MARKS });
  }
  return nestLanes(lanes, range);
}

async function withAgents(database: SqlDatabase, rows: readonly SqlRow[]): Promise<SessionView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => textIn(row, 'id'));
  const sql = `SELECT * FROM v.agent WHERE session IN (${ids.map(() => '?').join(', ')}) AND agent <> '' ORDER BY first_at, agent`;
  const agents = new Map<string, FlatAgent[]>();
  for (const row of await database.all(sql, ids)) {
    const session = textIn(row, 'session');
    const agent: FlatAgent = { agent: textIn(row, 'agent'), parent: row['parent'] == null ? null : textIn(row, 'parent'), ...common(row) };
    agents.set(session, [...(agents.get(session) ?? []), agent]);
  }
  return rows.map((row) => sessionFrom(row, agents.get(textIn(row, 'id')) ?? []));
}

function common(row: SqlRow): Omit<FlatAgent, 'agent' | 'parent'> {
  return {
    ...{ firstAt: numberOf(row, 'first_at'), lastAt: numberOf(row, 'last_at'), entries: numberOf(row, 'n') },
    ...{ denied: numberOf(row, 'denied'), held: numberOf(row, 'held'), asked: numberOf(row, 'asked'), faults: numberOf(row, 'faults') },
  };
}

function sessionFrom(row: SqlRow, agents: readonly FlatAgent[]): SessionView {
  const maybe = (column: string): string | null => (row[column] == null ? null : textIn(row, column));
  return {
    ...{ id: textIn(row, 'id'), parent: maybe('parent'), project: textIn(row, 'project'), host: textIn(row, 'host') },
    ...{
      hostVersion: textIn(row, 'version'),
      user: textIn(row, 'account'),
      machine: textIn(row, 'machine'),
      origin: textIn(row, 'origin'),
    },
    ...common(row),
    ...{ lastPos: numberOf(row, 'last_pos'), hookMs: numberOf(row, 'hook_us') / 1000, title: maybe('title') },
    agents: nestAgents(agents),
  };
}
