/** Joins runs of passes of each session into one item, because they would hide what was stopped. */
import type { Fold, FoldedItem, ViewEntry } from './views.ts';

type Growing = { -readonly [K in keyof Omit<Fold, 'tools'>]: Fold[K] } & { readonly tools: Record<string, number> };

/**
 * Folds entries, newest first, into at most so many items. A run ends at the next entry of its session that is no plain pass.
 * @returns the position of the oldest entry that is in the items
 */
export function foldPasses(
  entries: readonly ViewEntry[],
  limit: number,
): { readonly items: readonly FoldedItem[]; readonly lastPos: number } {
  const items: FoldedItem[] = [];
  const open = new Map<string, Growing>();
  let lastPos = Number.MAX_SAFE_INTEGER;
  for (const entry of entries) {
    const fold = isPlainPass(entry) ? open.get(entry.session) : undefined;
    if (!fold && items.length === limit) break;
    lastPos = entry.pos;
    if (fold) grow(fold, entry);
    else if (isPlainPass(entry)) {
      const begun: Growing = {
        ...{ session: entry.session, count: 0, firstPos: entry.pos, lastPos: entry.pos, firstAt: entry.at, lastAt: entry.at, ms: 0 },
        tools: Object.create(null) as Record<string, number>,
      };
      grow(begun, entry);
      open.set(entry.session, begun);
      items.push({ fold: begun });
    } else {
      open.delete(entry.session);
      items.push({ entry });
    }
  }
  return { items, lastPos };
}

/** Whether nothing happened but that the event went on. */
export function isPlainPass({ sort, decision, faults, isRewritten, isAlarm }: ViewEntry): boolean {
  return sort !== 'act' && decision === 'pass' && faults === 0 && !isRewritten && !isAlarm;
}

function grow(fold: Growing, { pos, at, ms, tool }: ViewEntry): void {
  fold.count++;
  fold.firstPos = pos;
  fold.firstAt = Math.min(fold.firstAt, at);
  fold.lastAt = Math.max(fold.lastAt, at);
  fold.ms += ms;
  if (tool !== null) fold.tools[tool] = (fold.tools[tool] ?? 0) + 1;
}
