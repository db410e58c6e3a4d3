/**
 * The index over a set of hooks. Its law: `select` gives exactly the hooks for which `mismatch` in core/match.ts finds nothing, in
 * order. Each kind of event is indexed when its first event comes: most runs see one kind.
 */
import type { EventKind, HookEvent } from '../core/event.ts';
import type { HookIndex, Placed } from '../core/match.ts';
import { indexKind, NONE } from './kind-index.ts';

export function buildIndex(placed: readonly Placed[]): HookIndex {
  const byKind = new Map<EventKind, Placed[]>();
  for (const one of [...placed].sort((a, b) => a.order - b.order)) {
    for (const kind of new Set(one.rule.kinds)) {
      const hooks = byKind.get(kind);
      if (hooks === undefined) byKind.set(kind, [one]);
      else hooks.push(one);
    }
  }
  const indexed = new Map<EventKind, (event: HookEvent) => readonly Placed[]>();
  return {
    select(event) {
      let select = indexed.get(event.kind);
      if (select === undefined) {
        const hooks = byKind.get(event.kind);
        if (hooks === undefined) return NONE;
        select = indexKind(hooks);
        indexed.set(event.kind, select);
      }
      return select(event);
    },
  };
}
