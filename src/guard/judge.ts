/**
 * Turns a text into findings: analyses the text once, reads the effects of every command and shape, and matches each effect against the
 * rules.
 */
import { type Effect, effect, type KnownFolders } from './effects/effect.ts';
import { READERS } from './effects/index.ts';
import { ownKills } from './effects/own/kill.ts';
import { cloneRuns, foreignPushes } from './effects/worlds.ts';
import { type Finding, finding, isSevere, sortFindings, type Violation } from './findings.ts';
import { counted, leaveOut, OverLimit, STEPS_OF_CALL, spend, useReserve } from './limits.ts';
import { applies, reasonOf } from './rules/rule.ts';
import { rulesOn } from './rules/rulebook.ts';
import { type AnalyseOptions, type Analysis, analyse } from './shell/analyse.ts';
import { callNaming } from './shell/foreign/index.ts';
import { type Doubt, type EffectiveCommand, isForeign, type Shape } from './shell/machine.ts';
import { printable } from './shell/marks.ts';

/** Words that raise the severity if the analysis of a text stopped at a limit. */
const ALARMING = /\brm\s+-|\bmkfs|\bdd\s+|\/dev\/(tcp|udp|sd|nvme)|\b(curl|wget|nc|ncat|socat)\b|\bbase64\b|\beval\b|--no-preserve-root/;
const STEPS_OF_COMMAND = 12;
const HIDDEN = /[\x00-\x06\x0E-\x1A\x1C-\x1F\x7F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u061C\u00AD]/;

/** Returns whether a text has words that raise the severity of a doubt. */
export function isAlarming(text: string): boolean {
  return ALARMING.test(text);
}

export interface JudgeOptions extends AnalyseOptions, KnownFolders {
  /** Rule packs that are enabled in addition to the core rules. */
  readonly packs?: readonly string[];
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
  const { findings, doubts } = readEffects(walked.commands, options);
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
function readEffects(commands: readonly EffectiveCommand[], options: JudgeOptions): { findings: Finding[]; doubts: readonly Doubt[] } {
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
      }
      for (const { command, seen } of [...ownKills(commands), ...cloneRuns(commands), ...foreignPushes(commands)]) add(command, seen);
    } catch (error) {
      if (!(error instanceof OverLimit)) throw error;
      leaveOut(`the text is ${error.message}`);
    }
  });
  return { findings, doubts: left.map((why): Doubt => ({ why, line: 1, limit: true })) };
}

/** Returns the effect of a shape. A shell that reads from a network pipeline is a network shell, regardless of which command starts it. */
function shapeEffect(kind: Shape['kind']): Effect {
  return kind === 'piped-shell' ? effect('net.shell', { how: 'pipe', certain: true }) : effect(`shape.${kind}`);
}

/** Returns the rules that apply to one effect. */
export function violationsOf(seen: Effect, { packs = [], asHook = false }: JudgeOptions): readonly Violation[] {
  const found: Violation[] = [];
  for (const rule of rulesOn(seen)) {
    if (rule.pack !== undefined && !packs.includes(rule.pack)) continue;
    const severity = asHook ? (rule.inHook ?? rule.severity) : rule.severity;
    if (severity === 'none' || !applies(rule, seen)) continue;
    const { id, instead, category, locked } = rule;
    found.push({ rule: id, severity, message: printable(reasonOf(rule, seen)), hint: instead, category, ...(locked && { locked }) });
  }
  return found;
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
  };
}

/** Returns the position of the statement that has an effect, in the code of a known file. */
function statementOf({ at, name, program }: EffectiveCommand, { at: own, facts }: Effect): number | undefined {
  if (at !== undefined || own !== undefined) return at ?? own;
  const path = facts['path'];
  if (!isForeign(program) || program.from !== 'file' || typeof path !== 'string') return undefined;
  return callNaming(program.text, name, path);
}

/**
 * Reports invisible characters and characters that change the direction of the text, because they make it look different from what runs.
 */
function hiddenText(text: string, options: JudgeOptions): readonly Finding[] {
  const found = HIDDEN.exec(text);
  if (found === null) return [];
  const codes = `U+${(found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const around = text.slice(Math.max(0, found.index - 20), found.index + 40);
  const line = text.slice(0, found.index).split('\n').length;
  return violationsOf(effect('hidden-text', { codes }), options).map((violation) => finding(violation, around, line));
}
