/** `hookline list`: lists every hook that is found, with its origin and whether it runs. */

import { createHookline } from '../../api/create-hookline.ts';
import type { ListedHook } from '../../api/hookline.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { READ_AS } from '../../load/load-hooks.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { AS_OPTION, HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { renderFileProblems } from '../print/diagnostics.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { flow, oneLine, pad, placeText, plural, widthOf } from '../print/text.ts';

/** Prints all hooks as tables, one per dialect, then totals and problems. */
export function renderList(
  { hooks, diagnostics }: { readonly hooks: readonly ListedHook[]; readonly diagnostics: readonly Diagnostic[] },
  style: Style,
): string {
  const dialects = [...new Set(hooks.map(({ dialect }) => dialect))];
  const tables = dialects.map((dialect) =>
    table(
      dialect,
      hooks.filter((hook) => hook.dialect === dialect),
      style,
    ),
  );
  const readings = diagnostics.filter(({ code }) => code === READ_AS);
  const others = diagnostics.filter(({ code }) => code !== READ_AS);
  return [...tables, totals(hooks, style), renderFileProblems(others, style), readingLines(readings, style)]
    .filter((part) => part !== '')
    .join('\n');
}

/** Files that several formats can read take one line for each way in which they were read, and the advice comes once. */
function readingLines(readings: readonly Diagnostic[], style: Style): string {
  const alike = new Map<string, Diagnostic[]>();
  for (const reading of readings) alike.set(reading.message, [...(alike.get(reading.message) ?? []), reading]);
  const lines = [...alike].map(([message, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
    return `  ${style.dim(placeText(first ?? {}))}${more}  ${oneLine(message)}\n`;
  });
  const hint = readings[0]?.hint;
  return lines.length === 0 ? '' : `${lines.join('')}${hint === undefined ? '' : `    ${style.cyan('help:')} ${hint}\n`}`;
}

interface Column {
  readonly title: string;
  text(hook: ListedHook): string;
  /** The table without its title line. */
  alone?(text: string): string;
}

/** Shown only if the settings name one of the hooks. */
const ON_ERROR: Column = {
  title: 'on error',
  text: ({ onError }) => onError ?? '',
  alone: (text) => (text === '' ? '' : `on error ${text}`),
};

/** Shown only if a model answers one of the hooks. */
const JUDGED: Column = {
  title: 'judged by',
  text: ({ judgedBy }) => (judgedBy === undefined ? '' : oneLine(judgedBy ?? 'no model')),
  alone: (text) => (text === '' ? '' : `judged by ${text}`),
};

const FIRST: readonly Column[] = [
  { title: 'name', text: ({ name }) => oneLine(name) },
  { title: 'event', text: ({ event }) => oneLine(event) },
];
const STATE: Column = { title: 'state', text: ({ state, shadow }) => `${oneLine(state)}${shadow ? ', in shadow' : ''}` };
const FACTS: readonly Column[] = [
  { title: 'handler', text: ({ handler, detach }) => `${oneLine(handler)}${detach ? ' »' : ''}` },
  { title: 'priority', text: ({ priority }) => `${priority}`, alone: (text) => `priority ${text}` },
  {
    title: 'timeout',
    text: ({ timeoutMs }) => (timeoutMs >= 1000 ? `${timeoutMs / 1000} s` : `${timeoutMs} ms`),
    alone: (text) => `timeout ${text}`,
  },
];
const SCOPE: Column = { title: 'scope', text: ({ source }) => source.scope };
/** One long name must not push the columns of all others away. */
const WIDEST = 30;

/** If not all columns fit, only the first ones are a table, and the other facts of a hook are below its row. */
function table(dialect: string, hooks: readonly ListedHook[], style: Style): string {
  const more = [
    ...(hooks.some(({ onError }) => onError !== undefined) ? [ON_ERROR] : []),
    ...(hooks.some(({ judgedBy }) => judgedBy !== undefined) ? [JUDGED] : []),
  ];
  const all = [...FIRST, ...FACTS, STATE, SCOPE, ...more];
  const fits = hooks.every((hook) => widthOf(cellsOf(hook, all, hooks, style)) <= style.columns);
  const columns = fits ? all : [...FIRST, STATE];
  const facts = all.filter((column) => !columns.includes(column));
  const head = columns.map(({ title }, i) => pad(title, widthsOf(columns, hooks)[i] as number)).join('  ');
  const rows = hooks.map((hook) => {
    const place = placeText({ file: hook.source.file, line: hook.source.line });
    const cells = cellsOf(hook, columns, hooks, style);
    if (facts.length === 0 && widthOf(cells) + 2 + widthOf(place) <= style.columns) return `${cells}  ${style.dim(place)}`;
    const below = facts.map(({ text, alone = (shown) => shown }) => alone(text(hook)));
    return `${cells.trimEnd()}\n${style.dim(flow([...below, place], '      ', style.columns))}`;
  });
  return `${style.bold(dialect)}\n  ${style.dim(head.trimEnd())}\n${rows.join('\n')}\n`;
}

function widthsOf(columns: readonly Column[], hooks: readonly ListedHook[]): number[] {
  return columns.map(({ title, text }) => Math.min(WIDEST, Math.max(title.length, ...hooks.map((hook) => widthOf(text(hook))))));
}

/** No cell is cut, because other commands take the name that is shown here. */
function cellsOf(hook: ListedHook, columns: readonly Column[], hooks: readonly ListedHook[], style: Style): string {
  const widths = widthsOf(columns, hooks);
  const cells = columns.map((column, i) => {
    const cell = pad(column.text(hook), widths[i] as number);
    return column === STATE ? paintState(hook, cell, style) : cell;
  });
  return `  ${cells.join('  ')}`;
}

function paintState({ state, trusted, shadow }: ListedHook, cell: string, style: Style): string {
  return shadow ? style.yellow(cell) : state === 'active' ? style.green(cell) : trusted ? style.red(cell) : style.yellow(cell);
}

const EMPTY = 'nothing to run';

function totals(hooks: readonly ListedHook[], style: Style): string {
  if (hooks.length === 0) return 'No hooks were found. `hookline help list` shows where Hookline looks for them.\n';
  const active = hooks.filter(({ state }) => state === 'active').length;
  const empty = hooks.filter(({ state }) => state === EMPTY).length;
  // Trust does not help a hook that has nothing to run.
  const untrusted = hooks.filter(({ trusted, state }) => !trusted && state !== EMPTY).length;
  const modified = hooks.filter(({ trust }) => trust === 'modified').length;
  const changed = modified === 0 ? '' : `, ${modified} of them modified since they were trusted`;
  const counts = [
    plural(hooks.length, 'hook'),
    `${active} active`,
    ...(empty === 0 ? [] : [`${empty} with nothing to run`]),
    ...(untrusted === 0 ? [] : [`${untrusted} untrusted${changed}`]),
  ].join(', ');
  const next =
    untrusted === 0 ? '' : `\n${style.cyan('next:')} \`hookline trust add\` shows each untrusted hook and asks whether to trust it.`;
  return `${style.bold(counts)}${next}\n`;
}

export { listSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const hookline = await createHookline(engineOptions(args));
  const listed = await hookline.list();
  if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument(listed) };
  return { exit: EXIT.ok, out: renderList(listed, terminalStyle()) };
}

/** The specification of `hookline list`. */
export const listSpec: CommandSpec = {
  name: 'list',
  summary: 'List every hook that is found, with its source, scope, trust and state.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [...LOAD_OPTIONS, AS_OPTION, JSON_OPTION, HELP_OPTION],
  notes: [
    'Found in a project: .claude/settings.json and .claude/settings.local.json, .claude/skills/*/SKILL.md, .claude/agents/*.md, skills/**/SKILL.md, .agents/hooks/*/HOOK.md, hooks/*/HOOK.toml, plugins/*, and a project that is itself a plugin.',
    "Found in the user's home: .claude/settings.json, .claude/plugins/*, .config/agents/hooks/*/HOOK.md, .config/arawn/plugins/*.",
  ],
  examples: [
    { does: 'Every hook that is found from here', line: 'hookline list' },
    { does: 'One dialect of another project', line: 'hookline list --root ../app --dialect agenthooks' },
  ],
};
