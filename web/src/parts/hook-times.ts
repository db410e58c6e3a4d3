/** The time of each hook of a decision as a bar: hooks are asked one after the other. */
import type { EntryDetail } from '../../../src/ui/api.ts';

type Hook = EntryDetail['hooks'][number];

/** Where the bar of a hook starts and how wide it is, in percent of the whole. */
export interface HookTime {
  readonly hook: Hook;
  readonly x: string;
  width(least: number): string;
}

export function hookTimes(hooks: readonly Hook[], total: number): readonly HookTime[] {
  const asked = hooks.reduce((sum, { ms = 0 }) => sum + ms, 0);
  const percent = (ms: number): number => (ms / Math.max(total, asked, SHORTEST_MS)) * 100;
  let start = 0;
  return hooks.map((hook) => {
    const x = `${percent(start)}%`;
    start += hook.ms ?? 0;
    return { hook, x, width: (least) => `${Math.max(least, percent(hook.ms ?? 0))}%` };
  });
}

const SHORTEST_MS = 0.1;
