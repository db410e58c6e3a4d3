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
import { cut, oneLine, pad, placeText, plural, widthOf } from '../print/text.ts';

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

/** Each file that several formats can read takes a line, and the advice comes once. */
function readingLines(readings: readonly Diagnostic[], style: Style): string {
  const lines = readings.map((reading) => `  ${style.dim(placeText(reading))}  ${oneLine(reading.message)}\n`);
  const hint = readings[0]?.hint;
  return lines.length === 0 ? '' : `${lines.join('')}${hint === undefined ? '' : `    ${style.cyan('help:')} ${hint}\n`}`;
}

interface Column {
  readonly title: string;
  readonly most: number;
  text(hook: ListedHook): string;
}

/** Shown only if the settings name one of the hooks. */
const ON_ERROR: Column = { title: 'on error', most: 8, text: ({ onError }) => onError ?? '' };

const COLUMNS: readonly Column[] = [
  { title: 'name', most: 28, text: ({ name }) => oneLine(name) },
  { title: 'event', most: 22, text: ({ event }) => oneLine(event) },
  { title: 'handler', most: 12, text: ({ handler, detach }) => `${oneLine(handler)}${detach ? ' »' : ''}` },
  { title: 'priority', most: 8, text: ({ priority }) => `${priority}` },
  { title: 'timeout', most: 9, text: ({ timeoutMs }) => (timeoutMs >= 1000 ? `${timeoutMs / 1000} s` : `${timeoutMs} ms`) },
  { title: 'state', most: 30, text: ({ state }) => oneLine(state) },
  { title: 'scope', most: 8, text: ({ source }) => source.scope },
];

function table(dialect: string, hooks: readonly ListedHook[], style: Style): string {
  const columns = hooks.some(({ onError }) => onError !== undefined) ? [...COLUMNS, ON_ERROR] : COLUMNS;
  const widths = columns.map(({ title, most, text }) =>
    Math.min(most, Math.max(title.length, ...hooks.map((hook) => widthOf(text(hook))))),
  );
  const room = style.columns - widths.reduce((sum, width) => sum + width + 2, 2);
  const head = columns.map(({ title }, i) => pad(title, widths[i] as number)).join('  ');
  const rows = hooks.map((hook) => {
    const cells = columns.map(({ text, title }, i) => {
      const cell = pad(cut(text(hook), widths[i] as number), widths[i] as number);
      return title === 'state' ? paintState(hook, cell, style) : cell;
    });
    const place = placeText({ file: hook.source.file, line: hook.source.line });
    // In a narrow terminal the place is on its own line, because a cut path is useless.
    return `  ${cells.join('  ')}${widthOf(place) <= room ? `  ${style.dim(place)}` : `\n      ${style.dim(place)}`}`;
  });
  return `${style.bold(dialect)}\n  ${style.dim(head.trimEnd())}\n${rows.join('\n')}\n`;
}

function paintState({ state, trusted }: ListedHook, cell: string, style: Style): string {
  return state === 'active' ? style.green(cell) : trusted ? style.red(cell) : style.yellow(cell);
}

function totals(hooks: readonly ListedHook[], style: Style): string {
  if (hooks.length === 0) return 'No hooks were found. `hookline help list` shows where Hookline looks for them.\n';
  const active = hooks.filter(({ state }) => state === 'active').length;
  const untrusted = hooks.filter(({ trusted }) => !trusted).length;
  const modified = hooks.filter(({ trust }) => trust === 'modified').length;
  const changed = modified === 0 ? '' : `, ${modified} of them modified since they were trusted`;
  const counts = [plural(hooks.length, 'hook'), `${active} active`, ...(untrusted === 0 ? [] : [`${untrusted} untrusted${changed}`])].join(
    ', ',
  );
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
