/** Commands that build other commands from their input: `xargs`, `parallel`, `find -exec`, `sed`, `git`. */
import { gitCarries } from '../../effects/git/carries.ts';
import { atMost } from '../../limits.ts';
import { codeReaders } from '../code-readers.ts';
import { attachedTo, NET_TOOLS } from '../flow/downloads.ts';
import type { WrittenFiles } from '../flow/written.ts';
import { UNKNOWN } from '../marks.ts';
import { fdCommands } from './fd.ts';
import { foundBy, parseFind } from './find.ts';
import { asCode, type CarriedCommands, fillIn, itemsOf, markFed, parallel } from './parallel.ts';
import { sedCode } from './sed.ts';

const MOST_CODES = 64;
/** Returns whether a program of this name can run any other program. */
export function isCarrier(name: string): boolean {
  return /^(g?xargs|parallel|sem|g?find|socat|g?sed)$/.test(name) || NET_TOOLS.has(name);
}

/**
 * Returns the commands that such a command would run.
 *
 * @param env The variables that the script sets for the command.
 */
export function carriedBy(
  name: string,
  argv: readonly string[],
  stdin: string,
  files: WrittenFiles,
  env: Readonly<Record<string, string>> = {},
): CarriedCommands | undefined {
  if (name === 'xargs' || name === 'gxargs') return xargs(argv, stdin, files);
  if (name === 'parallel' || name === 'sem') return parallel(argv, stdin, files);
  if (name === 'find' || name === 'gfind') return findCommands(argv);
  if (name === 'socat' || NET_TOOLS.has(name)) return { argvs: [], code: attachedTo(name, argv) };
  if (name === 'sed' || name === 'gsed') return { argvs: [], code: sedCode(argv, stdin) };
  if (name === 'fd' || name === 'fdfind') return fdCommands(argv);
  if (name === 'cmd' || name === 'comspec') {
    const argvs = codeReaders().cmdCommands(argv);
    return argvs === undefined ? undefined : { argvs, code: [] };
  }
  if (/^(?:python|pypy)[\d.]*$/.test(name)) {
    const at = argv.indexOf('-m');
    const module = at === -1 ? '' : (argv[at + 1] ?? '');
    const own = files.size === 0 || module === '' ? undefined : codeReaders().modulesOf(name, argv, '', files)[0];
    if (own !== undefined) return { argvs: [[name, own, ...argv.slice(at + 2)]], code: [] };
    if (MODULES.test(module)) return { argvs: [argv.slice(at + 1)], code: [] };
    const codes = /^(?:timeit|pdb)$/.test(module) ? argv.slice(at + 2).filter((word) => /[(!]/.test(word)) : [];
    return codes.length === 0 ? undefined : { argvs: [[name, '-c', codes.map((code) => code.replace(/^!/, '')).join('\n')]], code: [] };
  }
  if (name === 'psql' && files.size > 0) {
    const at = argv.findIndex((word) => word === '-f' || word === '--file');
    const text = at === -1 ? undefined : files.get(argv[at + 1] ?? '');
    return text === undefined ? undefined : { argvs: [[...argv.toSpliced(at, 2), '-c', text]], code: [] };
  }
  if (name.startsWith('git')) return gitCarries(name, argv, env);
  return undefined;
}

function findCommands(argv: readonly string[]): CarriedCommands | undefined {
  const { commands } = parseFind(argv);
  if (commands.length === 0) return undefined;
  const found = foundBy(argv).map(markFed);
  const [argvs, guesses]: (readonly string[])[][] = [[], []];
  const all = !parseFind(argv).narrowed;
  for (const { argv: command, closed } of atMost(commands, MOST_CODES, 'the commands of `find`'))
    (closed ? argvs : guesses)?.push(...fillIn(all ? asRecursive(command) : command, '{}', found));
  return { argvs: argvs ?? [], code: [], guesses: guesses ?? [] };
}

/** Modules of Python that are commands too. */
const MODULES = /^(?:pip|pipx|uv|poetry|pipenv|pytest|nox|tox|invoke|ansible|black|ruff|virtualenv)$/;

/** A change of the rights of everything below a folder is a recursive one. */
function asRecursive([name = '', ...rest]: readonly string[]): readonly string[] {
  return /^(?:.*\/)?ch(?:mod|own|grp)$/.test(name) ? [name, '-R', ...rest] : [name, ...rest];
}

interface XargsOptions {
  /** The command and its first words. */
  readonly command: readonly string[];
  readonly mark: string | undefined;
  readonly file: string | undefined;
  /** Whether items are lines and not words. */
  readonly lines: boolean;
  readonly skipsEmpty: boolean;
  readonly idle: boolean;
}

function xargs(argv: readonly string[], stdin: string, files: WrittenFiles): CarriedCommands {
  const { command, mark, file, lines, skipsEmpty, idle } = xargsOptions(argv);
  const input = file === undefined ? stdin : (files.get(file) ?? UNKNOWN);
  if (idle || (input === '' && (skipsEmpty || mark !== undefined))) return { argvs: [], code: [] };
  const { items, more } = itemsOf(input, lines || mark !== undefined);
  const code = asCode(command, mark ?? '');
  if (mark !== undefined && command.some((word) => word.includes(mark)))
    return { argvs: [...fillIn(command, mark, items), ...code], code: [], more };
  const argvs = [[...command, ...items], ...code];
  // A shell can receive a whole line instead of the words of a line.
  if (!lines && command.some((word) => /(^|\/)([abdkz]|ba|da)?sh$/.test(word))) argvs.push(...wholeLines(command, input, items));
  return { argvs, code: [], more };
}

function wholeLines(command: readonly string[], input: string, words: readonly string[]): readonly string[][] {
  const { items } = itemsOf(input, true);
  return items.length === words.length
    ? []
    : atMost(items, MOST_CODES, 'the lines that `xargs` passes to a shell').map((line) => [...command, line]);
}

const VALUED = 'aEILnPsSRdJ';
const LONG: ReadonlySet<string> = new Set(['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'process-slot-var']);

function xargsOptions(argv: readonly string[]): XargsOptions {
  let mark: string | undefined;
  let file: string | undefined;
  let [lines, skipsEmpty, idle] = [false, false, false];
  const take = (option: string, value: string): void => {
    if (option === 'I' || option === 'J' || option === 'replace') mark = value || '{}';
    else if (option === 'a' || option === 'arg-file') file = value;
    else if (/^(0|null|d|delimiter|L|max-lines)$/.test(option)) lines = true;
    else if (/^(r|no-run-if-empty)$/.test(option)) skipsEmpty = true;
    else if (option === 'help' || option === 'version') idle = true;
  };
  let at = 1;
  for (; /^-./.test(argv[at] ?? ''); at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (word.startsWith('--')) {
      const [name = '', value] = word.slice(2).split(/=(.*)/s);
      take(name, value ?? (LONG.has(name) ? (argv[++at] ?? '') : ''));
      continue;
    }
    for (let i = 1; i < word.length; i++) {
      const letter = word[i] ?? '';
      const attached = word.slice(i + 1);
      if (letter === 'i') take('I', attached);
      else take(letter, VALUED.includes(letter) ? attached || (argv[++at] ?? '') : '');
      if (VALUED.includes(letter) || 'iel'.includes(letter)) break;
    }
  }
  const rest = argv.slice(at);
  return { command: rest.length > 0 ? rest : ['echo'], mark, file, lines, skipsEmpty, idle };
}
