/** Prints the figures of hooks: a table if it fits the terminal, else a few lines for each hook. */
import type { Figure, HookFigures, JudgeFigures, ProblemView, Range } from '../../views/views.ts';
import type { Style } from '../print/style.ts';
import { block, flow, pad, plural, widthOf } from '../print/text.ts';
import { moment } from '../print/time.ts';

export interface Stats {
  readonly range: Range;
  readonly totals: Figure;
  readonly sessions: number;
  readonly hooks: readonly HookFigures[];
  /** How many known hooks were not asked. */
  readonly others: number;
  readonly problems: readonly ProblemView[];
}

export function renderStats({ range, totals, sessions, hooks, others, problems }: Stats, style: Style): string {
  const { deny, hold, ask } = totals.decisions;
  const counts = [`${deny} denied`, `${hold + ask} held for a person`, plural(totals.faults, 'failure')];
  const head = `Since ${moment(range.since)}: ${plural(totals.entries, 'event')} in ${plural(sessions, 'session')}, ${counts.join(', ')}.`;
  const before = others === 0 ? '' : ` ${plural(others, 'hook')} of earlier times ${others === 1 ? 'is' : 'are'} known.`;
  const none = `No hook was asked in this time.${before}`;
  const rest = hooks.length === 0 || others === 0 ? [] : [style.dim(`${plural(others, 'known hook')} without a call in this time.`)];
  return [
    block(head, '', style.columns),
    '',
    ...(hooks.length === 0 ? [block(none, '', style.columns)] : (table(hooks, style) ?? hooks.map((hook) => lines(hook, style)))),
    ...rest,
    ...costs(hooks, style),
    ...(problems.length === 0
      ? []
      : ['', style.bold('Problems'), ...problems.map(({ says }) => style.yellow(`  ${block(says, '  ', style.columns).trimStart()}`))]),
    '',
  ].join('\n');
}

const COLUMNS: readonly (readonly [title: string, value: (hook: HookFigures) => string])[] = [
  ['hook', ({ name }) => name],
  ['asked', ({ asked }) => `${asked}`],
  ['denied', ({ denied }) => `${denied}`],
  ['held', ({ held }) => `${held}`],
  ['failed', ({ faulted }) => `${faulted}`],
  ['skipped', ({ skipped }) => `${skipped}`],
  ['p50', ({ p50 }) => time(p50)],
  ['p95', ({ p95 }) => time(p95)],
  ['per session', ({ msPerSession }) => time(msPerSession)],
];

/** Returns undefined if a line would be too long. */
function table(hooks: readonly HookFigures[], style: Style): string[] | undefined {
  const rows = [COLUMNS.map(([title]) => title), ...hooks.map((hook) => COLUMNS.map(([, value]) => value(hook)))];
  const wide = COLUMNS.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  if (wide.reduce((sum, width) => sum + width + 2, 0) > style.columns) return undefined;
  return rows.map((row, at) => {
    const cells = row.map((text, column) =>
      column === 0 ? pad(text, wide[0] ?? 0) : `${' '.repeat((wide[column] ?? 0) - widthOf(text))}${text}`,
    );
    const line = `  ${cells.join('  ')}`.trimEnd();
    return at === 0 ? style.dim(line) : (hooks[at - 1]?.faulted ?? 0) > 0 ? style.yellow(line) : line;
  });
}

function lines(hook: HookFigures, style: Style): string {
  const facts = COLUMNS.slice(1).map(([title, value]) => `${title} ${value(hook)}`);
  return `${style.bold(block(hook.name, '  ', style.columns))}\n${flow(facts, '    ', style.columns)}`;
}

function costs(hooks: readonly HookFigures[], style: Style): string[] {
  const judges = hooks.filter(({ judge }) => judge.calls + judge.cached > 0);
  if (judges.length === 0) return [];
  const told = judges.map(({ name, judge }) => `  ${block(`${name}: ${costText(judge)}`, '  ', style.columns).trimStart()}`);
  return ['', style.bold('Judges'), ...told];
}

function costText({ calls, cached, inputTokens, outputTokens, money }: JudgeFigures): string {
  const price = money === 0 ? '' : `, cost ${money.toFixed(money < 1 ? 4 : 2)}`;
  return `${plural(calls, 'call')} of a model and ${cached} from its memory, ${inputTokens} tokens in and ${outputTokens} out${price}`;
}

/** Returns a duration as people read it. */
export function time(ms: number | null): string {
  if (ms === null) return '–';
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 10 || ms === 0 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
