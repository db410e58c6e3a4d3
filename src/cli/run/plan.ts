/** `hookline plan`: selects the hooks of an event without running them. */

import { createHookline } from '../../api/create-hookline.ts';
import type { Hookline } from '../../api/hookline.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { EventPayloads } from '../../core/event/payloads.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Plan, PlannedHook } from '../../engine/plan.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { type Request, readEvent, readRequest } from '../input/fire-request.ts';
import { EVENT_OPTIONS, HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { renderFileProblems } from '../print/diagnostics.ts';
import { headline } from '../print/event-line.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { block, oneLine, pad, placeText, plural, widthOf } from '../print/text.ts';

/** Prints a plan: the hooks that would run, in order, and why the others would not. */
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
    plan.denied === undefined ? '' : `${style.red(style.bold('✗ Would be denied before any hook runs:'))} ${oneLine(plan.denied)}\n`,
    running.length === 0 ? `${style.bold('No hook would run.')}\n` : section('Would run, in this order', running.map(runningRow), style),
    others.length === 0 ? '' : section('Would not run', all ? others.map(otherRow) : grouped(others), style),
    renderFileProblems(
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

/** Prints one row per reason, because a thousand hooks of other events share one. */
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

const BELOW = '      ';

function section(title: string, rows: readonly Row[], style: Style): string {
  const wide = (pick: (row: Row) => string, most: number): number => Math.min(most, Math.max(...rows.map((row) => widthOf(pick(row)))));
  const leads = wide(({ lead }) => lead, 5);
  const names = wide(({ name }) => name, 24);
  const events = wide(({ event }) => event, 32);
  const lines = rows.map(({ lead, name, event, why, place }) => {
    const fixed = `  ${style.dim(pad(lead, leads))} ${pad(name, names)}  ${style.dim(pad(event, events))}`;
    const whole = `${fixed}  ${why}  ${style.dim(place)}`;
    if (widthOf(whole) <= style.columns) return whole;
    // In a narrow terminal the rest is below, because a cut path is useless.
    return `${fixed.trimEnd()}\n${block(why, BELOW, style.columns)}\n${style.dim(block(place, BELOW, style.columns))}`;
  });
  return `${style.bold(title)}\n${lines.join('\n')}\n`;
}

export { planSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const request = await readRequest(args, readEvent(args));
  const hookline = await createHookline(engineOptions(args));
  const plan = { ...(await planOf(hookline, request)), diagnostics: hookline.diagnostics };
  if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument(plan) };
  return { exit: EXIT.ok, out: renderPlan(plan, request, hasFlag(args, 'all'), terminalStyle()) };
}

/** Plans an event in canonical or native words. */
export function planOf(hookline: Hookline, { kind, data, native, context }: Request): Promise<Plan> {
  // A payload from outside is known only to be an object.
  return native ? hookline.plan(native, context) : hookline.plan(kind, data as unknown as EventPayloads[EventKind], context);
}

/** The specification of `hookline plan`. */
export const planSpec: CommandSpec = {
  name: 'plan',
  summary: 'Show which hooks an event would reach, in what order, and why the others would not run. Runs nothing.',
  takes: '<event>',
  words: { min: 1, max: 1, missing: 'The event is missing. Write, for example, `hookline plan tool.before --tool Bash`.' },
  options: [
    ...EVENT_OPTIONS,
    ...LOAD_OPTIONS,
    { name: 'all', help: 'Show every hook that would not run on its own line.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  examples: [
    { does: 'Show which hooks judge a command', line: `hookline plan tool.before --tool Bash --input '{"command":"rm -rf build"}'` },
    { does: 'Find out why a hook does not run', line: 'hookline plan session.start --all' },
  ],
};
