/** Prints past decisions with a heading per day, and single entries while the log is followed. No id and no word is ever divided. */

import type { DecisionKind } from '../../core/decision/decision.ts';
import { explainHook, explainJudge, listFailed } from '../../core/decision/explain.ts';
import { kindRule } from '../../core/event/event.ts';
import { isAct, type LogEntry } from '../../core/record/decision-record.ts';
import { accountText, agentText, type Finding } from '../../core/record/who.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import type { Verified } from '../../engine/record/decision-log.ts';
import { readRecorded } from '../../engine/record/recorded-outcome.ts';
import { preview } from '../print/event-line.ts';
import type { Style } from '../print/style.ts';
import { block, cutWords, flow, oneLine, pad, plural, widthOf } from '../print/text.ts';
import { day, timeOfDay } from '../print/time.ts';

/** The widths are fixed, because the rows of a followed log are not known in advance. A longer text moves the rest of its line. */
const WIDE = { time: 8, decision: 8, event: 13 };
/** The facts of an entry are below its event. */
const INDENT = ' '.repeat(2 + WIDE.time + 2);

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

export function renderVerified({ entries, head: last, problem, problems, sealed, checkpoints }: Verified, style: Style): string {
  if (!problem) {
    const whole = style.green(`✓ ${plural(entries, 'entry', 'entries')} verified: none was changed or removed.`);
    if (entries === 0) return `${whole}\n`;
    const proof = style.dim(`  ${SEALED[sealed]} ${plural(checkpoints.count, 'checkpoint')} of this machine compared.\n`);
    const keep = `keep ${last.hash} in another place: \`log verify --head\` with it later shows whether the newest entries were removed.`;
    return `${whole}\n${proof}\n${style.cyan('next:')} ${block(keep, '      ', style.columns).trimStart()}\n`;
  }
  const [first, ...more] = problems.map(({ says }) => says);
  const holds = entries === 0 ? '' : style.dim(`  ${plural(entries, 'entry', 'entries')} were read.\n`);
  const rest = more.map((says) => `${style.red('✗')} ${block(says, '  ', style.columns).trimStart()}\n`).join('');
  const next = `${style.cyan('next:')} ${block(WHAT_TO_DO, '      ', style.columns).trimStart()}\n`;
  return `${style.red(style.bold(`✗ ${CHAIN.includes(problem.problem) ? `The chain is broken at entry ${problem.seq}. ` : ''}${first}`))}\n${rest}${holds}\n${next}`;
}

/** Problems of single entries. The others concern the log as a whole. */
const CHAIN: readonly string[] = ['changed', 'missing', 'moved', 'unreadable'];

const SEALED: Readonly<Record<Verified['sealed'], string>> = {
  yes: 'The head is sealed by this machine.',
  'by another machine': 'The head is sealed by another machine, so its seal cannot be checked here.',
  no: 'The head has no seal.',
};

const WHAT_TO_DO =
  'find out which program or person has changed the store, and compare it with a backup or with a checkpoint that was sent away. If you have removed the log yourself, remove its file in the folder `checkpoints` of the state folder too.';

function head(style: Style): string {
  const titles = [pad('time', WIDE.time), pad('decision', WIDE.decision), pad('event', WIDE.event), 'tool and input'];
  return `  ${style.dim(titles.join('  '))}\n`;
}

/** Prints what was decided about which action, then the reason and what else happened, then the id and whose action it was. */
function row(entry: LogEntry, style: Style): string {
  const failed = failures(entry);
  const changed = rewrites(entry);
  const marks = `${changed.length > 0 ? ' ~' : ''}${failed.length > 0 ? ' !' : ''}`;
  const lead = [
    `  ${pad(timeOfDay(entry.at), WIDE.time)}`,
    paint(entry.decision, pad(`${entry.decision}${marks}`, WIDE.decision), style),
    pad(entry.kind, WIDE.event),
    ...(entry.tool === null ? [] : [style.bold(oneLine(entry.tool))]),
  ].join('  ');
  const room = style.columns - widthOf(lead) - 2;
  const input = inputText(entry);
  const isBeside = widthOf(input) <= room || room >= 24;
  const below = (text: string): string => block(text, INDENT, style.columns);
  return [
    input !== '' && isBeside ? `${lead}  ${cutWords(input, room)}` : lead.trimEnd(),
    ...(isBeside ? [] : [below(cutWords(input, style.columns - INDENT.length))]),
    ...(entry.reason === null ? [] : [below(cutWords(oneLine(entry.reason), MOST_OF_A_REASON))]),
    ...changed.map((text) => style.cyan(below(`~ ${cutWords(text, style.columns - INDENT.length - 2)}`))),
    ...shadowed(entry).map((text) => style.dim(below(`? ${text}`))),
    ...failed.map((text) => style.yellow(below(`! ${text}`))),
    ...judged(entry).map((text) => style.dim(below(text))),
    style.dim(flow([oneLine(entry.id), ...origin(entry)], INDENT, style.columns)),
  ].join('\n');
}

