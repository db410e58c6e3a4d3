/**
 * Remembers across the calls of a session what the files that it wrote would do. A file is judged when it is written, and its findings are kept by path
 * and digest, never its text. A command that runs the file later has these findings, even if the file is gone or was replaced. Memory only adds
 * findings. If it is full or cannot be used, a person is asked.
 */
import { readFileSync, statSync } from 'node:fs';
import type { GuardSettings } from '../../core/contracts/guard-settings.ts';
import { patchTexts } from '../effects/files/from-code.ts';
import { absolutePath } from '../effects/files/path.ts';
import { type Finding, finding, type Violation } from '../findings.ts';
import type { JudgeOptions } from '../judge.ts';
import { allRules } from '../rules/rulebook.ts';
import type { Analysis } from '../shell/analyse.ts';
import { isDynamic } from '../shell/marks.ts';
import { type Folders, resolveLinks } from '../tools/real-path.ts';
import { editedFiles } from './edited-files.ts';
import { COPIES, filesOfTools, filesRun, toolsRun } from './files-run.ts';
import type { FindingMemory } from './finding-memory.ts';
import { judgeScript, type ScriptFinding } from './scripts.ts';
import { inPatch, type WrittenText } from './written-texts.ts';

/** One note: a file, the digest of its text if that is the whole file, and the findings. */
interface Note {
  readonly path: string;
  readonly digest: string | null;
  readonly findings: readonly ScriptFinding[];
}

export type MemoryOptions = JudgeOptions & Folders & Pick<GuardSettings, 'rules'>;

/** Reasons of findings that are not about a rule of a sheet. */
const OTHER_REASONS: Readonly<Record<string, string>> = { 'protected-path': 'Uses a file that the settings protect.' };
const MOST_BYTES = 1024 * 1024;

/** Judges and notes the files that a call writes. Returns the findings of files that cannot be noted. */
export function rememberWritten(memory: FindingMemory, texts: readonly WrittenText[], options: MemoryOptions): readonly Finding[] {
  const problems: Finding[] = [];
  for (const { path: given, text, whole, before } of editedFiles(texts, (path) => realPath(path, '', options))) {
    const path = realPath(given, '', options);
    if (path === undefined) continue;
    const isNoted = notesOn(memory, [path]).some((note) => note.findings.length > 0);
    // An edit is not to blame for the earlier deeds of a file.
    const earlier = before === undefined || isNoted ? [] : judgeScript(path, before, options).map(({ rule }) => rule);
    const findings = judgeScript(path, text, options).filter(({ rule }) => !earlier.includes(rule));
    // A clean text matters only if it replaces one that is not clean.
    if (findings.length === 0 && !isNoted) continue;
    const problem = keep(memory, { path, digest: whole ? digestOf(text) : null, findings });
    if (problem !== undefined && findings.length > 0) problems.push(finding(notKept(problem), given));
  }
  return problems;
}

/** Notes the files that a command writes, and the copies that it makes of files with findings. */
export function rememberCommand(memory: FindingMemory, analysis: Analysis, options: MemoryOptions): readonly Finding[] {
  const texts = [...analysis.written].map(([path, text]): WrittenText => ({ path, text, whole: !isDynamic(text) }));
  const patches = analysis.commands.flatMap((command) => patchTexts(command) ?? []).flatMap(inPatch);
  const problems = [...rememberWritten(memory, [...texts, ...patches], options)];
  for (const { argv, name, cwd } of analysis.commands) {
    if (!COPIES.test(name) || argv.length < 3) continue;
    const words = argv.slice(1).filter((word) => !word.startsWith('-'));
    const target = words.pop() ?? '';
    for (const from of words) {
      const source = realPath(from, cwd, options);
      const findings = source === undefined ? [] : findingsIn(notesOn(memory, [source]), source);
      if (findings.length === 0) continue;
      for (const to of [target, `${target}/${from.slice(from.lastIndexOf('/') + 1)}`]) {
        const path = realPath(to, cwd, options);
        const problem = path === undefined ? undefined : keep(memory, { path, digest: null, findings });
        if (problem !== undefined) problems.push(finding(notKept(problem), to));
      }
    }
  }
  return problems;
}

