/**
 * The guard's verdict on one tool call. Commands are judged as commands and files by their real location, with the same rules. A call that
 * does not state its command or file is uncertain, never harmless. Apart from the audit, only
 * this folder and `effects/own/files.ts` read the file system.
 */

import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { GuardOverride } from '../../core/contracts/guard-settings.ts';
import { isObject, textOf } from '../../core/values/json.ts';
import { authoredOn } from '../authored/authored-rules.ts';
import { brokenFindings } from '../authored/broken.ts';
import { hostsInText } from '../authored/hosts.ts';
import { protectedByTool } from '../authored/protect.ts';
import { effect } from '../effects/effect.ts';
import { fileEffects } from '../effects/files/index.ts';
import { ownPlaces } from '../effects/own/files.ts';
import { indexesInFile, namesIndexes } from '../effects/packages.ts';
import { factsOf } from '../effects/run.ts';
import { type Finding, finding, isSevere, sortFindings, type Violation } from '../findings.ts';
import { violationsOf } from '../judge.ts';
import { judgeShell } from '../judge-shell.ts';
import { atMost, counted, STEPS_OF_CALL } from '../limits.ts';
import { editedFiles } from '../memory/edited-files.ts';
import type { FindingMemory } from '../memory/finding-memory.ts';
import { recallRun, rememberCommand, rememberWritten } from '../memory/memory.ts';
import { writtenTexts } from '../memory/written-texts.ts';
import { withOverrides, worst } from '../overrides.ts';
import { codeReaders } from '../shell/code-readers.ts';
import { type GuardFinding, type GuardOptions, type GuardVerdict, PRESETS, type Preset, presetOf } from '../verdict.ts';
import { readingsOf } from './languages.ts';
import { readTool } from './read-tool.ts';
import { candidatesOf, type Folders } from './real-path.ts';
import type { NamedPath } from './tool-inputs.ts';
import type { FoundText } from './tool-texts.ts';
import { FOLDER_KEYS, normalizeName } from './tools.ts';

/** The rule of a finding about a part that the guard does not understand. */
export const NOT_UNDERSTOOD = 'not-understood';

const MOST_PATHS = 1000;

export interface GuardToolOptions extends GuardOptions {
  /** The notes on files that the session wrote before. Without it, calls are judged one by one. */
  readonly memory?: FindingMemory;
  readonly overrides?: readonly GuardOverride[];
  /** Milliseconds since the epoch (default: now). Decides which overrides have expired. */
  readonly now?: number;
}

/**
 * Judges one tool call. Never throws and never allows.
 *
 * @param input The input as the tool receives it.
 */
export function guardTool(tool: unknown, input: unknown, options: GuardToolOptions = {}): GuardVerdict {
  try {
    return counted(STEPS_OF_CALL, () => judgeTool(tool, input, options ?? {})).value;
  } catch (error) {
    return failure(error, presetOf(options ?? {}));
  }
}

