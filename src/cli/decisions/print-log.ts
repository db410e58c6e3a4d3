/** Prints past decisions as a table with a heading per day, and single rows while the log is followed. */

import type { ChainProblem, LogEntry } from '../../core/contracts/decision-record.ts';
import type { DecisionKind } from '../../core/decision/decision.ts';
import { listFailed } from '../../core/decision/explain.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import type { Verified } from '../../engine/record/decision-log.ts';
import { readRecorded } from '../../engine/record/recorded-outcome.ts';
import type { Style } from '../print/style.ts';
import { block, cut, oneLine, pad, plural, widthOf } from '../print/text.ts';
import { day, timeOfDay } from '../print/time.ts';

interface Column {
  readonly title: string;
  readonly wide: number;
  text(entry: LogEntry): string;
}

/** The columns have fixed widths, because the rows of a followed log are not known in advance. */
const COLUMNS: readonly Column[] = [
  { title: 'time', wide: 8, text: ({ at }) => timeOfDay(at) },
  { title: 'decision', wide: 8, text: ({ decision }) => decision },
  { title: 'event', wide: 13, text: ({ kind }) => kind },
  { title: 'tool', wide: 10, text: ({ tool }) => (tool === null ? '' : oneLine(tool)) },
  { title: 'hooks run', wide: 16, text: ({ outcome }) => hooksRun(outcome).join(', ') },
  { title: 'ms', wide: 5, text: ({ ms }) => `${Math.round(ms)}`.padStart(5) },
];

/**
 * Returns the rows of these entries.
 * @param since the day of the row above them, if there is one
 */
export function renderEntries(entries: readonly LogEntry[], since: string | undefined, style: Style): string {
  let today = since;
  const rows = entries.map((entry) => {
    const heading = day(entry.at) === today ? '' : `${today === undefined ? '' : '\n'}${style.bold(day(entry.at))}\n${head(style)}`;
    today = day(entry.at);
    return `${heading}${row(entry, style)}\n`;
  });
  return rows.join('');
}

export function renderVerified({ entries, head: last, problem }: Verified, style: Style): string {
  if (!problem) {
    const whole = style.green(`✓ ${plural(entries, 'entry', 'entries')} verified: none was changed or removed.`);
    if (entries === 0) return `${whole}\n`;
    const keep = `keep ${last.hash} in another place: \`log verify --head\` with it later shows whether the newest entries were removed.`;
    return `${whole}\n\n${style.cyan('next:')} ${block(keep, '      ', style.columns).trimStart()}\n`;
  }
  const holds = entries === 0 ? '' : style.dim(`  ${plural(entries, 'entry', 'entries')} before it verified.\n`);
  return `${style.red(style.bold(`✗ The chain is broken at entry ${problem.seq}: ${PROBLEMS[problem.problem]}`))}\n${holds}`;
}

const PROBLEMS: Readonly<Record<ChainProblem['problem'], string>> = {
  changed: 'it is not what was written.',
  missing: 'it was removed.',
  moved: 'it does not follow the entry before it.',
  unreadable: 'it cannot be read.',
};

function head(style: Style): string {
  return `  ${style.dim([...COLUMNS.map(({ title, wide }) => pad(title, wide)), 'id, reason'].join('  '))}\n`;
}

/** Prints the reason after the id if it fits, else on its own line, because the id must never be cut. */
function row(entry: LogEntry, style: Style): string {
  const cells = COLUMNS.map(({ title, wide, text }) => {
    const cell = pad(cut(text(entry), wide), wide);
    return title === 'decision' ? paint(entry.decision, cell, style) : cell;
  });
  const line = `  ${[...cells, style.dim(oneLine(entry.id))].join('  ')}`;
  const failed = failures(entry);
  const text = [...(entry.reason === null ? [] : [oneLine(entry.reason)]), ...failed].join('  ');
  if (text === '') return line;
  const shown = failed.length > 0 && entry.decision !== 'deny' ? style.yellow : (plain: string) => plain;
  const room = style.columns - widthOf(line) - 2;
  return widthOf(text) <= room ? `${line}  ${shown(text)}` : `${line}\n            ${shown(cut(text, style.columns - 12))}`;
}

/** Returns the hooks that failed, because their silence is not agreement. */
function failures(entry: LogEntry): string[] {
  const failed = readRecorded(entry).hooks.filter(({ status }) => status === 'faulted');
  return failed.length === 0 ? [] : [oneLine(`${plural(failed.length, 'hook')} failed: ${listFailed(failed)}`)];
}

function paint(decision: DecisionKind, text: string, style: Style): string {
  return decision === 'deny' ? style.red(text) : decision === 'hold' || decision === 'ask' ? style.yellow(text) : style.green(text);
}

function hooksRun(outcome: Json): readonly string[] {
  const hooks = isObject(outcome) && Array.isArray(outcome['hooks']) ? (outcome['hooks'] as readonly Json[]) : [];
  const run = hooks.filter(isObject).filter(({ status }) => status === 'answered' || status === 'faulted');
  return run.map(({ name }) => oneLine(textOf(name) ?? '?'));
}
