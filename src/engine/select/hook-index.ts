/**
 * The index over a set of hooks. `select` returns, in order, exactly the hooks for which `mismatch` in `core/event/match.ts` finds nothing. Each
 * kind of event is indexed at its first event, because most runs see one kind.
 */
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { answersTo, type HookIndex, holds, type Placed } from '../../core/event/match.ts';
import { compilePattern } from './compile.ts';
import { indexKind, NONE } from './kind-index.ts';
import { readFacets } from './probe.ts';

export function buildIndex(placed: readonly Placed[]): HookIndex {
  const byKind = new Map<EventKind, Placed[]>();
  for (const one of [...placed].sort((a, b) => a.order - b.order)) {
    for (const kind of new Set(one.rule.kinds)) {
      const hooks = byKind.get(kind);
      if (hooks === undefined) byKind.set(kind, [one]);
      else hooks.push(one);
    }
  }
  const seen = new Set<EventKind>();
  const indexed = new Map<EventKind, (event: HookEvent) => readonly Placed[]>();
  const index = {
    searched: false,
    select(event: HookEvent) {
      index.searched = false;
      let select = indexed.get(event.kind);
      if (select === undefined) {
        const hooks = byKind.get(event.kind);
        if (hooks === undefined) return NONE;
        if (hooks.length <= HANDFUL && !seen.has(event.kind)) {
          seen.add(event.kind);
          index.searched = true;
          return oneByOne(hooks, event);
        }
        select = indexKind(hooks, () => {
          index.searched = true;
        });
        indexed.set(event.kind, select);
      }
      return select(event);
    },
  };
  return index;
}

/** A command that handles one event and ends must not pay for an index over so few hooks. */
const HANDFUL = 32;

function oneByOne(hooks: readonly Placed[], event: HookEvent): readonly Placed[] {
  const reading = readFacets(event);
  const applies = (placed: Placed): boolean =>
    answersTo(placed, event) && placed.hook.when.every((condition) => holds(condition, reading.values(condition.facet), compilePattern));
  const found = hooks.filter(applies);
  return found.length === 0 ? NONE : found;
}