function judgeTool(tool: unknown, input: unknown, options: GuardToolOptions): GuardVerdict {
  const preset = presetOf(options);
  const folders = foldersFor(options, input);
  const rules = { ...options, ...folders, preset, own: ownPlaces() };
  const { value, left } = counted(STEPS_OF_CALL, () => {
    const reading = readTool(tool, input);
    return { ...reading, paths: atMost(reading.paths, MOST_PATHS, 'the files in its input') };
  });
  const { texts, paths, addresses, notes } = value;
  const unclear = [...(value.unclear === undefined ? [] : [value.unclear]), ...left];
  const judged = texts.flatMap((text) => judgeText(text, rules));
  const verdicts = judged.map(({ verdict }) => verdict);
  const about = String(tool).slice(0, 200);
  const unread = texts.flatMap(({ text, language }) => (language === 'powershell' ? codeReaders().unknownCalls(text) : []));
  const missed = [...notes, ...(unread.length > 0 ? [`the guard does not know PowerShell's ${unread.slice(0, 3).join(', ')}`] : [])];
  const own: (Finding & { readonly path?: string })[] = [
    ...unclear.map((why) => finding(uncertain(why), about)),
    ...[...new Set(missed)].map((why) => finding(notUnderstood(why), about)),
    ...paths.flatMap((named) => judgePath(named, folders, rules, writtenText(input))),
    ...hostFindings(input, about, rules),
    ...(paths.some(({ use }) => use === 'write') ? indexFindings(input, folders, rules) : []),
    ...addresses.flatMap((address) => fetchFindings(address, rules)),
    ...recalled(judged, paths, input, rules, options.memory),
    ...(paths.length + unclear.length === 0 ? [] : brokenFindings(options.broken)),
  ];
  const told = own.map((item): GuardFinding => ({ ...item, decision: PRESETS[preset][item.severity] }));
  const findings = sortFindings([...verdicts.flatMap((verdict) => verdict.findings), ...told]);
  const verdict: GuardVerdict = {
    decision: worst(findings),
    preset,
    complete: unclear.length === 0 && missed.length === 0 && verdicts.every(({ complete }) => complete),
    findings,
    commands: verdicts.flatMap(({ commands }) => commands),
  };
  return withOverrides(verdict, { overrides: options.overrides ?? [], now: options.now ?? Date.now(), home: folders.home });
}

type JudgedText = ReturnType<typeof judgeShell>;

/** Returns what the session wrote before and this call runs, and notes what this call writes. */
function recalled(
  judged: readonly JudgedText[],
  paths: readonly NamedPath[],
  input: unknown,
  rules: GuardOptions & Folders,
  memory: FindingMemory | undefined,
): readonly Finding[] {
  if (memory === undefined) return [];
  const ran = judged.flatMap(({ analysis }) => [...recallRun(memory, analysis, rules), ...rememberCommand(memory, analysis, rules)]);
  if (!paths.some(({ use }) => use === 'write')) return ran;
  return [...ran, ...rememberWritten(memory, writtenTexts(input), rules)];
}

/** Judges one text in every way in which it may be read. A reading that is only a guess weighs less than one that is certain. */
function judgeText(found: FoundText, rules: GuardOptions & { readonly preset: Preset }): readonly JudgedText[] {
  return readingsOf(found).map(({ command, how }) => {
    const judged = judgeShell(command, rules);
    const { verdict, analysis } = judged;
    if (how === 'sure' && !found.maybe) return judged;
    const findings = verdict.findings.flatMap((item): readonly GuardFinding[] => {
      // A text that is not valid in a language is not written in it.
      const invalid = item.rule === 'uncertain' && !(item.limit && how !== 'unlikely');
      if (invalid && how !== 'sure') return [];
      const severity = invalid ? 'low' : how === 'unlikely' && isSevere(item) ? 'medium' : item.severity;
      return [{ ...item, severity, decision: PRESETS[rules.preset][severity] }];
    });
    return { verdict: { ...verdict, decision: worst(findings), findings }, analysis };
  });
}

/** Returns the texts in the input of a file tool, which it writes or looks for. */
function writtenText(input: unknown): string {
  const texts = isObject(input) ? Object.values(input) : [input];
  return texts.flatMap((text) => textOf(text) ?? []).join('\n');
}

function judgePath(
  { path: given, use }: NamedPath,
  folders: Folders,
  rules: GuardOptions,
  content: string,
): (Finding & { readonly path: string })[] {
  const candidates = candidatesOf(given, folders);
  if (!candidates) return [{ ...finding(uncertain('its path is not a valid path'), given), path: given }];
  const real = (candidates[1] ?? candidates[0])?.path ?? given;
  const shown = real === path.resolve(folders.cwd, given) ? given : `${given} → ${real}`;
  const found = new Map<string, Finding & { readonly path: string }>();
  for (const { path: one, knownFolders: seenFrom } of candidates) {
    const knownFolders = { ...seenFrom, ...(rules.own && { own: rules.own }) };
    for (const { kind, facts } of fileEffects(one, use, knownFolders, content)) {
      const seen = effect(kind, use === 'delete' && isFolder(real) ? { ...facts, recursive: true } : facts);
      for (const violation of violationsOf(seen, { ...rules, ...knownFolders })) {
        if (!found.has(violation.rule)) found.set(violation.rule, { ...finding(violation, shown), path: real });
      }
    }
    for (const violation of rules.protect === undefined ? [] : protectedByTool(one, use, rules.protect, knownFolders)) {
      const key = `${violation.rule} ${violation.severity}`;
      if (!found.has(key)) found.set(key, { ...finding(violation, shown), path: real });
    }
  }
  return [...found.values()];
}

