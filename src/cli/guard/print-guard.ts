/** Prints the rules of the guard, and explains a command: its objectionable part, how it unwraps, every finding, and what to do. */

import type { GuardFinding } from '../../guard/guard.ts';
import type { ShownPack } from '../../guard/rules/evidence.ts';
import type { Rule } from '../../guard/rules/rule.ts';
import type { Style } from '../print/style.ts';
import { block, cut, cutWords, harmless, oneLine, pad, plural, widthOf } from '../print/text.ts';
import { type Explanation, placeOf } from './explain.ts';

/** The rules of the guard as a list, by category. */
export function renderRules(rules: readonly Rule[], on: readonly ShownPack[], style: Style): string {
  const categories = [...new Set(rules.map(({ category, pack }) => titleOf(category, pack)))].sort();
  const wide = Math.max(10, ...rules.map(({ id }) => id.length));
  const sections = categories.map((title) => {
    const own = rules.filter(({ category, pack }) => titleOf(category, pack) === title);
    const [pack] = own.flatMap((rule) => rule.pack ?? []);
    return `${style.bold(title)}${pack === undefined ? '' : stateOf(pack, on, style)}\n${own.map((rule) => line(rule, wide, style)).join('\n')}\n`;
  });
  return `${sections.join('\n')}\n${style.bold(plural(rules.length, 'rule'))}\n`;
}

/** Returns whether a pack is on, and why. */
function stateOf(pack: string, on: readonly ShownPack[], style: Style): string {
  const by = on.find((one) => one.pack === pack)?.by;
  if (by === undefined) return style.dim('  off');
  return by === 'chosen' ? style.green('  on') : style.green(`  on: the project has ${by}`);
}

function titleOf(category: string, pack: string | undefined): string {
  return pack === undefined ? category : `${category} (pack ${pack})`;
}

function line({ id, severity, locked, reason }: Rule, wide: number, style: Style): string {
  const paint = severity === 'catastrophic' || severity === 'high' ? style.red : severity === 'medium' ? style.yellow : style.dim;
  const indent = ' '.repeat(wide + 18);
  return `  ${pad(id, wide)}  ${paint(pad(locked ? `${severity} !` : severity, 14))}${block(reason, indent, style.columns).trimStart()}`;
}

export function renderExplanation(command: string, explanation: Explanation, style: Style): string {
  const { findings, decision } = explanation;
  const told = findings.filter((finding) => finding.decision !== 'none' || finding.override || decision === 'none');
  return [
    headline(explanation, style),
    '',
    ...quoted(command, explanation, style),
    '',
    ...understood(explanation, style),
    ...told.slice(0, MOST_FINDINGS).flatMap((finding) => about(finding, style)),
    ...(told.length > MOST_FINDINGS ? [style.dim(`  and ${told.length - MOST_FINDINGS} more findings; --json has them all`), ''] : []),
    ...footer(explanation, style),
  ].join('\n');
}

type Command = Explanation['commands'][number];

const MOST_FINDINGS = 10;
const MOST_LINES = 12;
const MOST_COMMANDS = 12;
const WORDS = { deny: 'denied', ask: 'a person is asked', none: 'no objection' } as const;
const SIGNS = { deny: '✗', ask: '?', none: '✓' } as const;

function painter(decision: Explanation['decision'], style: Style): (text: string) => string {
  return decision === 'deny' ? style.red : decision === 'ask' ? style.yellow : style.green;
}

function headline({ decision, preset, rule, complete }: Explanation, style: Style): string {
  const paint = painter(decision, style);
  const by = decision === 'none' || rule === null ? '' : `  ${style.bold(rule)}`;
  const partly = complete ? '' : style.yellow('  not all of it was understood');
  return `${paint(style.bold(`${SIGNS[decision]} ${WORDS[decision]}`))}${by}  ${style.dim(`preset ${preset}`)}${partly}`;
}

/** The lines around the offending part, which is underlined. */
function quoted(command: string, { span, decision }: Explanation, style: Style): string[] {
  const [start, end] = span ?? [0, 0];
  const lines = command.split('\n');
  const shown: string[] = [];
  let at = 0;
  let first = 0;
  for (const line of lines) {
    const [from, to] = [Math.max(start, at), Math.min(end, at + line.length)];
    const marked = span !== null && from < to;
    if (marked && shown.length === 0 && first > 2) shown.push(style.dim('  …'));
    if (marked || lines.length <= MOST_LINES || Math.abs(at - start) < 400)
      shown.push(...quotedLine(line, marked ? [from - at, to - at] : undefined, decision, style));
    at += line.length + 1;
    first++;
    if (shown.length > MOST_LINES * 2) return [...shown, style.dim('  …')];
  }
  return shown;
}

