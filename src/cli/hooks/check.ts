/** `hookline check`: validates hook files and audits what they would run, and prints it like a compiler. */
import { auditFindings } from '../../api/audit-hooks.ts';
import { findHooks, policyProblems, unknownTypes } from '../../api/check-files.ts';
import type { Diagnostic, Severity } from '../../core/diagnostic.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { findOptions } from '../find-options.ts';
import { jsonDocument } from '../output.ts';
import { countBySeverity, renderDiagnostics } from '../render/diagnostics.ts';
import { type Style, terminalStyle } from '../render/style.ts';
import { plural } from '../render/text.ts';

export { checkSpec as spec } from '../specs/check.ts';

export async function run(args: Arguments): Promise<Answer> {
  const options = findOptions(args, args.positionals);
  const found = await findHooks(options);
  const hooks = found.hooks.map(({ hook }) => hook);
  const policy = await policyProblems(options.policy);
  const audit = await auditFindings(hooks, options.root, found.audit);
  const diagnostics = [...policy, ...found.diagnostics, ...unknownTypes(hooks), ...audit].sort(byPlace);
  const exit = diagnostics.some(({ severity }) => severity === 'error') ? EXIT.negative : EXIT.ok;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument({ diagnostics, hooks: hooks.length }) };
  return { exit, out: renderCheck(diagnostics, hooks.length, terminalStyle()) };
}

export function renderCheck(diagnostics: readonly Diagnostic[], hooks: number, style: Style): string {
  const summary = `${plural(hooks, 'hook')}, ${countBySeverity(diagnostics)}`;
  const worst = (['error', 'warning'] as const).find((wanted) => diagnostics.some(({ severity }) => severity === wanted));
  const paint = worst === 'error' ? style.red : worst === 'warning' ? style.yellow : style.green;
  const list = renderDiagnostics(diagnostics, style);
  return `${list}${list === '' ? '' : '\n'}${paint(style.bold(summary))}\n`;
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** File by file, from top to bottom; what has no place comes first. */
function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.file ?? '', b.file ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || RANK[a.severity] - RANK[b.severity];
}
