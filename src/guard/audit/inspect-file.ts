/**
 * Audits one file that a hook runs. Shell scripts are judged whole and followed. Code in other languages is searched for known calls and
 * imports.
 */
import { homedir } from 'node:os';
import { type Finding, finding, isSevere } from '../findings.ts';
import { isAlarming, type Judgement, type JudgeOptions, judge } from '../judge.ts';
import { type Analysis, analyse } from '../shell/analyse.ts';
import { reachOfFile } from './cover/reach-file.ts';
import type { Reached, Unknown } from './cover/reached.ts';
import { type Files, type FollowedFile, judgeRights, leavingLink, MOST_BYTES, tooLarge } from './files.ts';
import { judgeHabits } from './habits.ts';
import { importedFiles } from './imports.ts';
import { inspectTasks } from './inspect-tasks.ts';
import { KeptResults } from './kept-results.ts';
import { currentView, readFileSync, statSync } from './observed-fs.ts';
import { auditViolation } from './rules.ts';

const SHELL_LINE = /^#!.*\b(ba|z|da|k|a|mk)?sh\b/;
const BY_ENDING: readonly (readonly [RegExp, string])[] = [
  [/\.pyw?$/, 'python3'],
  [/\.[cm]?[jt]sx?$/, 'node'],
  [/\.rb$/, 'ruby'],
  [/\.p[lm]$/, 'perl'],
  [/\.php$/, 'php'],
  [/\.lua$/, 'lua'],
  [/\.psm?1$/, 'pwsh'],
];
const BY_LINE = /\b(python[\d.]*|pypy[\d.]*|node|bun|deno|ruby[\d.]*|perl[\d.]*|php[\d.]*|lua[\d.]*)\b/;

/** Returns the command in the first line of a script, without the script's path. Undefined: the first line names no interpreter. */
export function interpreterFor(body: string): string | undefined {
  const line = /^#![ \t]*([^\n\r]{1,500})/.exec(body)?.[1]?.trim();
  // `env -S` receives the rest of the line as one word and splits it.
  return line === '' ? undefined : line?.replace(/^\S*\benv[ \t]+(?:-S|--split-string[= \t])[ \t]*/, '');
}

export function isShellLine(body: string): boolean {
  return SHELL_LINE.test(body.split('\n', 1)[0] ?? '');
}

/** Returns a program that runs files of this kind, for a file that is imported or run by its name. */
export function importedAs(path: string, body: string): string {
  const line = body.startsWith('#!') ? BY_LINE.exec(body.split('\n', 1)[0] ?? '')?.[1] : undefined;
  return line === undefined ? (BY_ENDING.find(([ending]) => ending.test(path))?.[1] ?? 'node') : line === 'deno' ? 'node' : line;
}

/** The result of auditing one file. */
export interface Inspected {
  readonly findings: readonly (Finding & { readonly column?: number })[];
  /** The files that this file runs. */
  readonly runs: readonly FollowedFile[];
  /** The parts that could not be audited, with the reason. */
  readonly unaudited: readonly string[];
  /** The parts that run code which is known only at run time. */
  readonly unknown: readonly Unknown[];
}

export function inspectFile(path: string, run: FollowedFile, options: JudgeOptions, files: Files): Inspected {
  const outer = [...(files.leavesFolder(path) ? [leavingLink(path)] : []), ...judgeRights(path, run)];
  const read = readWhole(path);
  if (typeof read !== 'string') {
    const unknown = [{ what: 'the files that it runs', why: read.why.replace(/^The f/, 'the f').replace(/\.$/, '') }];
    return { findings: [...outer, read.finding], runs: [], unaudited: [read.why], unknown };
  }
  if (run.how === 'tasks') return inspectTasks(path, read, run, options, files);
  const first = run.how === 'itself' || run.how === 'script' ? judgeOnce('first line', path, read, options) : NOTHING;
  const { judged, reached, imports } = followOnce(path, read, run, options, files);
  return {
    findings: [...outer, ...first.findings, ...judged.findings],
    runs: [...reached.runs, ...first.runs, ...judged.runs, ...imports],
    unaudited: judged.unaudited,
    unknown: reached.unknown,
  };
}