function quotedLine(line: string, part: readonly [number, number] | undefined, decision: Explanation['decision'], style: Style): string[] {
  const room = Math.max(20, style.columns - 4);
  if (!part) return [`  ${cut(visible(line), room)}`];
  const [from, to] = part;
  // A long line is shown from a little before the part.
  const skip = widthOf(visible(line.slice(0, to))) <= room ? 0 : Math.max(0, from - 20);
  const lead = skip === 0 ? '' : '…';
  const before = `${lead}${visible(line.slice(skip, from))}`;
  const marked = visible(line.slice(from, to));
  const text = cut(`${before}${marked}${visible(line.slice(to))}`, room);
  const width = Math.max(1, Math.min(widthOf(marked), widthOf(text) - widthOf(before)));
  return [`  ${text}`, `  ${' '.repeat(widthOf(before))}${painter(decision, style)('^'.repeat(width))}`];
}

/** The chain of commands, as far as it was unwrapped. */
function understood({ commands, effective, decision }: Explanation, style: Style): string[] {
  const shown = commands.filter((command, i) => !wraps(command, commands[i + 1]));
  const lines = shown.slice(0, MOST_COMMANDS).map(({ argv, via }) => {
    const text = oneLine(argv.join(' '));
    const isMeant =
      effective !== null &&
      decision !== 'none' &&
      argv.join('\n') === effective.argv.join('\n') &&
      via.join('\n') === effective.via.join('\n');
    const way = via.map((step) => `${style.dim(`${oneLine(step)} ›`)} `).join('');
    const room = Math.max(20, style.columns - 4 - widthOf(way));
    return `    ${way}${isMeant ? painter(decision, style)(style.bold(cut(text, room))) : cut(text, room)}`;
  });
  if (lines.length === 0) return [];
  const more = shown.length > MOST_COMMANDS ? [style.dim(`    and ${shown.length - MOST_COMMANDS} more`)] : [];
  return [style.dim('  understood as'), ...lines, ...more, ''];
}

/** A command that only runs another one is shown as the way to it. */
function wraps({ via }: Command, next: Command | undefined): boolean {
  return next !== undefined && next.via.length === via.length + 1 && via.every((step, i) => next.via[i] === step);
}

function about(
  { rule, severity, message, hint, text, decision, locked, override, category, source }: GuardFinding,
  style: Style,
): string[] {
  const paint = painter(decision, style);
  const facts = [severity, ...(category === undefined ? [] : [category]), ...(locked ? ['locked'] : [])].join(' · ');
  return [
    `  ${paint(SIGNS[decision])} ${style.bold(rule)}  ${style.dim(facts)}`,
    block(message, '    ', style.columns),
    ...(text === '' ? [] : [`    ${style.dim(cutWords(oneLine(text), Math.max(20, style.columns - 6)))}`]),
    ...(source ? [`    ${style.dim('at')} ${cutWords(oneLine(placeOf(source)), Math.max(20, style.columns - 9))}`] : []),
    ...(override ? [block(`Overridden until ${override.expires}: ${override.reason}`, '    ', style.columns)] : []),
    ...(decision === 'none' ? [] : [`    ${style.cyan('instead:')} ${block(hint, '             ', style.columns).trimStart()}`]),
    '',
  ];
}

function footer({ presets, override, decision, notes }: Explanation, style: Style): string[] {
  const by = Object.entries(presets).map(([name, word]) => `${name} ${painter(word, style)(WORDS[word])}`);
  const lines = [`  ${style.dim('by preset')}  ${by.join(style.dim(' · '))}`];
  if (override && decision !== 'none') {
    const words = override.possible ? `possible, ${override.because}` : 'not possible: the rule is locked';
    lines.push(`  ${style.dim('override')}   ${words}`);
  }
  return [
    ...lines,
    ...notes.map((note) => `  ${style.yellow('note')}       ${block(note, '             ', style.columns).trimStart()}`),
    '',
  ];
}

function visible(text: string): string {
  return harmless(text).replaceAll('\t', '  ');
}
