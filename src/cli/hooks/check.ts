/** `hookline check`: validates hook files, audits what they would run, and prints the results like a compiler. */

import { builtinHandlers, DIALECTS, describeHandler } from '../../builtins.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import type { Diagnostic, Severity } from '../../core/values/diagnostic.ts';
import { type FindOptions, findHooks, policyProblems } from '../../load/check-files.ts';
import type { Memory } from '../../load/memory.ts';
import { unknownHandlers } from '../../load/unknown-handlers.ts';
import { auditFindings } from '../../trust/audit-hooks.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { AS_OPTION, HELP_OPTION, JSON_OPTION, NAMED_PLACE_OPTIONS, PLACE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { countBySeverity, renderDiagnostics } from '../print/diagnostics.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { plural } from '../print/text.ts';
import { findOptions, memoryFor } from './find-options.ts';

export { checkSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const { diagnostics, hooks } = await checkFiles(findOptions(args, args.positionals), memoryFor(args));
  const exit = diagnostics.some(({ severity }) => severity === 'error') ? EXIT.negative : EXIT.ok;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument({ diagnostics, hooks }) };
  return { exit, out: renderCheck(diagnostics, hooks, terminalStyle()) };
}

/** Returns the problems of hook files, and how many hooks they define. */
export async function checkFiles(
  options: FindOptions,
  memory: Memory | undefined,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly hooks: number }> {
  const found = await findHooks(options);
  const hooks = found.hooks.map(({ hook }) => hook);
  const policy = await policyProblems(options.policy, options.agents);
  const audit = await auditFindings(hooks, options.root, { dialects: DIALECTS, describe: describeHandler, memory }, found.audit);
  // Types that files may name without code of the user's own.
  const handlers = builtinHandlers(undefined);
  const types = handlers.map(({ type }) => type);
  const judged = hooks.filter(({ handler }) => handlers.some(({ type, judges }) => judges && type === handler.type));
  const ofFiles = [
    ...[...policy, ...found.diagnostics, ...(found.readings ?? [])],
    ...[...unknownHandlers(hooks, types), ...judged.map(sayJudged)],
  ];
  const diagnostics = [...ofFiles, ...audit.filter((finding) => !isSaid(finding, ofFiles, hooks))].sort(byPlace);
  return { diagnostics, hooks: hooks.length };
}

/** The file says that a model answers, but not which one: that is for the user or the machine to choose. */
function sayJudged({ name, handler, source: { file, line, column } }: Hook): Diagnostic {
  const at = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const message = `Hook \`${name}\` (${handler.type}) is judged by a model.`;
  return { severity: 'info', code: 'judged', ...at, message, hint: '`hookline list` shows which model answers it on this machine.' };
}

export function renderCheck(diagnostics: readonly Diagnostic[], hooks: number, style: Style): string {
  const summary = `${plural(hooks, 'hook')}, ${countBySeverity(diagnostics)}`;
  const worst = (['error', 'warning'] as const).find((wanted) => diagnostics.some(({ severity }) => severity === wanted));
  const paint = worst === 'error' ? style.red : worst === 'warning' ? style.yellow : style.green;
  const list = renderDiagnostics(diagnostics, style);
  return `${list}${list === '' ? '' : '\n'}${paint(style.bold(summary))}\n`;
}

/** A doubtful timeout is reported by the loader, at its place, or by the audit, but not by both. */
function isSaid(finding: Diagnostic, said: readonly Diagnostic[], hooks: readonly Hook[]): boolean {
  if (!finding.code.startsWith('audit-timeout-')) return false;
  const starts = hooks.flatMap(({ source }) => (source.file === finding.file ? [placeOf(source)] : []));
  const hookAt = (place: number): number => Math.max(...starts.filter((start) => start <= place));
  return said.some((one) => one.file === finding.file && one.code.endsWith('-timeout') && hookAt(placeOf(one)) === placeOf(finding));
}

function placeOf({ line = 0, column = 0 }: { readonly line?: number; readonly column?: number }): number {
  return line * 2 ** 21 + column;
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Sorts by file and position. Diagnostics without a position come first. */
function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.file ?? '', b.file ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || RANK[a.severity] - RANK[b.severity];
}

/** The specification of `hookline check`. */
export const checkSpec: CommandSpec = {
  name: 'check',
  summary: 'Validate hook files and audit what they would run. Exit 1 if there is an error.',
  takes: '[path…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [...PLACE_OPTIONS, ...NAMED_PLACE_OPTIONS, AS_OPTION, JSON_OPTION, HELP_OPTION],
  notes: [
    'Without a path: every hook file in the project, and below --home if it is given. A path may be a file or a folder.',
    'Known files: those that `hookline list` loads, of every agent and format. A path that names none of them is an error that lists them.',
  ],
  examples: [
    { does: 'Everything in this project', line: 'hookline check' },
    { does: 'One file, before it is committed', line: 'hookline check .agents/hooks/gate/HOOK.md' },
    { does: 'For a machine', line: 'hookline check --json' },
  ],
};