interface FollowedText {
  readonly judged: Judged;
  readonly reached: Reached;
  readonly imports: readonly FollowedFile[];
}

const inViews = new WeakMap<object, KeptResults<FollowedText>>();

/** Files can appear and disappear while a text stays the same, so those that it reaches are looked up each time, or once in a view. */
function followOnce(path: string, body: string, run: FollowedFile, options: JudgeOptions, files: Files): FollowedText {
  const shell = isShell(path, body, run);
  const follow = (observed: JudgeOptions): FollowedText => {
    const judged = judgeOnce(shell ? 'shell' : 'code', path, body, observed);
    const imports = shell ? [] : importedFiles(path, body).map((file): FollowedFile => ({ path: file, cwd: '', how: 'import' }));
    return { judged, reached: reachOfFile(path, body, run, observed, files, judged.analysis), imports };
  };
  const view = currentView();
  if (view === undefined) return follow(options);
  const known = inViews.get(view) ?? new KeptResults<FollowedText>();
  inViews.set(view, known);
  const { root, bases } = files;
  return known.once(JSON.stringify([path, shell, run.cwd, run.language, root, bases, withoutVariables(options)]), options, follow);
}

/** The results for texts that were judged before in this process: many hooks share one file. */
const kept = new KeptResults<Judged>();
const MOST_KEPT = 512;
const MOST_CHARACTERS = 8 * 1024 * 1024;
let characters = 0;

/** Judges a text, unless the same text at the same path was judged in the same circumstances before. */
function judgeOnce(part: keyof typeof JUDGES, path: string, body: string, options: JudgeOptions): Judged {
  const key = JSON.stringify([part, path, homedir(), withoutVariables(options), body]);
  return kept.once(key, options, (observed) => {
    if (kept.size >= MOST_KEPT || characters > MOST_CHARACTERS) {
      kept.clear();
      analyses.clear();
      characters = 0;
    }
    characters += body.length;
    return JUDGES[part](path, body, observed);
  });
}

const JUDGES = { 'first line': inspectShebang, shell: inspectShell, code: inspectCode };

function withoutVariables({ variables: _, asked: __, ...rest }: JudgeOptions): JudgeOptions {
  return rest;
}

/** The result of judging a text. `analysis`: of a shell text. */
type Judged = Omit<Inspected, 'unknown'> & { readonly analysis?: Analysis };

const NOTHING: Judged = { findings: [], runs: [], unaudited: [] };

/** The analyses of texts, which do not depend on the folder of a hook. Hooks in many folders share one file. */
const analyses = new KeptResults<Analysis>();

function judgeAnalysed(text: string, options: JudgeOptions): Judgement {
  const { self, mostBytes, mostSteps, files } = options;
  const key = JSON.stringify([text, self, mostBytes, mostSteps, files]);
  return judge(text, { ...options, analysis: analyses.once(key, options, (observed) => analyse(text, observed)) });
}

/** Judges the first line as a command, because the system runs it with the file as its last argument. */
function inspectShebang(path: string, body: string, options: JudgeOptions): Judged {
  const line = interpreterFor(body);
  if (line === undefined) return NOTHING;
  const { findings, analysis } = judge(`${line} ${quote(path)}`, options);
  const grave = findings.filter(isSevere).map((item) => ({ ...item, line: 1 }));
  return { findings: grave, runs: analysis.runs.filter((run) => run.path !== path), unaudited: [] };
}

function inspectShell(path: string, body: string, options: JudgeOptions): Judged {
  const { findings, analysis } = judgeAnalysed(body, { ...options, self: path, mostBytes: MOST_BYTES });
  const own = findings.flatMap((item) => (isLimit(item) ? judgeLines(path, body, item, options) : [item]));
  const placed = [...own, ...judgeHabits(analysis)].map((item) => ({ ...item, ...columnOf(body, item) }));
  const unaudited = analysis.doubts.map(({ why, line }) => `Line ${line}: ${why}.`);
  return { findings: placed, runs: analysis.runs, unaudited, analysis };
}

