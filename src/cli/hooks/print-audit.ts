/**
 * Prints an audit hook by hook, worst first. Each finding has its place, its reason and an alternative. The parts that could not be
 * inspected follow.
 */

import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { AuditedFinding, FindingSeverity, Unaudited } from '../../guard/index.ts';
import type { HookAudit } from '../../trust/audit-hooks.ts';
import { renderBriefly } from '../print/diagnostics.ts';
import type { Style } from '../print/style.ts';
import { block, cut, oneLine, pad, placeText, plural, shortName } from '../print/text.ts';

/** The counts of an audit. */
export interface AuditSummary {
  readonly hooks: number;
  /** Hooks without findings, even if parts of them could not be inspected. */
  readonly clean: number;
  readonly keptOut: number;
  readonly findings: Readonly<Record<FindingSeverity, number>>;
  readonly unaudited: number;
  readonly waived: number;
}

export function summaryOf(audits: readonly HookAudit[]): AuditSummary {
  const all = audits.flatMap(({ findings }) => findings);
  const count = (wanted: FindingSeverity): number => all.filter(({ severity }) => severity === wanted).length;
  const sum = (of: (audit: HookAudit) => readonly unknown[]): number => audits.reduce((total, audit) => total + of(audit).length, 0);
  return {
    hooks: audits.length,
    clean: audits.filter(({ findings }) => findings.length === 0).length,
    keptOut: audits.filter(({ blocking }) => blocking.length > 0).length,
    findings: { catastrophic: count('catastrophic'), high: count('high'), medium: count('medium'), low: count('low') },
    unaudited: sum(({ unaudited }) => unaudited),
    waived: sum(({ waived }) => waived),
  };
}

export function renderAudit(audits: readonly HookAudit[], diagnostics: readonly Diagnostic[], style: Style): string {
  const telling = audits.filter((audit) => !isQuiet(audit)).sort((a, b) => worstOf(a) - worstOf(b));
  const quiet = audits.filter(isQuiet);
  const clean = quiet.length === 0 ? '' : `${quiet.map((audit) => `${headOf(audit, style)}\n`).join('')}`;
  return [...telling.map((audit) => renderHook(audit, style)), clean, renderBriefly(diagnostics, style), totals(audits, style)]
    .filter((part) => part !== '')
    .join('\n');
}

const ORDER: readonly FindingSeverity[] = ['catastrophic', 'high', 'medium', 'low'];
const INDENT = ' '.repeat(16);

function isQuiet({ findings, unaudited, waived }: HookAudit): boolean {
  return findings.length + unaudited.length + waived.length === 0;
}

function worstOf({ findings: [worst] }: HookAudit): number {
  return worst ? ORDER.indexOf(worst.severity) : ORDER.length;
}

function renderHook(audit: HookAudit, style: Style): string {
  const { findings, waived, unaudited } = audit;
  const parts = [
    headOf(audit, style),
    ...findings.map((finding) => renderFinding(finding, style)),
    ...waived.map(({ finding, waiver }) =>
      line(
        'waived',
        `${oneLine(finding.message)} ${style.dim(`(${finding.rule}, until ${waiver.expires}: ${oneLine(waiver.reason)})`)}`,
        style.cyan,
      ),
    ),
    ...unaudited.map((gap) => line('not audited', gapText(gap, style), style.dim)),
  ];
  return `${parts.join('\n')}\n`;
}

function headOf({ hook, findings, blocking }: HookAudit, style: Style): string {
  const mark = blocking.length > 0 ? style.red('✗') : findings.length > 0 ? style.yellow('!') : style.green('✓');
  const about = style.dim(`${hook.dialect} · ${oneLine(hook.event)}  ${placeText(hook.source)}`);
  const state = blocking.length > 0 ? `  ${style.red('does not run')}` : '';
  return `${mark} ${style.bold(oneLine(hook.name))}  ${about}${state}`;
}

function renderFinding(finding: AuditedFinding, style: Style): string {
  const { severity, message, rule, hint, text } = finding;
  const room = Math.max(20, style.columns - INDENT.length);
  const shown = oneLine(text) === shortName(finding.file) || text === finding.file ? '' : cut(oneLine(text), room);
  return [
    line(severity, `${oneLine(message)} ${style.dim(`(${rule})`)}`, paintOf(severity, style)),
    ...(shown === '' ? [] : [`${INDENT}${shown}`]),
    `${INDENT}${style.dim(placeText(finding))}`,
    block(`instead: ${hint}`, INDENT, style.columns).replace('instead:', style.cyan('instead:')),
  ].join('\n');
}

function gapText({ what, why, file }: Unaudited, style: Style): string {
  return `${what === file ? shortName(file) : oneLine(what)}: ${style.dim(oneLine(why))}`;
}

function line(label: string, text: string, paint: (text: string) => string): string {
  return `  ${paint(pad(label, INDENT.length - 2))}${text}`;
}

function paintOf(severity: FindingSeverity, style: Style): (text: string) => string {
  return { catastrophic: (text: string) => style.bold(style.red(text)), high: style.red, medium: style.yellow, low: style.dim }[severity];
}

function totals(audits: readonly HookAudit[], style: Style): string {
  if (audits.length === 0) return 'No hooks were found. `hookline help list` shows where Hookline looks for them.\n';
  const { hooks, clean, keptOut, findings, unaudited, waived } = summaryOf(audits);
  const counts = ORDER.filter((severity) => findings[severity] > 0).map((severity) => `${findings[severity]} ${severity}`);
  const found = counts.length === 0 ? 'no findings' : counts.join(', ');
  const paint = keptOut > 0 ? style.red : counts.length > 0 ? style.yellow : style.green;
  const more = [
    ...(keptOut > 0 ? [`${keptOut} ${keptOut === 1 ? 'does' : 'do'} not run`] : []),
    ...(clean > 0 && clean < hooks ? [`${clean} clean`] : []),
    ...(waived > 0 ? [`${waived} waived`] : []),
  ];
  const gaps =
    unaudited === 0
      ? ''
      : `${style.dim(`${plural(unaudited, 'part')} could not be inspected; "clean" does not cover ${unaudited === 1 ? 'it' : 'them'}.`)}\n`;
  return `${paint(style.bold(`${plural(hooks, 'hook')}: ${found}`))}${more.length === 0 ? '' : ` (${more.join(', ')})`}\n${gaps}`;
}
