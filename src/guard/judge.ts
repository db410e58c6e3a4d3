/**
 * Turns a text into findings: analyses the text once, reads the effects of every command and shape, and matches each effect against the
 * rules.
 */
import type { AuthoredRule } from '../core/contracts/guard-settings.ts';
import { authoredOn, authoredViolations } from './authored/authored-rules.ts';
import { hostsOfCommand } from './authored/hosts.ts';
import { type Protections, protectedByCommand } from './authored/protect.ts';
import { type Effect, effect, type KnownFolders } from './effects/effect.ts';
import { READERS, SEQUENCES } from './effects/index.ts';
import { type Finding, finding, isSevere, sortFindings, type Violation } from './findings.ts';
import { counted, leaveOut, OverLimit, STEPS_OF_CALL, spend, useReserve } from './limits.ts';
import { applies, reasonOf } from './rules/rule.ts';
import { rulesOn } from './rules/rulebook.ts';
import { type AnalyseOptions, type Analysis, analyse } from './shell/analyse.ts';
import { codeReaders } from './shell/code-readers.ts';
import { type Doubt, type EffectiveCommand, isForeign, type Shape } from './shell/machine.ts';
import { printable } from './shell/marks.ts';

/** Words that raise the severity if the analysis of a text stopped at a limit. */
const ALARMING = /\brm\s+-|\bmkfs|\bdd\s+|\/dev\/(tcp|udp|sd|nvme)|\b(curl|wget|nc|ncat|socat)\b|\bbase64\b|\beval\b|--no-preserve-root/;
const STEPS_OF_COMMAND = 12;
const MOST_SOURCE = 128 * 1024;
const HIDDEN = /[\x00-\x06\x0E-\x1A\x1C-\x1F\x7F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u061C\u00AD]/;
/** Joiners in emoji and in scripts whose letters they connect or separate. A dash keeps their place. */
const JOINED =
  /(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Sinhala}])[\u200C\u200D](?=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Sinhala}])/gu;

/** Returns whether a text has words that raise the severity of a doubt. */
export function isAlarming(text: string): boolean {
  return ALARMING.test(text);
}

export interface JudgeOptions extends AnalyseOptions, KnownFolders {
  /** Rule packs that are enabled in addition to the core rules. */
  readonly packs?: readonly string[];
  /** Rule packs that the project shows to need. No person chose them, so they ask and never deny by themselves. */
  readonly shownPacks?: readonly string[];
  /** Rules of settings, in addition to the core rules. */
  readonly rules?: readonly AuthoredRule[];
  /** Decisions on the use of files, by the glob of their paths. */
  readonly protect?: Protections;
  /** The analysis of this text with the same `AnalyseOptions`, if it was made before. */
  readonly analysis?: Analysis;
  /** Whether the text is a hook's own command. Otherwise an agent is about to run it. */
  readonly asHook?: boolean;
}

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly analysis: Analysis;
}

export function judge(text: string, options: JudgeOptions = {}): Judgement {
  return counted(options.mostSteps ?? STEPS_OF_CALL, () => judgeCounted(text, options)).value;
}

function judgeCounted(text: string, options: JudgeOptions): Judgement {
  const walked = options.analysis ?? analyse(text, options);
  const { findings, doubts } = readEffects(walked, options);
  const analysis = doubts.length === 0 ? walked : { ...walked, doubts: [...walked.doubts, ...doubts] };
  for (const { kind, text: where, line, span, at } of analysis.shapes) {
    const place = { ...(span && { span }), ...(options.files !== undefined && at !== undefined && { at }) };
    findings.push(...violationsOf(shapeEffect(kind), options).map((violation) => ({ ...finding(violation, where, line), ...place })));
  }
  for (const { why, line, limit } of analysis.doubts) {
    // Padding a text up to a limit can hide a command on purpose, so alarming words raise the severity.
    const seen = effect('uncertain', { why, limit, alarming: limit && isAlarming(text) });
    findings.push(...violationsOf(seen, options).map((violation) => ({ ...finding(violation, text, line), ...(limit && { limit }) })));
  }
  findings.push(...hiddenText(text, options));
  return { findings: sortFindings(findings), analysis };
}

/** Returns the findings on the effects of all commands. If that takes too many steps, the rest of the commands are a doubt. */
function readEffects({ commands, written }: Analysis, options: JudgeOptions): { findings: Finding[]; doubts: readonly Doubt[] } {
  const findings: Finding[] = [];
  const add = (command: EffectiveCommand, seen: Effect): void => {
    for (const violation of violationsOf(seen, options)) findings.push(toFinding(command, seen, violation, options));
  };
  // A walk that ended at the limit has found commands, and they are judged too.
  useReserve();
  const { left } = counted(STEPS_OF_CALL, () => {
    try {
      for (const command of commands) {
        spend(STEPS_OF_COMMAND + command.argv.length / 4);
        for (const read of READERS) for (const seen of read(command, options)) add(command, seen);
        findings.push(...authoredFindings(command, commands, options));
      }
      for (const read of SEQUENCES) for (const { command, seen } of read(commands, written, options)) add(command, seen);
    } catch (error) {
      if (!(error instanceof OverLimit)) throw error;
      leaveOut(`the text is ${error.message}`);
    }
  });
  return { findings, doubts: left.map((why): Doubt => ({ why, line: 1, limit: true })) };
}

