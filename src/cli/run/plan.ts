/** A plan, for a person: who would be asked, in order, and why the others would not. */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Plan, PlannedHook } from '../../engine/plan.ts';
import type { Request } from '../request.ts';
import { renderBriefly } from './diagnostics.ts';
import { headline } from './input.ts';
import { placeText } from './place.ts';
import type { Style } from './style.ts';
import { cut, oneLine, pad, plural, widthOf } from './text.ts';

export function renderPlan(
  plan: Plan & { readonly diagnostics: readonly Diagnostic[] },
  request: Request,
  all: boolean,
  style: Style,
): string {
  const running = plan.hooks.filter(({ runs }) => runs);
  const others = plan.hooks.filter(({ runs }) => !runs);
  const parts = [
    headline(request, style),
    plan.denied === undefined ? '' : `${style.red(style.bold('✗ Would be denied before any hook is asked:'))} ${oneLine(plan.denied)}\n`,
    running.length === 0 ? `${style.bold('No hook would run.')}\n` : section('Would run, in this order', running.map(runningRow), style),
    others.length === 0 ? '' : section('Would not run', all ? others.map(otherRow) : grouped(others), style),
    renderBriefly(
      plan.diagnostics.filter(({ severity }) => severity !== 'info'),
      style,
    ),
  ];
  const untrusted = others.some(({ why }) => why === 'untrusted');
  if (untrusted) parts.push(`${style.cyan('next:')} \`hookline trust add\` shows the untrusted hooks, and asks.\n`);
  return parts.filter((part) => part !== '').join('\n');
}

interface Row {
  readonly lead: string;
  readonly name: string;
  readonly event: string;
  readonly why: string;
  readonly place: string;
}

function runningRow(hook: PlannedHook, index: number): Row {
  return { ...otherRow(hook), lead: hook.detach ? '»' : `${index + 1}.` };
}

function otherRow(hook: PlannedHook): Row {
  return {
    lead: '-',
    name: oneLine(hook.name),
    event: `${hook.dialect} · ${oneLine(hook.event)}`,
    why: oneLine(hook.why),
    place: placeText({ file: hook.source.file, line: hook.source.line }),
  };
}

/** One row per reason: a thousand hooks of other events are one fact. */
function grouped(hooks: readonly PlannedHook[]): Row[] {
  const byWhy = new Map<string, PlannedHook[]>();
  for (const hook of hooks) byWhy.set(hook.why, [...(byWhy.get(hook.why) ?? []), hook]);
  return [...byWhy].map(([why, [first, ...more]]) => {
    const row = otherRow(first as PlannedHook);
    if (more.length === 0) return row;
    const names = [row.name, ...more.slice(0, 2).map(({ name }) => oneLine(name)), ...(more.length > 2 ? ['…'] : [])].join(', ');
    return { lead: '-', name: plural(more.length + 1, 'hook'), event: '', why: oneLine(why), place: names };
  });
}

function section(title: string, rows: readonly Row[], style: Style): string {
  const wide = (pick: (row: Row) => string, most: number): number => Math.min(most, Math.max(...rows.map((row) => widthOf(pick(row)))));
  const leads = wide(({ lead }) => lead, 5);
  const names = wide(({ name }) => name, 24);
  const events = wide(({ event }) => event, 32);
  const lines = rows.map(({ lead, name, event, why, place }) => {
    const room = style.columns - leads - names - events - 8;
    const words = cut(why, Math.max(24, room));
    const left = room - widthOf(words) - 2;
    const fixed = `  ${style.dim(pad(lead, leads))} ${pad(cut(name, names), names)}  ${style.dim(pad(cut(event, events), events))}`;
    return `${fixed}  ${words}${left > 12 ? `  ${style.dim(cut(place, left))}` : ''}`;
  });
  return `${style.bold(title)}\n${lines.join('\n')}\n`;
}
