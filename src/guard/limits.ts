/**
 * The limits of one judgement. Work is counted in steps and never timed, so the same text always gets the same verdict. A part that a limit
 * leaves out is noted, and a judgement with such a note always asks a person.
 */

/** Ends a judgement because it takes too much work. The result is then incomplete. */
export class OverLimit extends Error {}

/** Steps for one tool call: at most a tenth of a second. */
export const STEPS_OF_CALL = 16_000;
/** Steps for one file of a hook, which is audited once and not on every call. */
export const STEPS_OF_FILE = 800_000;

interface Work {
  /** Results that were paid for in this count. */
  readonly paid: WeakSet<object>;
  steps: number;
  most: number;
  reserve: number;
}

interface Count {
  readonly work: Work;
  readonly left: Set<string>;
}

let count: Count | undefined;

/** A result, and the parts that a limit left out of it. */
export interface Counted<T> {
  readonly value: T;
  readonly left: readonly string[];
  readonly steps: number;
}

/** Runs `body` and counts its work. Inside another count, both share the steps of the outer one. */
export function counted<T>(most: number, body: () => T): Counted<T> {
  const outer = count;
  const own: Count = { work: outer?.work ?? { paid: new WeakSet(), steps: 0, most, reserve: most }, left: new Set() };
  const before = own.work.steps;
  count = own;
  try {
    const value = body();
    const result = { value, left: [...own.left], steps: own.work.steps - before };
    own.work.paid.add(result);
    return result;
  } finally {
    count = outer;
  }
}

/** Runs `body` outside of the current count, for work that has limits of its own. */
export function apart<T>(body: () => T): T {
  const outer = count;
  count = undefined;
  try {
    return body();
  } finally {
    count = outer;
  }
}

export function spend(steps: number): void {
  if (count === undefined) return;
  count.work.steps += steps;
  if (count.work.steps > count.work.most) throw new OverLimit('too complex to follow');
}

/** Allows as many steps again, once in a count: for judging the commands that were found before the steps were used up. */
export function useReserve(): void {
  if (count === undefined) return;
  count.work.most += count.work.reserve;
  count.work.reserve = 0;
}

/** Notes a part that is not judged. */
export function leaveOut(what: string): void {
  count?.left.add(what);
}

/** Returns the first items. If there are more, they are left out. */
export function atMost<T>(items: readonly T[], most: number, what: string): readonly T[] {
  if (items.length <= most) return items;
  leaveOut(`${what} are more than ${most}`);
  return items.slice(0, most);
}

/**
 * Returns a result that was counted before. In each judgement it costs its steps once, whether it is worked out there or not, so a cache
 * never changes a verdict.
 */
export function recall<T>(known: Counted<T>): T {
  if (count !== undefined && !count.work.paid.has(known)) {
    count.work.paid.add(known);
    spend(known.steps);
  }
  for (const what of known.left) leaveOut(what);
  return known.value;
}
