/** Commands that build other commands out of their input: `xargs`, `parallel`, `find -exec`, `git`. Each gives the commands it would run. */
import { gitCarries } from '../effects/git/carries.ts';
import { attachedTo, NET_TOOLS } from './downloads.ts';
import { foundBy, parseFind } from './find.ts';
import { asCode, type Carried, fed, filled, itemsOf } from './items.ts';
import { UNKNOWN } from './marks.ts';
import { parallel } from './parallel.ts';
import { sedCode } from './sed.ts';
import type { Written } from './written.ts';

/** `env` is what the script itself gives the command. */
export function carriedBy(
  name: string,
  argv: readonly string[],
  stdin: string,
  files: Written,
  env: Readonly<Record<string, string>> = {},
): Carried | undefined {
  if (name === 'xargs' || name === 'gxargs') return xargs(argv, stdin, files);
  if (name === 'parallel' || name === 'sem') return parallel(argv, stdin, files);
  if (name === 'find' || name === 'gfind') return executed(argv);
  if (name === 'socat' || NET_TOOLS.has(name)) return { argvs: [], code: attachedTo(name, argv) };
  if (name === 'sed' || name === 'gsed') return { argvs: [], code: sedCode(argv) };
  if (name.startsWith('git')) return gitCarries(name, argv, env);
  return undefined;
}

function executed(argv: readonly string[]): Carried | undefined {
  const { commands } = parseFind(argv);
  if (commands.length === 0) return undefined;
  const found = foundBy(argv).map(fed);
  const [argvs, guesses]: (readonly string[])[][] = [[], []];
  for (const { argv: command, closed } of commands) (closed ? argvs : guesses)?.push(...filled(command, '{}', found));
  return { argvs: argvs ?? [], code: [], guesses: guesses ?? [] };
}

interface XargsOptions {
  /** The command and its first words. */
  readonly command: readonly string[];
  readonly mark: string | undefined;
  readonly file: string | undefined;
  /** Items are lines, not words. */
  readonly lines: boolean;
  readonly skipsEmpty: boolean;
  readonly idle: boolean;
}

function xargs(argv: readonly string[], stdin: string, files: Written): Carried {
  const { command, mark, file, lines, skipsEmpty, idle } = xargsOptions(argv);
  const input = file === undefined ? stdin : (files.get(file) ?? UNKNOWN);
  if (idle || (input === '' && (skipsEmpty || mark !== undefined))) return { argvs: [], code: [] };
  const { items, more } = itemsOf(input, lines || mark !== undefined);
  const code = asCode(command, mark ?? '');
  if (mark !== undefined && command.some((word) => word.includes(mark)))
    return { argvs: [...filled(command, mark, items), ...code], code: [], more };
  const argvs = [[...command, ...items], ...code];
  // A shell may be given a whole line where the words of one are expected.
  if (!lines && command.some((word) => /(^|\/)([abdkz]|ba|da)?sh$/.test(word))) argvs.push(...wholeLines(command, input, items));
  return { argvs, code: [], more };
}

function wholeLines(command: readonly string[], input: string, words: readonly string[]): readonly string[][] {
  const { items } = itemsOf(input, true);
  return items.length === words.length ? [] : items.slice(0, 16).map((line) => [...command, line]);
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