/** Returns the findings on files that a command runs and that the session wrote before. */
export function recallRun(memory: FindingMemory, analysis: Analysis, options: MemoryOptions): readonly Finding[] {
  const direct = filesRun(analysis);
  const tools = toolsRun(analysis);
  if (direct.length + tools.length === 0) return [];
  const first = direct[0]?.[0] ?? tools[0]?.name ?? '';
  try {
    const { lines, isFull } = memory.read();
    if (isFull) return [finding(notKnown('the memory of what this session wrote is full'), first)];
    if (lines.length === 0) return [];
    const notes = lines.map(readNote);
    const alarming = notes.filter(({ findings }) => findings.length > 0).map(({ path }) => path);
    const used = [...direct, ...filesOfTools(tools, analysis.commands, alarming, (folder) => realPath('.', folder, options))];
    const paths = [...new Set(used.flatMap(([path, cwd]) => realPath(path, cwd, options) ?? []))];
    return paths.flatMap((path) => recalled(path, findingsIn(notes, path), options));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [finding(notKnown(`the memory of what this session wrote cannot be read (${why})`), first)];
  }
}

/**
 * Returns the findings of the notes on a file. The text that is on the disk now counts alone if it was noted. Of a text that is not known, all notes
 * count, but they are not certain.
 */
function findingsIn(notes: readonly Note[], path: string): readonly ScriptFinding[] {
  const own = notes.filter((note) => note.path === path);
  if (!own.some(({ findings }) => findings.length > 0)) return [];
  const now = digestOnDisk(path);
  const same = own.filter(({ digest }) => digest !== null && digest === now);
  if (same.length > 0) return same.flatMap(({ findings }) => findings);
  const all = own.flatMap(({ findings }) => findings);
  // The text was replaced, or only a part of it is known.
  const isSure = now === undefined || own.some(({ digest }) => digest === null);
  return isSure ? all : all.map((one) => ({ ...one, severity: 'medium' as const }));
}

function recalled(path: string, findings: readonly ScriptFinding[], { rules = [] }: MemoryOptions): readonly Finding[] {
  return findings.map(({ rule: id, severity, line }) => {
    const rule = [...allRules(), ...rules].find((one) => one.id === id);
    const told = rule ? generic(rule.reason) : (OTHER_REASONS[id] ?? 'Has an effect that a rule of the guard is about.');
    const where = line === undefined ? 'It' : `Its line ${line}`;
    const message = `Runs ${path}, which this session wrote. ${where} ${told.slice(0, 1).toLowerCase()}${told.slice(1)}`;
    const own = rule && 'category' in rule ? rule : undefined;
    const facts = { ...(own && { category: own.category }), ...(rule?.locked && { locked: true }) };
    return {
      ...finding({ rule: id, severity, message, hint: rule?.instead ?? 'Let a person run it.', ...facts }, path),
      source: { file: path, ...(line !== undefined && { line }) },
    };
  });
}

/** Returns a reason without the facts of the script. */
function generic(reason: string): string {
  return reason.replace(/ \([^()]*\{[^()]*\)/g, '').replace(/\{\w+\}/g, '…');
}

function notesOn(memory: FindingMemory, paths: readonly string[]): readonly Note[] {
  try {
    return memory
      .read()
      .lines.map(readNote)
      .filter(({ path }) => paths.includes(path));
  } catch {
    // A command that runs the file reports it.
    return [];
  }
}

function keep(memory: FindingMemory, { path, digest, findings }: Note): string | undefined {
  return memory.add(JSON.stringify([path, digest, findings.map(({ rule, severity, line }) => [rule, severity, line ?? 0])]));
}

/** Throws if the line is no note, because a note that was changed must not be silent. */
function readNote(text: string): Note {
  const [path, digest, findings] = JSON.parse(text) as [string, string | null, [string, ScriptFinding['severity'], number][]];
  return { path, digest, findings: findings.map(([rule, severity, line]) => ({ rule, severity, ...(line > 0 && { line }) })) };
}

/** Returns the absolute path without links. Undefined: the path is not known. */
function realPath(path: string, cwd: string, options: MemoryOptions): string | undefined {
  if (path === '' || path === '-' || isDynamic(path) || isDynamic(cwd) || path.includes('\0') || path.length > 4096) return undefined;
  return resolveLinks(absolutePath(path, cwd, options));
}

function digestOf(text: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}

function digestOnDisk(path: string): string | undefined {
  try {
    return statSync(path).size > MOST_BYTES ? 'too large' : digestOf(readFileSync(path));
  } catch {
    // It is gone, or not readable.
    return undefined;
  }
}

function notKept(why: string): Violation {
  const message = `Writes a program that a rule of the guard is about, and the guard cannot remember it: ${why}.`;
  return {
    rule: 'memory',
    severity: 'medium',
    message,
    hint: 'Let a person decide, or make the state folder writable.',
    category: 'uncertain',
  };
}

function notKnown(why: string): Violation {
  const hint = 'Start a new session, or let a person decide.';
  return {
    rule: 'memory',
    severity: 'medium',
    message: `Runs a file that may have been written before: ${why}.`,
    hint,
    category: 'uncertain',
  };
}
