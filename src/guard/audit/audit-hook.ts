/**
 * The audit of a hook. It judges the decoded object that will run and the files that this object runs. The analysis of the command decides
 * which files are followed, so the judged, the trusted and the executed files are the same.
 */

import type { DescribeHandler, HandlerDescription } from '../../core/contracts/handler.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { type Finding, finding, isSevere, sortFindings } from '../findings.ts';
import { type JudgeOptions, judge } from '../judge.ts';
import { STEPS_OF_FILE } from '../limits.ts';
import { isDynamic, printable } from '../shell/marks.ts';
import { type Coverage, type Covered, coverageOf } from './cover/coverage.ts';
import { reachOfShell } from './cover/reach.ts';
import { groundOf } from './cover/reach-file.ts';
import type { Unknown } from './cover/reached.ts';
import { auditFolder, createFiles, type FollowedFile, isForeign } from './files.ts';
import { type AuditedFinding, type Closure, followAll, type Unaudited } from './follow.ts';
import { judgeHabits, judgeTemplates } from './habits.ts';
import { auditViolation } from './rules.ts';
import { judgeSurroundings } from './surroundings.ts';
import { judgeRequest } from './url.ts';

const MOST_TEXT = 32 * 1024;
const MOST_DEPTH = 16;
/** Zero-width, direction, tag and variation characters. They are invisible, or they reverse the visible text. */
const HIDDEN =
  /[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/u;
/** Harmless uses: combined emoji, flags and the start of a file. */
const ORDINARY = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F}|\p{Emoji}\uFE0F?\u{200D}(?=\p{Emoji})|^\uFEFF/gu;

/** Checks every text in a handler's config for invisible characters and for size. The meaning of a text is not judged. */
export function judgeTexts(config: unknown): readonly Finding[] {
  return textsIn(config, 0).flatMap((text) => {
    const found = hiddenIn(text);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MOST_TEXT) return found;
    return [...found, finding(auditViolation('text-large', `The hook adds a text of ${Math.ceil(bytes / 1024)} KiB.`), text.slice(0, 200))];
  });
}

