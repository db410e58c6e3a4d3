/**
 * Hookline's own command, however it is started: by its name, by its file, by a link or a copy, by a package runner, or by a program that the
 * guard does not know.
 *
 * `own.run` has the facts of `command` for the words after the program, and `sure` (it is Hookline), `named` (a word names Hookline) and
 * `open` (its command is unknown). `own.copy` is a further name for the program. Facts: `path`, `how`.
 */
import { posix } from 'node:path';
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic } from '../../shell/marks.ts';
import { isInterpreter } from '../../shell/programs/programs.ts';
import { treatsAsText } from '../../shell/walk/text-commands.ts';
import { unwrapCommand, wrapperNamed } from '../../shell/wrappers/unwrap.ts';
import { readArguments } from '../arguments.ts';
import { type Effect, type EffectReader, effect, type KnownFolders } from '../effect.ts';
import { SYNTAX, toolName } from '../files/syntax.ts';
import { factsOf } from '../run.ts';
import { isOwnFile } from './files.ts';

/** The commands of Hookline that can act for a person. Other programs with such words are looked at. */
const ACTS: ReadonlySet<string> = new Set(['approvals', 'trust', 'log', 'serve', 'install', 'uninstall', 'pause', 'mcp']);
const NAME = /^(?:npm:)?hookline(?:-hook)?(?:\.(?:[cm]?js|cmd|exe|bat|ps1))?(?:@[^/]*)?$/i;
const BODY = /(?:^|\/)hookline(?:@[^/]*)?\/(?:.*\/)?dist\/cli\/main\.js$/i;
/** The program as a file or an installed package. A folder with this name is a project. */
const FILE = /(?:^|\/)(?:hookline\.[cm]?js|hookline-hook|bin\/hookline|node_modules\/hookline(?:\/bin|\/dist)?)$/i;
const COPIES = /^(?:cp|ln|mv|install|link|rsync)$/;
/** Programs that type their words into another terminal, or run them as one text. */
const TYPES = /^(?:screen|zellij|kitty|kitten|wezterm|xdotool|ydotool|wtype|dtach|abduco)$/;

