/** Timeouts that cannot be meant as they are written. Such a hook is kept as a gate: it is not run, and it denies. */

import type { Hook } from '../../core/contracts/hook.ts';
import type { Position } from '../../core/values/diagnostic.ts';
import type { Problems } from '../../core/values/read-document.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';

export type Limit = Pick<Hook, 'timeoutMs' | 'unusable'>;

/** No process answers within less, so every run would be a race that the hook loses. */
export const SHORTEST_MS = 100;
/** More than a day. An agent does not wait that long, and the number has another unit. */
const LONGEST_SECONDS = 100_000;

/** Returns the timeout, and why the hook cannot be asked if the timeout is absurd, which is reported. */
export function limitOf(value: number, unit: 'seconds' | 'milliseconds', at: Position, problems: Problems): Limit {
  const timeoutMs = unit === 'seconds' ? value * 1000 : value;
  if (timeoutMs < SHORTEST_MS && unit === 'milliseconds') {
    const what = `\`timeout\` is in milliseconds: no process answers within ${value} ms. The hook is not run, and denies.`;
    problems.report('error', 'short-timeout', at, what, `For ${value} seconds write ${value * 1000}.`);
    return { timeoutMs, unusable: `its \`timeout\` is ${value} ms, and no process answers within that time` };
  }
  if (timeoutMs < LONGEST_SECONDS * 1000) return { timeoutMs };
  const hours = `${Math.round(timeoutMs / 3_600_000)} hours`;
  const what = `\`timeout\` is in ${unit}: ${value} of them are ${hours}. The hook is not run, and denies.`;
  const hint = unit === 'seconds' ? `For ${value} milliseconds write ${value / 1000}.` : 'Leave it out to get the default.';
  problems.report('error', 'long-timeout', at, what, hint);
  return { timeoutMs: Math.min(timeoutMs, LONGEST_TIMER_MS), unusable: `its \`timeout\` is ${hours}, and no agent waits that long` };
}