/** `why` has the whole reason. */
const MOST_OF_A_REASON = 300;

/** Returns the command, or what else the tool was given, on one line. Acts and most other events have their sentence as the reason. */
function inputText({ kind, tool, data }: LogEntry): string {
  if (isAct(kind)) return '';
  const { tool: _, ...rest } = data;
  const subject = (tool === null ? undefined : data['input']) ?? data[kindRule(kind).rewrites?.key ?? ''] ?? rest;
  const [only, ...more] = isObject(subject) ? Object.values(subject) : [];
  const command = isObject(subject) ? (textOf(subject['command']) ?? (more.length === 0 ? textOf(only) : undefined)) : undefined;
  return preview(command ?? subject);
}

/** Returns the agent, the session, the hooks, the time they took, and the account. */
function origin(entry: LogEntry): string[] {
  const { who, session, actor, ms, kind, outcome } = entry;
  const account = who ? accountText(who) : '';
  const by = actor ? `by ${BY[actor.finding]} (${actor.via})` : '';
  const agent = who ? agentText(who) : '';
  const hooks = hooksRun(outcome).join(', ');
  const texts = [agent, session === '' ? '' : `session ${session}`, hooks, isAct(kind) ? '' : `${Math.round(ms)} ms`, by, account];
  return texts.map(oneLine);
}

const BY: Readonly<Record<Finding, string>> = { person: 'a person', agent: 'an agent', unclear: 'a program' };

/** Returns what hooks put in the place of the input or the result. */
function rewrites(entry: LogEntry): string[] {
  const { rewrite, replace } = readRecorded(entry);
  const shown = (value: Json): string => preview((isObject(value) ? textOf(value['command']) : undefined) ?? value);
  return [
    ...(rewrite === undefined ? [] : [`rewritten to ${shown(rewrite)}`]),
    ...(replace === undefined ? [] : [`result replaced by ${shown(replace)}`]),
  ];
}

/** Returns the hooks that failed, because their silence is not agreement. */
function failures(entry: LogEntry): string[] {
  const failed = readRecorded(entry).hooks.filter(({ status }) => status === 'faulted');
  return failed.length === 0 ? [] : [oneLine(`${plural(failed.length, 'hook')} failed: ${listFailed(failed)}`)];
}

/** Returns the hooks that a model answered, with the model and the cost. */
function judged(entry: LogEntry): string[] {
  return readRecorded(entry).hooks.flatMap((report) => {
    const said = explainJudge(report);
    return said === undefined ? [] : [oneLine(`${report.name} judged by ${said}`)];
  });
}

/** Returns what hooks in shadow would have changed. */
function shadowed(entry: LogEntry): string[] {
  return readRecorded(entry)
    .hooks.filter(({ wouldHave }) => wouldHave && (wouldHave.decision !== 'pass' || wouldHave.effects !== undefined))
    .map((report) => oneLine(`${report.name} ${explainHook(report)}`));
}

function paint(decision: DecisionKind, text: string, style: Style): string {
  return decision === 'deny' ? style.red(text) : decision === 'hold' || decision === 'ask' ? style.yellow(text) : style.green(text);
}

function hooksRun(outcome: Json): readonly string[] {
  const hooks = isObject(outcome) && Array.isArray(outcome['hooks']) ? (outcome['hooks'] as readonly Json[]) : [];
  const run = hooks.filter(isObject).filter(({ status }) => status === 'answered' || status === 'faulted');
  return run.map(({ name }) => oneLine(textOf(name) ?? '?'));
}
