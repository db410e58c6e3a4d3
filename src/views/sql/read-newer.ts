/** Reads what is new for pages that look. Agents make thousands of passes in a second, so the database counts them: a page shows their number alone. */
import type { Fold, NewItem } from '../views.ts';
import { COLUMNS, entryFrom } from './read-entries.ts';
import { numberOf, type SqlDatabase, type SqlRow, textIn } from './sql.ts';

/** As `isPlainPass`, and of no ticket. */
const PLAIN = "(sort <> 'act' AND decision = 'pass' AND faults = 0 AND rewritten = 0 AND alarm = 0 AND ticket IS NULL)";

/** Passes of a session by tool. `run` counts the other entries before them, so passes with one between them are apart. */
const RUNS = `SELECT run, session, tool, count(*) AS n, min(pos) AS first_pos, max(pos) AS last_pos, min(at) AS first_at, max(at) AS last_at,
    sum(ms) AS ms
  FROM (SELECT pos, at, session, tool, ms, CASE WHEN ${PLAIN} THEN 1 ELSE 0 END AS plain,
      sum(CASE WHEN ${PLAIN} THEN 0 ELSE 1 END) OVER (ORDER BY pos) AS run
    FROM v.entry WHERE pos > ? AND pos <= ?) AS part
  WHERE plain = 1 GROUP BY run, session, tool ORDER BY max(pos)`;

export async function readNewer(database: SqlDatabase, after: number, upTo: number): Promise<readonly NewItem[]> {
  const others = await database.all(`SELECT ${COLUMNS} FROM v.entry AS e WHERE pos > ? AND pos <= ? AND NOT ${PLAIN} ORDER BY pos`, [
    ...[after, upTo],
  ]);
  const runs = new Map<number, Map<string, Fold>>();
  for (const row of await database.all(RUNS, [after, upTo])) {
    const run = numberOf(row, 'run');
    const folds = runs.get(run) ?? new Map<string, Fold>();
    runs.set(run, folds);
    const session = textIn(row, 'session');
    folds.set(session, withTool(folds.get(session), session, row));
  }
  const items: NewItem[] = [];
  for (let run = 0; run <= others.length; run++) {
    const other = others[run - 1];
    if (other) items.push({ entry: entryFrom(other) });
    const folds = runs.get(run);
    if (folds) items.push({ folds: [...folds.values()] });
  }
  return items;
}

function withTool(fold: Fold | undefined, session: string, row: SqlRow): Fold {
  const [n, tool] = [numberOf(row, 'n'), row['tool'] == null ? null : textIn(row, 'tool')];
  const tools: Record<string, number> = Object.assign(Object.create(null), fold?.tools, tool === null ? {} : { [tool]: n });
  return {
    session,
    count: (fold?.count ?? 0) + n,
    firstPos: Math.min(fold?.firstPos ?? Number.MAX_SAFE_INTEGER, numberOf(row, 'first_pos')),
    lastPos: Math.max(fold?.lastPos ?? 0, numberOf(row, 'last_pos')),
    firstAt: Math.min(fold?.firstAt ?? Number.MAX_SAFE_INTEGER, numberOf(row, 'first_at')),
    lastAt: Math.max(fold?.lastAt ?? 0, numberOf(row, 'last_at')),
    ms: (fold?.ms ?? 0) + numberOf(row, 'ms'),
    tools,
  };
}
