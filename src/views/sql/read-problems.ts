/** Reads problems: faults that are alike, hooks that became slow or quiet, and what people did about them. */
import { addWritten, type Buckets, percentile } from '../buckets.ts';
import { type FoundProblem, faultSentence, type HookDay, QUIET_DAYS, quietHook, slowHook } from '../find-problems.ts';
import { shownShape } from '../problem-shape.ts';
import { beginOf, lengthOf } from '../summarise.ts';
import type { HookView, ProblemChange, ProblemView } from '../views.ts';
import { hookFrom } from './read-hooks.ts';
import { maybeNumber, numberOf, type SqlDatabase, type SqlRow, textIn } from './sql.ts';

const DAY_MS = lengthOf('day');
/** A week, and the days in which a hook is quiet. */
const LOOKED_BACK_DAYS = 10;
const MOST = 500;

export async function readProblems(database: SqlDatabase, now: number): Promise<readonly ProblemView[]> {
  const hooks = (await database.all('SELECT * FROM v.hook')).map((row) => ({ view: hookFrom(row), kind: textIn(row, 'kind') }));
  const byId = new Map(hooks.map(({ view }) => [view.id, view]));
  const rows = await database.all('SELECT * FROM v.problem ORDER BY last_at DESC LIMIT ?', [MOST]);
  const found = [...rows.map((row) => problemFrom(row, byId)), ...(await habits(database, hooks, now))];
  const states = new Map((await database.all('SELECT * FROM v.problem_state')).map((row) => [textIn(row, 'id'), row]));
  return found
    .map((problem) => ({ ...problem, ...stateOf(problem, states.get(problem.id), now) }))
    .sort((one, other) => ORDER[one.state] - ORDER[other.state] || other.lastAt - one.lastAt || (one.id < other.id ? -1 : 1));
}

const ORDER: Readonly<Record<ProblemView['state'], number>> = { open: 0, muted: 1, resolved: 2 };

function problemFrom(row: SqlRow, hooks: ReadonlyMap<string, HookView>): FoundProblem {
  const [kind, detail] = [textIn(row, 'kind'), shownShape(textIn(row, 'shape'))];
  const [count, unseen] = [numberOf(row, 'n'), numberOf(row, 'unseen')];
  const hook = hooks.get(textIn(row, 'hook')) ?? null;
  const says = faultSentence(kind, hook, detail, count, unseen);
  return {
    id: textIn(row, 'id'),
    kind,
    hook,
    detail,
    says,
    firstAt: numberOf(row, 'first_at'),
    lastAt: numberOf(row, 'last_at'),
    count,
    unseen,
  };
}

type State = Pick<ProblemView, 'state' | 'isReopened' | 'mutedUntil'>;

/** A problem that was resolved is open again as soon as it happens again. */
function stateOf({ lastAt }: FoundProblem, row: SqlRow | undefined, now: number): State {
  const open: State = { state: 'open', isReopened: false, mutedUntil: null };
  if (!row) return open;
  if (row['state'] === 'resolved') return lastAt > numberOf(row, 'at') ? { ...open, isReopened: true } : { ...open, state: 'resolved' };
  const until = maybeNumber(row, 'until');
  return row['state'] === 'muted' && until !== null && now < until ? { ...open, state: 'muted', mutedUntil: until } : open;
}

async function habits(database: SqlDatabase, hooks: readonly { view: HookView; kind: string }[], now: number): Promise<FoundProblem[]> {
  const today = beginOf('day', now);
  const days = new Map<string, HookDay[]>();
  const since = today - LOOKED_BACK_DAYS * DAY_MS;
  for (const row of await database.all("SELECT hook, at, asked, buckets FROM v.hook_time WHERE unit = 'day' AND at >= ? AND at <= ?", [
    since,
    today,
  ])) {
    const buckets: Buckets = new Map();
    addWritten(buckets, textIn(row, 'buckets'));
    const day = { at: numberOf(row, 'at'), asked: numberOf(row, 'asked'), p95: percentile(buckets, 0.95) };
    days.set(textIn(row, 'hook'), [...(days.get(textIn(row, 'hook')) ?? []), day]);
  }
  const recent = today - (QUIET_DAYS - 1) * DAY_MS;
  const fired = new Set(
    (await database.all('SELECT DISTINCT kind FROM v.kind_day WHERE at >= ?', [recent])).map((row) => textIn(row, 'kind')),
  );
  return hooks.flatMap(({ view: hook, kind }) => {
    const history = { hook, days: days.get(hook.id) ?? [], isFired: fired.has(kind) };
    return [...slowHook(history, today), ...quietHook(history, today)];
  });
}

export async function changeProblem(database: SqlDatabase, id: string, change: ProblemChange): Promise<void> {
  await database.write(async (sql) => {
    if (change.state === 'open') await sql.run('DELETE FROM v.problem_state WHERE id = ?', [id]);
    else
      await sql.insert(
        'INSERT INTO v.problem_state (id, state, at, until)',
        [[id, change.state, change.at, change.state === 'muted' ? change.until : null]],
        'ON CONFLICT (id) DO UPDATE SET state = excluded.state, at = excluded.at, until = excluded.until',
      );
  });
}
