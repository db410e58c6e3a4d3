/** From a text to findings: analyse once, then put every effective command and shape to every rule. */
import { type Accusation, type Finding, finding, tidy } from './findings.ts';
import { deletion } from './rules/deletion.ts';
import { disk } from './rules/disk.ts';
import { execSource } from './rules/exec-source.ts';
import { NETWORK_SHELL, networkShell } from './rules/network-shell.ts';
import { FORK_BOMB, process } from './rules/process.ts';
import { type AnalyseOptions, type Analysis, analyse } from './shell/analyse.ts';
import type { Effective } from './shell/machine.ts';

type Rule = (command: Effective) => readonly Accusation[];
const RULES: readonly Rule[] = [deletion, disk, networkShell, execSource, process];

/** Words that make a text we could not follow to its end more than doubtful. */
const ALARMING = /\brm\s+-|\bmkfs|\bdd\s+|\/dev\/(tcp|udp|sd|nvme)|\b(curl|wget|nc|ncat|socat)\b|\bbase64\b|\beval\b|--no-preserve-root/;
const HIDDEN = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u061C\u00AD]/;

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly analysis: Analysis;
}

export function judge(text: string, options: AnalyseOptions = {}): Judgement {
  const analysis = analyse(text, options);
  const findings: Finding[] = [];
  for (const command of analysis.commands) {
    for (const rule of RULES) {
      for (const accusation of rule(command)) findings.push(finding(accusation, command.argv.join(' '), command.line));
    }
  }
  for (const { kind, text: where, line } of analysis.shapes)
    findings.push(finding(kind === 'fork-bomb' ? FORK_BOMB : NETWORK_SHELL, where, line));
  for (const { why, line, limit } of analysis.doubts) findings.push(finding(doubt(why, limit && ALARMING.test(text)), text, line));
  findings.push(...hiddenText(text));
  return { findings: tidy(findings), analysis };
}

/** Characters that make a text look other than it is. */
export function hiddenText(text: string): readonly Finding[] {
  const at = HIDDEN.exec(text)?.index;
  if (at === undefined) return [];
  const message = 'Holds characters that are not seen or that turn the text around.';
  const accusation: Accusation = { rule: 'hidden-text', severity: 'medium', message, hint: 'Remove them, or write them as escapes.' };
  return [finding(accusation, text.slice(Math.max(0, at - 20), at + 40), text.slice(0, at).split('\n').length)];
}

/** A limit that is met could hide something on purpose; where alarming words stand in the text, it counts as hiding. */
function doubt(why: string, alarming: boolean): Accusation {
  return {
    rule: 'uncertain',
    severity: alarming ? 'high' : 'medium',
    message: `Could not be judged to the end: ${why}.`,
    hint: 'Make it simpler and shorter.',
  };
}
