/** Finds hooks that have become slow or quiet, and says what each problem costs. */
import { fingerprint } from './problem-shape.ts';
import { lengthOf } from './summarise.ts';
import type { HookView, ProblemView } from './views.ts';

/** A problem before it is known whether a person has resolved or muted it. */
export type FoundProblem = Omit<ProblemView, 'state' | 'isReopened' | 'mutedUntil'>;

export interface HookDay {
  readonly at: number;
  readonly asked: number;
  readonly p95: number | null;
}

export interface HookHistory {
  readonly hook: HookView;
  readonly days: readonly HookDay[];
  /** Whether an event of the kind that it was asked about has happened since `QUIET_DAYS` days. */
  readonly isFired: boolean;
}

const DAY_MS = lengthOf('day');
/** Slower than this, and twice as slow as before, is a problem. */
const SLOW_MS = 250;
const FEWEST_CALLS = 5;
const FEWEST_DAYS = 3;
const WEEK_DAYS = 7;
export const QUIET_DAYS = 3;

/** @param today the beginning of this day */
export function slowHook({ hook, days }: HookHistory, today: number): FoundProblem[] {
  const now = days.find(({ at }) => at === today);
  const before = days
    .filter(({ at, p95 }) => at < today && at >= today - WEEK_DAYS * DAY_MS && p95 !== null)
    .map(({ p95 }) => p95 as number);
  if (!now || now.p95 === null || now.asked < FEWEST_CALLS || before.length < FEWEST_DAYS) return [];
  const usual = before.sort((one, other) => one - other)[Math.floor(before.length / 2)] as number;
  if (now.p95 <= SLOW_MS || now.p95 <= 2 * usual) return [];
  const [is, was] = [Math.round(now.p95), Math.round(usual)];
  const says = `Hook '${hook.name}' has become slow: 95 of 100 calls take up to about ${is} ms today, and took ${was} ms in the days before.`;
  return [habit('slow', hook, says, today, hook.lastAskedAt ?? today, now.asked)];
}

export function quietHook({ hook, days, isFired }: HookHistory, today: number): FoundProblem[] {
  const asked = new Set(days.filter((day) => day.asked > 0).map(({ at }) => at));
  const isAsked = (ago: number): boolean => asked.has(today - ago * DAY_MS);
  const week = Array.from({ length: WEEK_DAYS }, (_, i) => i + QUIET_DAYS);
  const recent = Array.from({ length: QUIET_DAYS }, (_, i) => i);
  if (!isFired || !week.every(isAsked) || recent.some(isAsked)) return [];
  const says = `Hook '${hook.name}' was asked on each day of a week and is not asked any more, although its event happens.`;
  const last = hook.lastAskedAt ?? today;
  return [habit('quiet', hook, says, last, last, 1)];
}

function habit(kind: string, hook: HookView, says: string, firstAt: number, lastAt: number, count: number): FoundProblem {
  return { id: fingerprint(hook.id, kind, ''), kind, hook, detail: '', says, firstAt, lastAt, count, unseen: 0 };
}

export function faultSentence(kind: string, hook: HookView | null, detail: string, count: number, unseen: number): string {
  const times = count === 1 ? 'once' : `${count} times`;
  if (kind === 'not-enforced') {
    const tool = detail === '' ? 'a tool' : detail;
    return `A call of ${tool} was denied and ran nevertheless, ${times}. The agent ignores its hooks.`;
  }
  const because = detail === '' ? '' : `: ${detail.replace(/\.$/, '')}`;
  const cost =
    unseen === 0 ? 'No action went on because of it.' : `${unseen === 1 ? 'One action was' : `${unseen} actions were`} not looked at.`;
  return `Hook '${hook?.name ?? 'unknown'}' failed ${times} (${kind.replace(/^fault:/, '')})${because}. ${cost}`;
}
