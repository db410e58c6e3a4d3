/**
 * How deep a subagent is: 1 below the session's own agent, 2 below such a subagent. Few hosts say who starts a subagent, so it follows from the
 * calls that start one. It is unknown if agents of different depths made these calls, or if the start of the session was not seen.
 */
import type { HookEvent } from '../../core/event/event.ts';
import { textOf } from '../../core/values/json.ts';
import type { TrailStep } from '../ports.ts';

/** Returns the step of a subagent that starts, or of the call that starts one. */
export function subagentStep({ at, data, caller, ahead }: HookEvent): TrailStep {
  const [id, name] = [textOf(data['id']), textOf(data['name'])];
  return {
    what: ahead ? 'call' : 'subagent',
    at: Date.parse(at),
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(caller?.parent !== undefined && { by: caller.parent }),
  };
}

/** @param steps those of the session; the step of a subagent that starts is one of them */
export function depthOf(steps: readonly TrailStep[], event: HookEvent): number | undefined {
  if (steps[0]?.what !== 'start') return undefined;
  const { id, name, what } = subagentStep(event);
  const isEnd = event.kind === 'subagent.after';
  if (isEnd && id === undefined) return undefined;
  const starts = steps.filter((step) => step.what === 'call' || step.what === 'subagent');
  const own = starts.findLastIndex((step) => step.what === what && step.id === id && (isEnd || step.name === name));
  return depthsOf(starts.slice(0, own + 1), event.session.id)[own];
}

/** Returns the depth of each subagent that starts, or that a call starts. */
function depthsOf(starts: readonly TrailStep[], session: string): readonly (number | undefined)[] {
  const depths: (number | undefined)[] = [];
  // Calls whose subagent has not started yet, by their index.
  const open = new Set<number>();
  for (const [index, { what, by, name }] of starts.entries()) {
    const before = starts.slice(0, index);
    const causes = [...open].filter((i) => (starts[i]?.name ?? name) === (name ?? starts[i]?.name));
    if (by === session) depths.push(1);
    else if (by !== undefined) {
      const isStarter = (step: TrailStep): boolean => step.what === 'subagent' && (step.id === by || step.name === by);
      depths.push(below(only(depths.filter((_, i) => isStarter(before[i] as TrailStep)))));
    } else if (what === 'subagent' && causes.length > 0) depths.push(only(causes.map((i) => depths[i])));
    // No other agent could start the first one.
    else depths.push(before.some((step) => step.what === 'subagent') ? undefined : 1);
    if (what === 'call' && by !== undefined) open.add(index);
    else if (what === 'subagent' && depths[index] !== undefined) open.delete(causes[0] ?? -1);
  }
  return depths;
}

function below(depth: number | undefined): number | undefined {
  return depth === undefined ? undefined : depth + 1;
}

/** Returns the value that all of them have. */
function only(values: readonly (number | undefined)[]): number | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
