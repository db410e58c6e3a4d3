/** Decides which hooks can be ruled out by the kind and the tool of an event alone, whatever else is in it. */
import type { HookEvent } from '../../core/event/event.ts';
import { type Facet, facetValues } from '../../core/event/facet.ts';
import { answersTo, holds, type Placed } from '../../core/event/match.ts';
import { compilePattern } from './compile.ts';

/** Facets that the name of the tool decides. */
const OF_TOOL: ReadonlySet<Facet> = new Set<Facet>(['tool', 'toolTail']);

/** False only if the hook applies to no event of this kind, native name and tool. A condition on anything else may hold. */
export function mayApply(placed: Placed, event: HookEvent): boolean {
  if (!placed.rule.kinds.includes(event.kind) || !answersTo(placed, event)) return false;
  return placed.hook.when.every(
    (condition) => !OF_TOOL.has(condition.facet) || holds(condition, facetValues(event, condition.facet), compilePattern),
  );
}
