/**
 * How deep in hooks we are: what a hook starts may fire events itself. Each process is told its depth and the marks of the hooks above it, so
 * that none starts itself again without end. A mark stands for a hook's id and can't be made by somebody who only knows the id.
 */

import { type Fault, fault } from '../decision/reply.ts';
import type { Environment } from '../values/environment.ts';

export interface Nesting {
  /** 0: no hook is above. */
  readonly depth: number;
  /** The marks of the hooks above, outermost first. */
  readonly hooks: readonly string[];
}

export const NOT_NESTED: Nesting = { depth: 0, hooks: [] };

/** How many hooks may be above each other. */
export const MOST_DEPTH = 5;

/** Why a hook is not asked that is among those above. */
export const ALREADY_RUNNING = 'already running above: it started what fires this event';

export function readNesting(environment: Environment): Nesting {
  const depth = /^\d{1,6}$/.test(environment[DEPTH] ?? '') ? Number(environment[DEPTH]) : 0;
  const hooks = (environment[HOOKS] ?? '').split(',').filter((mark) => /^[0-9a-f]{1,64}$/.test(mark));
  return depth === 0 && hooks.length === 0 ? NOT_NESTED : { depth, hooks };
}

/** What a hook with this mark is told. */
export function childNesting({ depth, hooks }: Nesting, mark: string): Nesting {
  return { depth: depth + 1, hooks: [...hooks, mark] };
}

export function nestingVariables({ depth, hooks }: Nesting): Record<string, string> {
  return { [DEPTH]: String(depth), [HOOKS]: hooks.join(',') };
}

/** Said by whoever would start or ask something outside of this process. */
export function tooDeep({ depth }: Nesting): Fault | undefined {
  if (depth <= MOST_DEPTH) return undefined;
  return fault('depth', `${depth - 1} hooks are above it and at most ${MOST_DEPTH} may be; hooks seem to start each other`);
}

const DEPTH = 'HOOKLINE_DEPTH';
const HOOKS = 'HOOKLINE_HOOKS';
