/** Texts that a model or a person reads: what is hidden in them, and how much it is. What they say is not judged. */

import type { DescribeHandler, HandlerDescription } from '../../core/contracts/handler.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { type Finding, finding, isGrave, tidy } from '../findings.ts';
import { type JudgeOptions, judge } from '../judge.ts';
import { isDynamic, shown } from '../shell/marks.ts';
import { auditFolder, createFiles, type Followed } from './files.ts';
import { type AuditedFinding, type Closure, followAll, type Unaudited } from './follow.ts';
import { judgeHabits, judgeTemplates } from './habits.ts';
import { accuse } from './rules.ts';
import { judgeSurroundings } from './surroundings.ts';
import { judgeRequest } from './url.ts';

const MOST_TEXT = 32 * 1024;
const MOST_DEPTH = 16;
/** Zero width, direction, tag and variation characters that draw nothing, or turn around what is drawn. */
const HIDDEN =
  /[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/u;
/** Where they belong: in emoji put together from others, in flags, and at the start of a file. */
const ORDINARY = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F}|\p{Emoji}\uFE0F?\u{200D}(?=\p{Emoji})|^\uFEFF/gu;

/** Every text of a handler's config. */
export function judgeTexts(config: unknown): readonly Finding[] {
  return textsIn(config, 0).flatMap((text) => {
    const found = hiddenIn(text);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MOST_TEXT) return found;
    return [...found, finding(accuse('text-large', `Adds a text of ${Math.ceil(bytes / 1024)} KiB.`), text.slice(0, 200))];
  });
}

function hiddenIn(text: string): readonly Finding[] {
  const rest = text.replace(ORDINARY, 'x');
  const at = HIDDEN.exec(rest)?.index;
  if (at === undefined) return [];
  const code = `U+${(rest.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const message = `Holds characters that are not seen or that turn the text around (${code}).`;
  return [finding(accuse('hidden-text', message), rest.slice(Math.max(0, at - 20), at + 40))];
}

function textsIn(config: unknown, depth: number): readonly string[] {
  if (typeof config === 'string') return [config];
  if (depth > MOST_DEPTH) return [];
  if (Array.isArray(config)) return config.flatMap((item) => textsIn(item, depth + 1));
  return isObject(config) ? Object.entries(config).flatMap(([key, item]) => [key, ...textsIn(item, depth + 1)]) : [];
}

/**
 * The audit of a hook: judges the decoded object that will run, and the files it runs, and nothing else. The analysis of a command
 * decides which files are followed, so that what is judged, what is trusted and what runs are the same.
 */

export interface AuditReport {
  /** Worst first. */
  readonly findings: readonly AuditedFinding[];
  /** The files that the hook runs, as far as they are found. */
  readonly files: readonly string[];
  /** What the audit could not look into: no finding there means nothing. */
  readonly unaudited: readonly Unaudited[];
}

export interface AuditOptions {
  /** What the hook's handler does: the handlers say it, and they are handed in. */
  readonly describe: DescribeHandler;
  /** Also look at every file of the hook's folder: none may be too large to read or a link that leads out. */
  readonly folder?: boolean;
  /** The project: where the hook's commands run if the hook itself does not say. */
  readonly cwd?: string;
  /** What a hook's variable for the project stands for (default: `cwd`). */
  readonly project?: string;
}

export function auditHook(hook: Hook, options: AuditOptions): AuditReport {
  const action = options.describe(hook.handler);
  const { findings, files, unaudited } = action.does === 'run' ? auditCommand(hook, action, options) : auditAnswer(hook, action);
  const { file, line, column } = hook.source;
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const around = [...judgeSurroundings(hook, action, options.cwd), ...judgeTexts(textsOf(hook, action))].map((item) => ({
    ...item,
    ...place,
  }));
  return { findings: tidy([...findings, ...around]), files, unaudited };
}

/** The part of a handler's configuration that a model or a person reads. A command is judged by itself, and code has no text in a file. */
function textsOf({ handler: { config } }: Hook, { does }: HandlerDescription): JsonObject {
  if (does === 'call') return {};
  return does === 'run' ? { ...config, command: '' } : config;
}

/** The files that the hook runs: what its digest must cover. */
export function scriptFiles(hook: Hook, options: AuditOptions): readonly string[] {
  const action = options.describe(hook.handler);
  return action.does === 'run' ? auditCommand(hook, action, options).files : [];
}

/** Whether the hook must not become active. */
export function isKeptOut({ findings }: Pick<AuditReport, 'findings'>): boolean {
  return findings.some(isGrave);
}

function auditCommand(hook: Hook, { command, script }: HandlerDescription & { does: 'run' }, options: AuditOptions): Closure {
  const { source, env = {} } = hook;
  const { file, line, column } = source;
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const cwd = hook.cwd ?? options.cwd;
  const judging: JudgeOptions = {
    asHook: true,
    variables: { ...env, ...projectVariables(hook, options) },
    ...(cwd !== undefined && { cwd }),
    ...(options.cwd !== undefined && { root: options.cwd }),
  };
  const queue: Followed[] = script === undefined ? [] : [{ path: script, cwd: '', how: 'script' }];
  const own: Finding[] = judgeNul(command, script);
  const unaudited: Unaudited[] = [];
  if (command !== undefined) {
    const { findings, analysis } = judge(command, judging);
    own.push(...findings, ...judgeHabits(analysis), ...judgeTemplates(command, env));
    unaudited.push(...analysis.doubts.map(({ why }) => ({ what: 'the command', why: `${why}.`, ...place })));
    queue.push(...analysis.runs);
  }
  for (const run of queue.filter(({ path, how }) => isDynamic(path) && how !== 'itself'))
    unaudited.push({ what: shown(run.path), why: 'Which file it is is only known when it runs.', ...place });
  const followed = followAll(queue, createFiles(hook, options.cwd), judging, place, source.scope);
  return {
    // Lines of the command are not lines of the file it stands in.
    findings: [
      ...own.map(({ line: _, span: __, ...item }) => ({ ...item, ...place })),
      ...followed.findings,
      ...(options.folder && hook.folder !== undefined ? auditFolder(hook.folder) : []),
    ],
    files: followed.files,
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
      finding(accuse('nul-byte', 'Has a NUL byte in what it runs: what is read and what runs may differ.'), text.replaceAll('\0', '␀')),
    ];
  });
}

/** Hooks that run no command: what can be seen of them, and who answers unseen. */
function auditAnswer({ handler: { type, config }, source: { file, line, column } }: Hook, action: HandlerDescription): Closure {
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const findings = action.does === 'request' ? judgeRequest(config).map((item) => ({ ...item, ...place })) : [];
  return { findings, files: [], unaudited: 'why' in action ? [{ what: `the ${type} handler`, why: action.why, ...place }] : [] };
}
