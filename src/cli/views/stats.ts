/** `hookline stats`: what each hook did in the last days, how long it took, and what is wrong with it. */
import type { HookFigures, ProblemView, Range } from '../../views/views.ts';
import { type Arguments, hasFlag, optionValue } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { readMoment } from '../input/moment.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { withViews } from '../store.ts';

const DEFAULT_SINCE = '7d';

export { statsSpec as spec };

export function run(args: Arguments): Promise<CommandResult> {
  const until = Date.now();
  const range: Range = { since: readMoment('since', optionValue(args, 'since') ?? DEFAULT_SINCE, until), until };
  return withViews(args, async (views) => {
    const [all, totals, sessions] = [await views.hooks(range), await views.totals(range), await views.sessionCount(range)];
    const hooks = all.filter(({ asked, skipped, faulted }) => asked + skipped + faulted > 0).sort(byUse);
    const problems = (await views.problems(until)).filter((problem) => isOf(range, problem));
    const others = all.length - hooks.length;
    if (hasFlag(args, 'json')) {
      const { missing } = await views.progress();
      const [since, end] = [range.since, range.until].map((at) => new Date(at).toISOString());
      return { exit: EXIT.ok, out: jsonDocument({ since, until: end, sessions, missing, totals, hooks, notAsked: others, problems }) };
    }
    const { renderStats } = await import('./print-stats.ts');
    return { exit: EXIT.ok, out: renderStats({ range, totals, sessions, hooks, others, problems }, terminalStyle()) };
  });
}

function byUse(one: HookFigures, other: HookFigures): number {
  return other.asked - one.asked || (one.name < other.name ? -1 : 1);
}

function isOf({ since }: Range, { state, lastAt }: ProblemView): boolean {
  return state === 'open' && lastAt >= since;
}

/** The specification of `hookline stats`. */
export const statsSpec: CommandSpec = {
  name: 'stats',
  summary: 'Show for each hook how often it was asked, denied, failed and was skipped, and how long it took.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [
    { name: 'since', value: 'WHEN', help: 'Count from this time on: an age (90s, 15m, 1h, 30d) or an ISO date. Default: 7d.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Times are within about 10 %. p50 is the time within which half of the calls are answered, and p95 that of 95 in 100. The time per session is the average over all sessions of the range.',
    'The figures begin at a whole hour. They are kept in a file next to the log and brought up to date first.',
  ],
  examples: [
    { does: 'The last seven days', line: 'hookline stats' },
    { does: 'The last hours', line: 'hookline stats --since 6h' },
    { does: 'For a machine', line: 'hookline stats --since 30d --json' },
  ],
};