/** Returns whether a finding says that the text exceeds a limit and contains alarming words. It names no statement. */
function isLimit({ rule }: Finding): boolean {
  return rule === 'uncertain-alarming';
}

const MOST_LINES = 400;

/** Judges the alarming lines of a text that is too large or too complex as a whole. The text itself is a finding that does not block. */
function judgeLines(path: string, body: string, limit: Finding, options: JudgeOptions): readonly Finding[] {
  const lines = body.split('\n').map((text, i) => ({ text, line: i + 1 }));
  const alarming = lines.filter(({ text }) => text.length < 4000 && isAlarming(text)).slice(0, MOST_LINES);
  const found = alarming.flatMap(({ text, line }) =>
    judge(text, { ...options, self: path }).findings.flatMap(({ span: _, ...item }) =>
      isSevere(item) && !isLimit(item) ? [{ ...item, line }] : [],
    ),
  );
  return [...found, { ...limit, severity: 'medium' }];
}

/**
 * Searches code in another language for dangerous calls without parsing it. Only severe findings count, and the report states this limit.
 */
function inspectCode(path: string, body: string, options: JudgeOptions): Judged {
  const { findings, analysis } = judgeAnalysed(`${importedAs(path, body)} ${quote(path)}`, { ...options, files: { [path]: body } });
  const runs = analysis.runs.filter((run) => run.path !== path && run.path.includes('/'));
  return {
    findings: findings.filter(isSevere).map((item) => placed(body, item)),
    runs,
    unaudited: ['The file is not a shell script, so it was searched for known calls but not parsed.'],
  };
}

/** Returns whether a shell runs the file. A file without an interpreter line that is run by its path is run by a shell. */
function isShell(path: string, body: string, { how }: FollowedFile): boolean {
  if (how === 'shell' || how === 'source') return true;
  if (how === 'interpreter' || how === 'import') return false;
  return body.startsWith('#!') ? isShellLine(body) : /\.(sh|bash|zsh|ksh)$/.test(path) || !/\.\w+$/.test(path);
}

/** Returns the column of the command in its line, counted from 1. */
function columnOf(body: string, { line, span }: Finding): { readonly column?: number } {
  if (span === undefined || line === undefined) return {};
  const before = body.slice(0, span[0]);
  const start = before.lastIndexOf('\n') + 1;
  return before.split('\n').length === line ? { column: span[0] - start + 1 } : {};
}

/** Gives a finding its statement. Without a statement there is nothing that a person could check, so the finding does not block. */
function placed(body: string, { span: _, at, line: __, ...item }: Finding): Inspected['findings'][number] {
  if (at === undefined) return { ...item, severity: 'medium' };
  const start = body.lastIndexOf('\n', at - 1) + 1;
  const statement = body.slice(start).split('\n', 1)[0] ?? '';
  return {
    ...finding(item, statement),
    ...(item.via && { via: item.via }),
    line: body.slice(0, at).split('\n').length,
    column: at - start + 1,
  };
}

type Unread = { readonly finding: Finding; readonly why: string };

function readWhole(path: string): string | Unread {
  try {
    if (statSync(path).size > MOST_BYTES) return { finding: tooLarge(path), why: 'The file is larger than 512 KiB.' };
    const body = readFileSync(path, 'utf8');
    if (!body.includes('\0')) return body;
    return {
      finding: finding(auditViolation('unaudited-file', 'The file is a binary, so it is not audited.', 'medium'), path),
      why: 'The file is a binary.',
    };
  } catch {
    return {
      finding: finding(auditViolation('unaudited-file', 'The file cannot be read, so it is not audited.', 'medium'), path),
      why: 'The file cannot be read.',
    };
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