function hiddenIn(text: string): readonly Finding[] {
  const rest = text.replace(ORDINARY, 'x');
  const at = HIDDEN.exec(rest)?.index;
  if (at === undefined) return [];
  const code = `U+${(rest.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const message = `The hook contains invisible characters or characters that reverse the text (${code}).`;
  return [finding(auditViolation('hidden-text', message), rest.slice(Math.max(0, at - 20), at + 40))];
}

function textsIn(config: unknown, depth: number): readonly string[] {
  if (typeof config === 'string') return [config];
  if (depth > MOST_DEPTH) return [];
  if (Array.isArray(config)) return config.flatMap((item) => textsIn(item, depth + 1));
  return isObject(config) ? Object.entries(config).flatMap(([key, item]) => [key, ...textsIn(item, depth + 1)]) : [];
}

export interface AuditReport {
  /** Most severe first. */
  readonly findings: readonly AuditedFinding[];
  /** Every file that belongs to the hook: those that it runs, and those of the folders that are covered whole. */
  readonly files: readonly string[];
  /** The files and folders that trust covers, and the parts that it does not cover. */
  readonly covers: Coverage;
  /** The parts that the audit could not read. A part without findings is not known to be safe. */
  readonly unaudited: readonly Unaudited[];
}

export interface AuditOptions {
  /** Returns what the hook's handler does. The handlers know it, and they are handed in. */
  readonly describe: DescribeHandler;
  /** Whether to check every file in the hook's folder: a file must not be too large to read, and a link must not lead out of the folder. */
  readonly folder?: boolean;
  /** The project folder. The hook's commands run here unless the hook names another folder. */
  readonly cwd?: string;
  /** The value of the hook's variable for the project folder (default: `cwd`). */
  readonly project?: string;
  /** Globs of files that are left out of folders that are covered whole, because hooks only write them. */
  readonly ignores?: readonly string[];
}

export function auditHook(hook: Hook, options: AuditOptions): AuditReport {
  const action = options.describe(hook.handler);
  const closure = action.does === 'run' ? auditCommand(hook, action, options) : auditAnswer(hook, action);
  const { findings, unaudited } = closure;
  const { all, ...covers } = coverage(hook, closure, options);
  const { file, line, column } = hook.source;
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const around = [...judgeSurroundings(hook, action, options.cwd), ...judgeTexts(textsOf(hook, action))].map((item) => ({
    ...item,
    ...place,
  }));
  return { findings: sortFindings([...findings, ...around]), files: all, covers, unaudited };
}

function coverage(hook: Hook, closure: Closure, { project, cwd, ignores }: AuditOptions): Covered {
  return coverageOf(hook, isForeign(hook.source.scope) ? (project ?? cwd) : undefined, closure, ignores);
}

/** The part of a handler's configuration that a model or a person reads. A command is judged by itself, and code has no text in a file. */
function textsOf({ handler: { config } }: Hook, { does }: HandlerDescription): JsonObject {
  if (does === 'call') return {};
  return does === 'run' ? { ...config, command: '' } : config;
}

/** Returns the files that the hook runs. The digest of the hook must cover them. */
export function scriptFiles(hook: Hook, options: AuditOptions): readonly string[] {
  const action = options.describe(hook.handler);
  return action.does === 'run' ? coverage(hook, auditCommand(hook, action, options), options).all : [];
}

/** Returns whether the findings keep the hook from becoming active. */
export function isKeptOut({ findings }: Pick<AuditReport, 'findings'>): boolean {
  return findings.some(isSevere);
}

function auditCommand(hook: Hook, { command, script }: HandlerDescription & { does: 'run' }, options: AuditOptions): Closure {
  const { source, env = {} } = hook;
  const { file, line, column } = source;
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const cwd = hook.cwd ?? options.cwd;
  const judging: JudgeOptions = {
    asHook: true,
    mostSteps: STEPS_OF_FILE,
    variables: { ...env, ...projectVariables(hook, options) },
    ...(cwd !== undefined && { cwd }),
    ...(options.cwd !== undefined && { root: options.cwd }),
  };
  const queue: FollowedFile[] = script === undefined ? [] : [{ path: script, cwd: '', how: 'script' }];
  const own: Finding[] = judgeNul(command, script);
  const unaudited: Unaudited[] = [];
  const unknown: (Unknown & { readonly file: string })[] = [];
  const files = createFiles(hook, options.cwd, options.project);
  if (command !== undefined) {
    const { findings, analysis } = judge(command, judging);
    own.push(...findings, ...judgeHabits(analysis), ...judgeTemplates(command, env));
    unaudited.push(...analysis.doubts.map(({ why }) => ({ what: 'the command', why: `${why}.`, ...place })));
    const ground = groundOf(files, judging, '');
    const reached = ground ? reachOfShell(command, ground, judging, analysis) : { runs: [], unknown: [] };
    queue.push(...reached.runs, ...analysis.runs);
    unknown.push(...reached.unknown.map(({ line: _, ...one }) => ({ ...one, file, ...(line !== undefined && { line }) })));
  }
  for (const run of queue.filter(({ path, how }) => isDynamic(path) && how !== 'itself'))
    unaudited.push({ what: printable(run.path), why: 'The path is known only at run time.', ...place });
  const followed = followAll(queue, files, judging, place, source.scope);
  return {
    // Line numbers in the command are not line numbers in the hook file, so they are dropped.
    findings: [
      ...own.map(({ line: _, span: __, ...item }) => ({ ...item, ...place })),
      ...followed.findings,
      ...(options.folder && hook.folder !== undefined ? auditFolder(hook.folder, options.project ?? options.cwd) : []),
    ],
    files: followed.files,
    folders: followed.folders,
    packages: followed.packages,
    unknown: [...unknown, ...followed.unknown],
    unaudited: [...unaudited, ...followed.unaudited],
  };
}

function projectVariables({ facts = {} }: Hook, { project, cwd }: AuditOptions): Record<string, string> {
  const at = project ?? cwd;
  if (at === undefined) return {};
  return Object.fromEntries(Object.keys(facts).flatMap((name) => (facts[name] === 'project' ? [[name, at]] : [])));
}

function judgeNul(command: string | undefined, script: string | undefined): Finding[] {
  return [command, script].flatMap((text) => {
    if (text?.includes('\0') !== true) return [];
    return [
      finding(
        auditViolation('nul-byte', 'The command contains a NUL byte, so the audited text and the executed text can differ.'),
        text.replaceAll('\0', '␀'),
      ),
    ];
  });
}

/** Audits a hook that runs no command. The answer of a server, a model or other code is unknown, so it is listed as unaudited. */
function auditAnswer({ handler: { type, config }, source: { file, line, column } }: Hook, action: HandlerDescription): Closure {
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const findings =
    action.does === 'request' ? judgeRequest({ ...config, url: action.url ?? '' }).map((item) => ({ ...item, ...place })) : [];
  const unaudited = 'why' in action ? [{ what: `the ${type} handler`, why: action.why, ...place }] : [];
  return { findings, files: [], folders: [], packages: [], unknown: [], unaudited };
}
