/** Judges the text of a file as the program that it would be if a later command ran it. */
import { posix } from 'node:path';
import { isObject } from '../../core/values/json.ts';
import { type Finding, isSevere } from '../findings.ts';
import { isAlarming, type JudgeOptions, judge } from '../judge.ts';
import { apart } from '../limits.ts';
import { REMOTE } from '../shell/marks.ts';
import { languageOfShebang } from '../tools/languages.ts';

/** A finding on a script without any text of it. */
export interface ScriptFinding {
  readonly rule: string;
  readonly severity: 'catastrophic' | 'high' | 'medium';
  /** Line in the script, if it is known. */
  readonly line?: number;
}

/** More than for a command, because a file is judged once, when it is written. */
const STEPS = 96_000;
const MOST_FINDINGS = 8;
const MOST_TASKS = 40;
/** Findings about values that only the running program knows. A script has many of them. */
const UNKNOWN_VALUES = /^(?:uncertain|exec-dynamic.*|not-understood)$/;

const RUNNERS: Readonly<Record<string, string>> = {
  ...{ sh: 'shell', bash: 'shell', zsh: 'shell', ksh: 'shell', command: 'shell', py: 'python3', pyw: 'python3', rb: 'ruby', pl: 'perl' },
  ...{ js: 'node', mjs: 'node', cjs: 'node', ts: 'node', mts: 'node', cts: 'node', php: 'php', lua: 'lua', ps1: 'pwsh', mk: 'make -f' },
};
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ shell: 'shell', python: 'python3', js: 'node', ruby: 'ruby', perl: 'perl', php: 'php', lua: 'lua', powershell: 'pwsh' },
};

/** Files of build tools, and sources, with a command that runs them. */
const BUILDS: readonly (readonly [names: RegExp, command: string])[] = [
  [/^(?:GNU)?makefile$/i, 'make -f'],
  [/^\.?justfile$/i, 'just -f'],
  [/^Taskfile\.ya?ml$/i, 'task -t'],
  [/^CMakeLists\.txt$|\.cmake$/, 'cmake -P'],
  [/^(?:Rake|Gem|Cap|Guard|Thor|Vagrant|Pod|Fast)file$|\.gemspec$/i, 'ruby'],
  [/\.(?:go|rs|c|cc|cpp|cxx|m|nim|zig|cr|java|kt|kts|scala|swift|gradle|exs?|d)$/i, 'cc'],
];

/** A command that runs the file or a part of it. */
interface Running {
  readonly command: string;
  /** Returns the line in the file of a finding on the command. */
  readonly lineOf: (finding: Finding) => number | undefined;
}

/** Returns the findings that running the file would have. `path` is absolute. */
export function judgeScript(path: string, text: string, options: JudgeOptions): readonly ScriptFinding[] {
  // Nothing is known about code from elsewhere. The advice is to download it, to read it, and then to run it.
  if (text.trim() === '' || text.includes(REMOTE)) return [];
  const found = runningsOf(path, text).flatMap(({ command, lineOf }) => {
    const files = command === text ? {} : { files: { [path]: text } };
    const { findings } = apart(() => judge(command, { ...options, ...files, self: path, mostSteps: STEPS }));
    return findings.flatMap((one) => keptOf(one, lineOf(one), text));
  });
  return [...new Map(found.map((one) => [`${one.rule} ${one.line}`, one])).values()].slice(0, MOST_FINDINGS);
}

function runningsOf(path: string, text: string): readonly Running[] {
  const name = posix.basename(path);
  const itself: Running = { command: text, lineOf: ({ line }) => line };
  const by = (runner: string): Running => ({
    command: `${runner} '${path.replaceAll("'", String.raw`'\''`)}'`,
    lineOf: ({ at }) => (at === undefined ? undefined : lineAt(text, at)),
  });
  const [, tool] = BUILDS.find(([names]) => names.test(name)) ?? [];
  if (tool !== undefined) return [by(tool)];
  if (name === 'package.json') return tasksIn(text);
  const shebang = languageOfShebang(text);
  const runner = (shebang && LANGUAGES[shebang]) ?? RUNNERS[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
  if (runner !== undefined) return [runner === 'shell' ? itself : by(runner)];
  // Any file can be given to a shell, but prose is no script.
  return isAlarming(text) ? [itself] : [];
}

/** Returns the scripts of a package. */
function tasksIn(text: string): readonly Running[] {
  try {
    const manifest: unknown = JSON.parse(text);
    const scripts = isObject(manifest) && isObject(manifest['scripts']) ? Object.entries(manifest['scripts']) : [];
    return scripts.slice(0, MOST_TASKS).flatMap(([name, command]): readonly Running[] => {
      const at = text.indexOf(JSON.stringify(name), text.indexOf('"scripts"'));
      return typeof command === 'string' ? [{ command, lineOf: () => (at === -1 ? undefined : lineAt(text, at)) }] : [];
    });
  } catch {
    // A part of a file, in which nothing tells the scripts from other texts.
    return [];
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function keptOf(finding: Finding, line: number | undefined, text: string): readonly ScriptFinding[] {
  const { rule, severity, limit } = finding;
  if (severity === 'low') return [];
  const where = line === undefined ? {} : { line };
  // Padding can hide a deed behind a limit, so alarming words count.
  if (limit) return isAlarming(text) ? [{ rule: 'uncertain', severity: 'medium', ...where }] : [];
  if (UNKNOWN_VALUES.test(rule) && !isSevere(finding)) return [];
  return [{ rule, severity, ...where }];
}