/** Returns the findings on a command that only settings ask for. */
function authoredFindings(command: EffectiveCommand, all: readonly EffectiveCommand[], options: JudgeOptions): readonly Finding[] {
  const { rules, protect, asHook } = options;
  if (asHook || (protect === undefined && rules === undefined)) return [];
  const hosts = authoredOn(rules, 'net.connect').length === 0 ? [] : hostsOfCommand(command);
  const found = [
    ...hosts.flatMap((seen) => violationsOf(seen, options)),
    ...(protect === undefined ? [] : protectedByCommand(command, protect, options, all)),
  ];
  return found.map((violation) => toFinding(command, effect('own'), violation, options));
}

/** Returns the effect of a shape. A shell that reads from a network pipeline is a network shell, regardless of which command starts it. */
function shapeEffect(kind: Shape['kind']): Effect {
  return kind === 'piped-shell' ? effect('net.shell', { how: 'pipe', certain: true }) : effect(`shape.${kind}`);
}

/** Returns the rules that apply to one effect. */
export function violationsOf(seen: Effect, { packs = [], shownPacks = [], asHook = false, rules }: JudgeOptions): readonly Violation[] {
  const found: Violation[] = [];
  for (const rule of rulesOn(seen)) {
    const isChosen = rule.pack === undefined || packs.includes(rule.pack);
    if (!isChosen && !shownPacks.includes(rule.pack ?? '')) continue;
    const own = asHook ? (rule.inHook ?? rule.severity) : rule.severity;
    const severity = isChosen || own === 'none' || own === 'low' ? own : 'medium';
    if (severity === 'none' || !applies(rule, seen)) continue;
    const { id, instead, category, locked } = rule;
    found.push({ rule: id, severity, message: printable(reasonOf(rule, seen)), hint: instead, category, ...(locked && { locked }) });
  }
  return asHook || rules === undefined ? found : [...found, ...authoredViolations(rules, seen)];
}

/** Builds the finding on one command. A command that runs only by a guess is never more severe than `medium`. */
function toFinding(command: EffectiveCommand, seen: Effect, violation: Violation, { files }: JudgeOptions): Finding {
  const { argv, line, span, via, guessed } = command;
  const severity = guessed && isSevere(violation) ? 'medium' : violation.severity;
  const at = files === undefined ? undefined : statementOf(command, seen);
  return {
    ...finding({ ...violation, severity }, argv.join(' '), line),
    span,
    ...(via.length > 0 && { via }),
    ...(at !== undefined && { at }),
    ...sourceOf(command, seen),
  };
}

/** Returns the line of code that leads to an effect, if the command or its own program is such code. */
function sourceOf(command: EffectiveCommand, { at, facts }: Effect): Pick<Finding, 'source'> {
  const { source, program, name, argv } = command;
  const text = source?.text ?? (isForeign(program) ? program.text : undefined);
  if (text === undefined) return {};
  const file = source ? source.file : program?.from === 'file' ? program.path : undefined;
  const named = source ? undefined : facts['path'];
  const position = source?.at ?? at ?? (typeof named === 'string' ? codeReaders().callNaming(text, name, named) : undefined);
  const lines = text.slice(0, MOST_SOURCE).split('\n');
  // In a shell script the command is looked for by its words.
  const hasWords = (line: string): boolean => line.includes(argv[0] ?? '') && line.includes(argv.at(-1) ?? '');
  const isNamed = (line: string): boolean => line.includes(argv.slice(0, 2).join(' '));
  const found = position === undefined && source ? lines.findIndex(hasWords) : -1;
  const index =
    position === undefined ? (source && found === -1 ? lines.findIndex(isNamed) : found) : text.slice(0, position).split('\n').length - 1;
  const call = {
    line: index + 1,
    call: printable(lines[index] ?? '')
      .trim()
      .slice(0, 120),
  };
  const place = { ...(file !== undefined && { file: printable(file) }), ...(index !== -1 && call) };
  return Object.keys(place).length === 0 ? {} : { source: place };
}

/** Returns the position of the statement that has an effect, in the code of a known file. */
function statementOf({ at, name, program }: EffectiveCommand, { at: own, facts }: Effect): number | undefined {
  if (at !== undefined || own !== undefined) return at ?? own;
  const path = facts['path'];
  if (!isForeign(program) || program.from !== 'file' || typeof path !== 'string') return undefined;
  return codeReaders().callNaming(program.text, name, path);
}

/**
 * Reports invisible characters and characters that change the direction of the text, because they make it look different from what runs.
 */
function hiddenText(text: string, options: JudgeOptions): readonly Finding[] {
  const found = HIDDEN.exec(/[\u200C\u200D]/.test(text) ? text.replace(JOINED, '-') : text);
  if (found === null) return [];
  const codes = `U+${(found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const around = text.slice(Math.max(0, found.index - 20), found.index + 40);
  const line = text.slice(0, found.index).split('\n').length;
  return violationsOf(effect('hidden-text', { codes }), options).map((violation) => finding(violation, around, line));
}