/** Returns the findings on indexes of packages that a file gets. Those that it had before are not the deed of this call. */
function indexFindings(input: unknown, folders: Folders, rules: GuardOptions): readonly Finding[] {
  const texts = writtenTexts(input).filter((text) => namesIndexes(text.path));
  return editedFiles(texts, (file) => candidatesOf(file, folders)?.at(-1)?.path).flatMap(({ path: file, text, before = '' }) => {
    const had = indexesInFile(file, before).map(({ facts }) => facts['address']);
    const added = indexesInFile(file, text).filter(({ facts }) => !had.includes(facts['address'] ?? ''));
    return added.flatMap((seen) => violationsOf(seen, rules)).map((violation) => finding(violation, file));
  });
}

/** Returns the findings on hosts that the input names, if there are rules about hosts. */
function hostFindings(input: unknown, about: string, rules: GuardOptions): readonly Finding[] {
  if (authoredOn(rules.rules, 'net.connect').length === 0) return [];
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
  const hosts = [...new Set(hostsInText(text))].map((host) => effect('net.connect', { host, command: 'tool' }));
  return hosts.flatMap((seen) => violationsOf(seen, rules)).map((violation) => finding(violation, about));
}

/** Returns the findings on an address that a tool fetches, as if a command fetched it. Rules of settings on hosts look at the whole input. */
function fetchFindings(address: string, { rules: _, ...options }: GuardOptions): readonly Finding[] {
  const seen = effect('command', factsOf('fetch', ['fetch', address]));
  return violationsOf(seen, options).map((violation) => finding(violation, address.slice(0, 200)));
}

/** Returns whether the path is a folder, because deleting a folder deletes everything in it. */
function isFolder(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // The path cannot be read or is not a valid name, so nothing can be deleted from here.
    return false;
  }
}

function foldersFor({ cwd, home, root }: GuardOptions, input: unknown): Folders {
  const project = path.resolve(root ?? cwd ?? process.cwd());
  const here = path.resolve(project, cwd ?? project);
  const [, given] =
    (isObject(input) ? Object.entries(input) : []).find(([key, value]) => FOLDER_KEYS.has(normalizeName(key)) && textOf(value)) ?? [];
  return { cwd: typeof given === 'string' ? path.resolve(here, given) : here, home: home ?? homedir(), root: project };
}

/** Returns a denial for a bug in Hookline or an input that is not data, because an action that was not judged must not run. */
function failure(error: unknown, preset: Preset): GuardVerdict {
  const message = `Could not be judged because the guard failed: ${error instanceof Error ? error.message : 'unknown error'}.`;
  const own: Violation = { rule: 'guard-failed', severity: 'high', message, hint: 'This is a bug in Hookline; please report it.' };
  return { decision: 'deny', preset, complete: false, findings: [{ ...finding(own, ''), decision: 'deny' }], commands: [] };
}

function uncertain(why: string): Violation {
  return {
    rule: 'uncertain',
    severity: 'medium',
    message: `Could not be judged: ${why}.`,
    hint: 'Pass the input in the form that the tool documents.',
    category: 'uncertain',
  };
}

/** A part of the call that is not understood. The preset decides whether a person must see it. */
function notUnderstood(why: string): Violation {
  return {
    rule: NOT_UNDERSTOOD,
    severity: 'low',
    message: `Could not be fully understood: ${why}.`,
    hint: 'Use a tool that the guard knows, or let a person decide.',
    category: 'uncertain',
  };
}
