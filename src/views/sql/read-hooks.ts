/** Reads the figures of hooks. More than two days are read from the figures of days, with hours only at the ends. */
import { addWritten, type Buckets, percentile } from '../buckets.ts';
import { beginOf, lengthOf } from '../summarise.ts';
import type { HookFigures, HookPoint, HookView, Range } from '../views.ts';
import { readSessionCount } from './read-sessions.ts';
import { maybeNumber, numberOf, type SqlDatabase, type SqlRow, type SqlValue, textIn } from './sql.ts';

const LARGEST_IN_HOURS = 2 * lengthOf('day');
/** More bars than these are too thin to be seen. */
const MOST_PARTS = 48;

interface Sum {
  readonly counts: Record<(typeof COUNTS)[number], number>;
  usMax: number;
  readonly buckets: Buckets;
  readonly byTime: number[];
}

/** Divides a range into equal parts. */
interface Parts {
  readonly from: number;
  readonly length: number;
  readonly count: number;
}

const COUNTS = ['asked', 'denied', 'held', 'faulted', 'skipped', 'us', 'judged', 'cached', 'input', 'output', 'money'] as const;

export async function readHooks(database: SqlDatabase, range: Range): Promise<readonly HookFigures[]> {
  const sums = new Map<string, Sum>();
  const parts = equalParts(range);
  for (const { unit, from, to } of partsOf(range)) {
    const sql = 'SELECT * FROM v.hook_time WHERE unit = ? AND at >= ? AND at < ?';
    for (const row of await database.all(sql, [unit, from, to])) addRow(sums, row, parts);
  }
  const sessions = await readSessionCount(database, range);
  const known = await database.all('SELECT * FROM v.hook ORDER BY name, id');
  return known.map((row) => figuresOf(hookFrom(row), sums.get(textIn(row, 'id')) ?? emptySum(parts), sessions));
}

function equalParts({ since, until }: Range): Parts {
  const unit = until - since <= LARGEST_IN_HOURS ? 'hour' : 'day';
  const from = beginOf(unit, Math.max(0, since));
  const units = Math.max(1, Math.ceil((until + 1 - from) / lengthOf(unit)));
  const length = lengthOf(unit) * Math.ceil(units / MOST_PARTS);
  return { from, length, count: Math.ceil((units * lengthOf(unit)) / length) };
}

/** Divides a range into whole days, and the hours before and after them. */
export function partsOf({ since, until }: Range): readonly { readonly unit: 'hour' | 'day'; readonly from: number; readonly to: number }[] {
  const [first, end] = [beginOf('hour', Math.max(0, since)), until + 1];
  if (until - since <= LARGEST_IN_HOURS) return [{ unit: 'hour', from: first, to: end }];
  const firstDay = beginOf('day', first + lengthOf('day') - 1);
  const lastDay = beginOf('day', until);
  return [
    { unit: 'hour', from: first, to: firstDay },
    { unit: 'day', from: firstDay, to: lastDay },
    { unit: 'hour', from: lastDay, to: end },
  ];
}

function emptySum({ count }: Parts): Sum {
  const counts = { asked: 0, denied: 0, held: 0, faulted: 0, skipped: 0, us: 0, judged: 0, cached: 0, input: 0, output: 0, money: 0 };
  return { counts, usMax: 0, buckets: new Map(), byTime: new Array<number>(count).fill(0) };
}

function addRow(sums: Map<string, Sum>, row: SqlRow, parts: Parts): void {
  const hook = textIn(row, 'hook');
  const sum = sums.get(hook) ?? emptySum(parts);
  const part = Math.floor((numberOf(row, 'at') - parts.from) / parts.length);
  sum.byTime[part] = (sum.byTime[part] ?? 0) + numberOf(row, 'asked');
  for (const name of COUNTS) sum.counts[name] += numberOf(row, name);
  sum.usMax = Math.max(sum.usMax, numberOf(row, 'us_max'));
  addWritten(sum.buckets, textIn(row, 'buckets'));
  sums.set(hook, sum);
}

function figuresOf(hook: HookView, { counts, usMax, buckets, byTime }: Sum, sessions: number): HookFigures {
  const { asked, denied, held, faulted, skipped, us, judged, cached, input, output, money } = counts;
  return {
    ...hook,
    ...{ asked, askedByTime: byTime, denied, held, faulted, skipped },
    ...{ p50: percentile(buckets, 0.5), p95: percentile(buckets, 0.95), msMax: usMax / 1000 },
    ...{ ms: us / 1000, msPerSession: sessions === 0 ? 0 : us / 1000 / sessions },
    judge: { calls: judged, cached, inputTokens: input, outputTokens: output, money: money / 1e6 },
  };
}

export function hookFrom(row: SqlRow): HookView {
  return {
    ...{ id: textIn(row, 'id'), name: textIn(row, 'name'), dialect: textIn(row, 'dialect'), event: textIn(row, 'event') },
    ...{ handler: textIn(row, 'handler'), file: textIn(row, 'file'), line: maybeNumber(row, 'line') },
    ...{ scope: textIn(row, 'scope'), firstAt: numberOf(row, 'first_at') },
    ...{ lastAskedAt: maybeNumber(row, 'last_asked'), lastFaultAt: maybeNumber(row, 'last_fault') },
  };
}

export async function readHookSeries(
  database: SqlDatabase,
  id: string,
  by: 'hour' | 'day',
  { since, until }: Range,
): Promise<readonly HookPoint[]> {
  const sql = 'SELECT * FROM v.hook_time WHERE hook = ? AND unit = ? AND at >= ? AND at <= ? ORDER BY at';
  const values: readonly SqlValue[] = [id, by, beginOf(by, Math.max(0, since)), until];
  return (await database.all(sql, values)).map((row) => {
    const buckets: Buckets = new Map();
    addWritten(buckets, textIn(row, 'buckets'));
    return {
      ...{ at: numberOf(row, 'at'), asked: numberOf(row, 'asked'), denied: numberOf(row, 'denied'), faulted: numberOf(row, 'faulted') },
      ...{ p50: percentile(buckets, 0.5), p95: percentile(buckets, 0.95) },
    };
  });
}
