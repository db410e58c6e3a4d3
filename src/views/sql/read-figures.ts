/** Reads the figures of minutes, hours and days. They count entries that were pruned too. */
import { beginOf, noDecisions } from '../summarise.ts';
import type { Facet, FacetName, Figure, Range, ToolFigure, Unit, ViewDecision } from '../views.ts';
import { numberOf, type SqlDatabase, type SqlRow, textIn } from './sql.ts';

const DAY_MS = 86_400_000;

export async function readFigures(database: SqlDatabase, by: Unit, { since, until }: Range): Promise<readonly Figure[]> {
  const sql = 'SELECT * FROM v.tally WHERE unit = ? AND at >= ? AND at <= ? ORDER BY at';
  return (await database.all(sql, [by, beginOf(by, Math.max(0, since)), until])).map(figureFrom);
}

/** Sums up minutes for two days and hours for more. */
export async function readTotals(database: SqlDatabase, { since, until }: Range): Promise<Figure> {
  const unit = until - since <= 2 * DAY_MS ? 'minute' : 'hour';
  const at = beginOf(unit, Math.max(0, since));
  const sums = ['n', 'n_pass', 'n_allow', 'n_ask', 'n_hold', 'n_deny', 'n_unknown', 'faults', 'us'].map(
    (name) => `sum(${name}) AS ${name}`,
  );
  const sql = `SELECT ${sums.join(', ')} FROM v.tally WHERE unit = ? AND at >= ? AND at <= ?`;
  const [row] = await database.all(sql, [unit, at, until]);
  return figureFrom({ ...row, at });
}

function figureFrom(row: SqlRow): Figure {
  const decisions = noDecisions();
  for (const decision of Object.keys(decisions) as ViewDecision[]) decisions[decision] = numberOf(row, `n_${decision}`);
  return {
    at: numberOf(row, 'at'),
    entries: numberOf(row, 'n'),
    decisions,
    faults: numberOf(row, 'faults'),
    ms: numberOf(row, 'us') / 1000,
  };
}

export async function readTools(database: SqlDatabase, { since, until }: Range): Promise<readonly ToolFigure[]> {
  const sql = 'SELECT tool, decision, sum(n) AS n FROM v.tool_hour WHERE at >= ? AND at <= ? GROUP BY tool, decision';
  const tools = new Map<string, { tool: string; entries: number; decisions: Record<ViewDecision, number> }>();
  for (const row of await database.all(sql, [beginOf('hour', Math.max(0, since)), until])) {
    const [tool, n] = [textIn(row, 'tool'), numberOf(row, 'n')];
    const figure = tools.get(tool) ?? { tool, entries: 0, decisions: noDecisions() };
    figure.entries += n;
    figure.decisions[textIn(row, 'decision') as ViewDecision] += n;
    tools.set(tool, figure);
  }
  return [...tools.values()].sort((one, other) => other.entries - one.entries || (one.tool < other.tool ? -1 : 1));
}

/** The values that a filter can have, the most frequent first. */
export async function readFacets(database: SqlDatabase, name: FacetName): Promise<readonly Facet[]> {
  const rows = await database.all('SELECT value, n FROM v.facet WHERE name = ? ORDER BY n DESC, value LIMIT 200', [name]);
  return rows.map((row) => ({ value: textIn(row, 'value'), entries: numberOf(row, 'n') }));
}
