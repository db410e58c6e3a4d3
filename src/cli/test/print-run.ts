/** Prints a run of tests for people: each case, for a failed one the difference and the trace, and the coverage. */

import type { Mismatch } from '../../hooktest/compare.ts';
import type { CoveredHook } from '../../hooktest/coverage.ts';
import type { CaseResult } from '../../hooktest/run-case.ts';
import type { FileResult, TestRun } from '../../hooktest/run-tests.ts';
import { renderDiagnostics } from '../print/diagnostics.ts';
import { diffLines } from '../print/line-diff.ts';
import type { Style } from '../print/style.ts';
import { block, harmless, oneLine, pad, plural, shortName, widthOf } from '../print/text.ts';
import { renderOutcome } from '../run/print-outcome.ts';

export function renderRun(run: TestRun, style: Style): string {
  return [...run.files.map((file) => renderFile(file, style)), renderCoverage(run.coverage, style), renderSum(run, style)]
    .filter((part) => part !== '')
    .join('\n');
}

function renderFile({ file, problems, cases }: FileResult, style: Style): string {
  const isGood = problems.length === 0 && cases.every(({ passed }) => passed);
  const head = `${sign(isGood, style)} ${style.bold(oneLine(shortName(file)))}\n`;
  return `${head}${renderDiagnostics(problems, style)}${cases.map((one) => renderCase(one, style)).join('')}`;
}

function sign(isGood: boolean, style: Style): string {
  return isGood ? style.green('✓') : style.red('✗');
}

function renderCase(result: CaseResult, style: Style): string {
  const { name, host, passed, ms, mismatches, line } = result;
  const as = host === undefined ? '' : `  as ${host}`;
  const head = `  ${sign(passed, style)} ${oneLine(name)}${style.dim(`${as}  ${Math.round(ms)} ms`)}\n`;
  if (passed) return head;
  const trace = traceOf(result, style);
  return [head.replace(/\n$/, style.dim(`  line ${line}\n`)), ...mismatches.map((one) => renderMismatch(one, style)), trace].join('');
}

function renderMismatch({ what, expected, got, hint }: Mismatch, style: Style): string {
  const lines = `${expected}\n`;
  const body = diffLines(lines, `${got}\n`)
    .flatMap((hunk) => hunk.lines)
    .map(({ sign: mark, text }) => {
      const shown = `      ${mark} ${harmless(text)}`;
      return mark === '-' ? style.red(shown) : mark === '+' ? style.green(shown) : style.dim(shown);
    });
  const advice = hint === undefined ? '' : `${style.cyan(block(harmless(hint), '      ', style.columns))}\n`;
  return `    ${style.bold(what)} ${style.dim('(- expected, + got)')}\n${body.join('\n')}\n${advice}`;
}

/** The same trace that `hookline fire` prints. */
function traceOf({ event, outcome, answer }: CaseResult, style: Style): string {
  if (!event || !outcome) return '';
  const narrow = { ...style, columns: Math.max(40, style.columns - INDENT.length) };
  const trace = renderOutcome(outcome, { kind: event.kind, data: event.data, context: {} }, narrow);
  const answered = answer ? `answer: exit ${answer.exit}\n${part('stdout', answer.stdout)}${part('stderr', answer.stderr)}` : '';
  return `    ${style.bold('trace')}\n${indented(`${trace}${answered}`)}`;
}

const INDENT = '      ';

function part(name: string, text: string): string {
  return text.trim() === '' ? '' : `${name}: ${harmless(text.trim())}\n`;
}

function indented(text: string): string {
  return text
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => (line === '' ? '\n' : `${INDENT}${line}\n`))
    .join('');
}

function renderCoverage(hooks: readonly CoveredHook[], style: Style): string {
  if (hooks.length === 0) return '';
  const width = Math.min(32, Math.max(...hooks.map(({ name }) => widthOf(oneLine(name)))));
  const rows = hooks.map((hook) => `  ${pad(oneLine(hook.name), width)}  ${coverText(hook, style)}\n`);
  return `${style.bold('Coverage')}\n${rows.join('')}`;
}

function coverText({ cases, seen, never }: CoveredHook, style: Style): string {
  if (cases === 0) return style.yellow('no test asks it');
  const missing = never.length === 0 ? '' : style.dim(`; never: ${never.join(', ')}`);
  return `${plural(cases, 'case')}; decided: ${seen.join(', ') || 'nothing'}${missing}`;
}

function renderSum({ passed, failed }: TestRun, style: Style): string {
  const text = `${passed} passed, ${failed} failed`;
  return `${style.bold(failed > 0 ? style.red(text) : style.green(text))}\n`;
}
