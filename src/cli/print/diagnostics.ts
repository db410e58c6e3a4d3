/** Prints diagnostics like a compiler: the place, the problem, the line with a caret under the column, and the fix. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic, Severity } from '../../core/values/diagnostic.ts';
import type { Style } from './style.ts';
import { block, cut, harmless, oneLine, placeText, plural, shortName } from './text.ts';

export function renderDiagnostics(diagnostics: readonly Diagnostic[], style: Style): string {
  const lines = linesOfFiles();
  return diagnostics.map((diagnostic) => renderOne(diagnostic, lines, style)).join('\n');
}

/** Prints each diagnostic on one line, for reports with another subject. */
export function renderBriefly(diagnostics: readonly Diagnostic[], style: Style): string {
  return withoutRepeats(diagnostics)
    .map((diagnostic) => {
      const { severity, code, message, hint } = diagnostic;
      const place = placeText(diagnostic);
      const head = `  ${paint(severity, style)(`${severity}[${oneLine(code)}]`)} ${cut(oneLine(message), Math.max(40, style.columns * 2))}`;
      const help = hint === undefined ? '' : `\n    ${style.cyan('help:')} ${cut(oneLine(hint), Math.max(40, style.columns * 2))}`;
      return `${head}${place === '' ? '' : `\n    ${style.dim(place)}`}${help}\n`;
    })
    .join('');
}

/**
 * Prints problems of hook files under a report with another subject: those with a place in a file are only counted, because `hookline check` shows
 * them. Problems that `check` does not show follow in full.
 */
export function renderFileProblems(diagnostics: readonly Diagnostic[], style: Style): string {
  const isPlaced = ({ file, line, code, message }: Diagnostic): boolean =>
    file !== undefined && (line !== undefined || OF_WHOLE_FILES.has(code)) && !message.startsWith(INACTIVE);
  const placed = diagnostics.filter((one) => isPlaced(one) && one.severity !== 'info');
  const others = diagnostics.filter((one) => !isPlaced(one));
  const files = [...new Set(placed.map(({ file }) => shortName(file as string)))];
  // Without `--home` the command looks at the project alone.
  const command = files.some((file) => path.isAbsolute(file)) ? 'hookline check --home ~' : 'hookline check';
  const worst = placed.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
  const count = `  ${paint(worst, style)(countBySeverity(placed))} in ${plural(files.length, 'hook file')}; \`${command}\` shows them.\n`;
  return `${placed.length === 0 ? '' : count}${renderBriefly(others, style)}`;
}

/** Problems of hook files that have no line. */
const OF_WHOLE_FILES: ReadonlySet<string> = new Set([
  'unreadable-file',
  'empty-file',
  'file-too-large',
  'too-deep',
  'misspelt-file',
  'link-outside',
]);

const INACTIVE = 'Protection not active: ';

/** Several protections that are not active are one diagnostic: the first in full, and the number of the others. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const inactive = diagnostics.filter(({ message }) => message.startsWith(INACTIVE));
  const [first, ...more] = inactive;
  if (!first || more.length === 0) return diagnostics;
  const message = `${first.message} The same is true of ${plural(more.length, 'other hook')}.`;
  return diagnostics.flatMap((one) => (one === first ? [{ ...one, message }] : inactive.includes(one) ? [] : [one]));
}

export function countBySeverity(diagnostics: readonly Diagnostic[]): string {
  const count = (wanted: Severity): number => diagnostics.filter(({ severity }) => severity === wanted).length;
  const notes = count('info');
  return `${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}${notes === 0 ? '' : `, ${plural(notes, 'note')}`}`;
}

function renderOne(diagnostic: Diagnostic, lines: (file: string) => readonly string[], style: Style): string {
  const { severity, code, message, hint, file, line, column } = diagnostic;
  const place = placeText(diagnostic);
  const head = `${place === '' ? '' : `${style.bold(place)}  `}${paint(severity, style)(`${severity}[${oneLine(code)}]`)}`;
  const parts = [head, block(message, '  ', style.columns)];
  const text = file === undefined || line === undefined ? undefined : lines(file)[line - 1];
  if (text !== undefined && line !== undefined) parts.push(excerpt(text, line, column, paint(severity, style), style));
  if (hint !== undefined) parts.push(`${style.cyan('  help:')} ${block(hint, '        ', style.columns).trimStart()}`);
  return `${parts.join('\n')}\n`;
}

/** Returns the source line with a caret under the column. A long line is cut to the part around that column. */
function excerpt(text: string, line: number, column: number | undefined, mark: (text: string) => string, style: Style): string {
  const gutter = `${line}`.padStart(5);
  const room = Math.max(20, style.columns - gutter.length - 4);
  const at = Math.min(Math.max(0, (column ?? 1) - 1), text.length);
  const start = at < room - 10 ? 0 : at - Math.floor(room / 2);
  const before = shown(text.slice(start, at));
  const after = shown(text.slice(at));
  const lead = start === 0 ? '' : '…';
  const source = `${style.dim(`${gutter} │`)} ${cut(`${lead}${before}${after}`, room)}`;
  if (column === undefined) return source;
  return `${source}\n${style.dim(`${' '.repeat(gutter.length)} │`)} ${' '.repeat(lead.length + [...before].length)}${mark('^')}`;
}

function shown(text: string): string {
  return harmless(text).replaceAll('\t', '  ');
}

function paint(severity: Severity, style: Style): (text: string) => string {
  return { error: style.red, warning: style.yellow, info: style.cyan }[severity];
}

/** Reads each file once. A file that cannot be read or is not text has no lines. */
function linesOfFiles(): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    let lines = known.get(file);
    if (lines === undefined) {
      lines = read(file);
      known.set(file, lines);
    }
    return lines;
  };
}

const MOST_BYTES = 4 * 1024 * 1024;

function read(file: string): readonly string[] {
  try {
    const text = readFileSync(file, 'utf8');
    return text.length > MOST_BYTES ? [] : text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  } catch {
    return [];
  }
}