/** Options with a command as their value. */
const COMMAND = /^--?(?:c|e|x|exec|execute|command|cmd|run|call|eval)$/i;
const OWN_TEXT = /\bhookline(?:\.js)?["']?\s+(\S.*)/is;

export const ownProgram: EffectReader = (command, folders) => {
  const { name, argv } = command;
  if (!argv.some((word) => /hookline/i.test(word) || ACTS.has(word))) return [];
  const copies = COPIES.test(toolName(name)) ? copyEffects(command) : shadowEffects(name, argv);
  const found = calledBy(command, folders);
  return found === undefined ? copies : [...copies, runEffect(found)];
};

export function namesOwn(word: string): boolean {
  return NAME.test(word.slice(word.lastIndexOf('/') + 1)) || BODY.test(word);
}

export interface OwnCall {
  readonly words: readonly string[];
  readonly sure: boolean;
  readonly named: boolean;
}

export function runEffect({ words, sure, named }: OwnCall): Effect {
  const facts = factsOf('hookline', ['hookline', ...words]);
  const [first] = facts.operand;
  return effect('own.run', { ...facts, sure, named, open: named && first !== undefined && isDynamic(first) });
}

/** Returns whether these are the first words of a command of Hookline that can act for a person. */
export function mayAct([first = '']: readonly string[]): boolean {
  return ACTS.has(first);
}

function calledBy(command: EffectiveCommand, folders: KnownFolders): OwnCall | undefined {
  const { name, argv, program, cwd } = command;
  if (namesOwn(name) || namesOwn(argv[0] ?? '')) return { words: withoutName(argv.slice(1)), sure: true, named: true };
  const path = program?.from === 'file' ? program.path : undefined;
  const words = path === undefined ? argv.slice(1) : argv.slice(argv.indexOf(path, 1) + 1);
  if (path !== undefined && namesOwn(path)) return { words: withoutName(words), sure: true, named: true };
  const file = path ?? (argv[0]?.includes('/') ? argv[0] : undefined);
  if (mayAct(words)) {
    if (file !== undefined && isOwnFile(file, cwd, folders)) return { words, sure: true, named: true };
    // No other program has approvals to settle, so these words are enough. The others are words of many programs.
    if (file !== undefined || isDynamic(name) || (words[0] === 'approvals' && !treatsAsText(name)))
      return { words, sure: false, named: false };
  }
  return carriedCall(command);
}

/** Returns the call that a program which the guard does not follow would make with its words. */
function carriedCall(command: EffectiveCommand): OwnCall | undefined {
  const { name, argv, program } = command;
  if (isInterpreter(name)) return program?.from === 'file' ? undefined : passedWords(argv);
  if (treatsAsText(name) || isFollowed(name, argv)) return undefined;
  const at = argv.findIndex((word, i) => i > 0 && namesOwn(word));
  const words = withoutName(argv.slice(argv[at + 1] === '--' ? at + 2 : at + 1));
  if (at !== -1 && mayAct(words)) return { words, sure: false, named: true };
  const dashed = argv.slice(argv.indexOf('--') + 1);
  if (dashed[0] === 'approvals') return { words: dashed, sure: false, named: false };
  // A terminal takes a command as one word.
  const text = argv.find((word, i) => (i === 0 || TYPES.test(name) || COMMAND.test(argv[i - 1] ?? '')) && OWN_TEXT.test(word));
  const [, typed = ''] = text === undefined ? [] : (OWN_TEXT.exec(text) ?? []);
  return typed === '' ? undefined : { words: typed.split(/\s+|\\n/), sure: false, named: true };
}

/** Returns the words that code receives. The code can be Hookline's program, read from a file or from standard input. */
function passedWords(argv: readonly string[]): OwnCall | undefined {
  const at = argv.findIndex((_, i) => i > 0 && mayAct(argv.slice(i)));
  return at === -1 ? undefined : { words: argv.slice(at), sure: false, named: argv.slice(1, at).some(namesOwn) };
}

/** Returns whether the analysis also reports the command inside. */
function isFollowed(name: string, argv: readonly string[]): boolean {
  if (/^(?:g?xargs|g?find|parallel|sem)$/.test(name)) return true;
  const inner = wrapperNamed(name) && unwrapCommand(name, argv, '');
  return inner !== undefined && inner.argv.length + inner.code.length > 0;
}

/** Some ways to start a program pass its name as the first word. */
function withoutName(words: readonly string[]): readonly string[] {
  return namesOwn(words[0] ?? '') ? words.slice(1) : words;
}

/** An alias, a remembered path or a function of the environment with the program's name hides the program. */
function shadowEffects(name: string, argv: readonly string[]): readonly Effect[] {
  const named = (word: string): boolean => NAME.test(word.split('=', 1)[0] ?? '') && word.includes('=');
  const hides =
    (name === 'alias' && argv.some(named)) ||
    (name === 'hash' && argv.some((word) => /^-\w*p$/.test(word)) && argv.slice(3).some((word) => NAME.test(word))) ||
    argv.some((word) => /^BASH_FUNC_hookline(?:-hook)?(?:%%|\(\))=/i.test(word));
  return hides ? [effect('own.copy', { path: 'hookline', how: name })] : [];
}

function copyEffects({ name, argv }: EffectiveCommand): readonly Effect[] {
  const { operands, idle, values } = readArguments(argv, SYNTAX[toolName(name)]);
  if (idle) return [];
  const into = values('t', 'target-directory').length > 0;
  const sources = into || operands.length === 1 ? operands : operands.slice(0, -1);
  return sources.flatMap((path) => {
    const written = posix.normalize(path).replace(/\/$/, '');
    return FILE.test(written) || BODY.test(written) ? [effect('own.copy', { path, how: name })] : [];
  });
}
