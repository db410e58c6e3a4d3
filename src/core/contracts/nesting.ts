/**
 * How deep a process is nested in hooks, because a process that a hook starts may fire events itself. Each process receives its depth and the
 * marks of the hooks above it, so that no hook starts itself without end. A mark stands for a hook's id, and the id alone is not enough to make it.
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

/** How many hooks may be nested in each other. */
export const MOST_DEPTH = 5;

/** The reason to skip a hook that is among those above. */
export const ALREADY_RUNNING = 'already running above: it started the process that fires this event';

export function readNesting(environment: Environment): Nesting {
  const depth = /^\d{1,6}$/.test(environment[DEPTH] ?? '') ? Number(environment[DEPTH]) : 0;
  const hooks = (environment[HOOKS] ?? '').split(',').filter((mark) => /^[0-9a-f]{1,64}$/.test(mark));
  return depth === 0 && hooks.length === 0 ? NOT_NESTED : { depth, hooks };
}

/** Returns the nesting that a hook with this mark receives. */
export function childNesting({ depth, hooks }: Nesting, mark: string): Nesting {
  return { depth: depth + 1, hooks: [...hooks, mark] };
}

export function nestingVariables({ depth, hooks }: Nesting): Record<string, string> {
  return { [DEPTH]: String(depth), [HOOKS]: hooks.join(',') };
}

/** Returns a fault if nothing more may be started or asked outside of this process. */
export function tooDeep({ depth }: Nesting): Fault | undefined {
  if (depth <= MOST_DEPTH) return undefined;
  return fault('depth', `${depth - 1} hooks are above it and at most ${MOST_DEPTH} may be; hooks seem to start each other`);
}

const DEPTH = 'HOOKLINE_DEPTH';
const HOOKS = 'HOOKLINE_HOOKS';
