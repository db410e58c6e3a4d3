/** The items that commands such as `xargs` and GNU parallel read, and how they are inserted into the commands they build. */

import { leaveOut } from '../../limits.ts';
import type { WrittenFiles } from '../flow/written.ts';
import { FED, isDynamic, isOpaque, replaceEach, UNKNOWN } from '../marks.ts';
import { unwrap } from '../wrappers/unwrap.ts';

const MOST_ITEMS = 1024;
/** The number of commands that are checked one by one. With more items, all are inserted into one command. */
const MOST_COMMANDS = 32;

export interface CarriedCommands {
  readonly argvs: readonly (readonly string[])[];
  readonly code: readonly string[];
  /** Commands that run only if the tool tolerates a mistake on its command line. */
  readonly guesses?: readonly (readonly string[])[];
  /** Whether there are more commands than listed here. */
  readonly more?: boolean;
}

export interface Items {
  readonly items: readonly string[];
  /** Whether there are more items. */
  readonly more: boolean;
}

/** Marks an unknown item, because it can be anything, including an option. */
export function markFed(item: string): string {
  return isDynamic(item) ? item + FED : item;
}

/**
 * Returns the items of an input.
 *
 * @param lines Whether an item is a line and not a word.
 */
export function itemsOf(text: string, lines: boolean): Items {
  if (isOpaque(text)) return { items: [markFed(text.trim())], more: false };
  const all = (lines ? text.split(/[\n\0]/) : text.split(/[\s\0]+/)).filter((item) => item.trim() !== '');
  if (all.length > MOST_ITEMS) leaveOut(`the items that a command builds others from are more than ${MOST_ITEMS}`);
  return { items: all.slice(0, MOST_ITEMS).map((item) => markFed(unquote(item))), more: all.length > MOST_ITEMS };
}

/** Returns the commands with each item in place of `mark`. */
export function fillIn(command: readonly string[], mark: string, items: readonly string[]): readonly (readonly string[])[] {
  if (!command.some((word) => word.includes(mark))) return [command];
  if (items.length > MOST_COMMANDS || command.every((word) => !word.includes(mark) || word === mark))
    return [command.flatMap((word) => (word.includes(mark) ? items.map((item) => insertItem(word, mark, item)) : [word]))];
  return items.map((item) => command.map((word) => insertItem(word, mark, inCode(command, word) ? item.replace(/^\.\/~/, '~') : item)));
}

/** Returns whether a shell reads the word once more. */
function inCode(command: readonly string[], word: string): boolean {
  return word.includes(' ') && SHELL.test(command[0] ?? '');
}

export function insertItem(word: string, mark: string, item: string): string {
  return word.includes(mark) ? (replaceEach(word, mark, item) ?? UNKNOWN) : word;
}

/**
 * Returns the command with unknown items if a shell runs them as code. A pipe can bring other items the next time, so the current items
 * alone do not decide.
 */
export function asCode(command: readonly string[], mark: string): readonly (readonly string[])[] {
  const at = command.findIndex((word, i) => /^-[a-zA-Z]*c$/.test(word) && command.slice(0, i).some((name) => SHELL.test(name)));
  if (at === -1 || (command[at + 1] ?? mark) !== mark) return [];
  return [[...command.slice(0, at + 1), markFed(UNKNOWN)]];
}

const SHELL = /(?:^|\/)(?:ba|z|da|k|a)?sh$/;

function unquote(item: string): string {
  return item.replace(/^(["'])(.*)\1$/, '$2');
}

const SYNTAX = {
  valued: 'jNnLaSdCEPsIWJM',
  long: `jobs arg-file arg-sep arg-file-sep colsep delay delimiter env basefile block halt halt-on-error joblog load max-args max-procs
    max-replace-args max-lines memfree nice profile recend recstart results retries return rpl sshlogin sshloginfile tagstring timeout
    tmpdir transferfile workdir wd tempdir seqreplace shuf trim compress-program`.replace(/\s+/g, ' '),
};
const MOST_COMBINATIONS = 1024;
/** The number of the item or of the place in which its command runs. */
const NUMBER = /\{[#%]\}/g;
/** `{}`, `{.}`, `{2}`, `{1/.}` and similar placeholders. */
const PLACE = /\{(\d*)(?:\.|\/|\/\/|\/\.)?\}/g;

/** Evaluates GNU parallel: one command for each item, or for each combination of items from several sources. A shell runs each command. */
export function parallel(argv: readonly string[], stdin: string, files: WrittenFiles): CarriedCommands {
  const at = argv.findIndex((word) => /^:::?:?\+?$/.test(word) && word.length >= 3);
  const head = at === -1 ? argv : argv.slice(0, at);
  if (head.some((word) => /^--(version|help|citation|minversion)/.test(word))) return { argvs: [], code: [] };
  const command = unwrap(SYNTAX, head).argv;
  const sources = at === -1 ? [itemsOf(fileOf(head, files) ?? stdin, true).items] : sourcesOf(argv.slice(at), files);
  const count = sources.reduce((product, { length }) => product * Math.max(1, length), 1);
  if (command.length === 0) return { argvs: [], code: sources.flat(), more: count > MOST_COMBINATIONS };
  const pipes = head.some((word) => word === '--pipe' || word === '--pipepart');
  const perl = [...command.join(' ').matchAll(/\{=(.+?)=\}/gs)].map((match) => ['perl', '-e', match[1] ?? '']);
  if (head.includes('--dry-run') || head.includes('--dryrun')) return { argvs: perl, code: [], more: count > MOST_COMBINATIONS };
  const rows = count > MOST_COMMANDS ? [sources.flat()] : combinations(sources);
  const placed = rows.map((row) => commandFor(command, row, pipes || count > MOST_COMMANDS ? pipes : false, head));
  const piped = at === -1 ? asCode(command, '{}') : [];
  // One word is a whole command line. A line gets its items in quotes.
  const isLine = command.length === 1 && /\s/.test(command[0] ?? '');
  const lines = rows.map((row) => commandFor(command, row.map(quoted), pipes || count > MOST_COMMANDS ? pipes : false, head).join(' '));
  return { argvs: [...(isLine ? [] : placed), ...perl, ...piped], code: lines, more: count > MOST_COMBINATIONS };
}

function quoted(item: string): string {
  return isDynamic(item) || /[\s;&|<>()$`"'\\]/.test(item) ? `'${item.replaceAll("'", "'\\''")}'` : item;
}

function commandFor(command: readonly string[], row: readonly string[], pipes: boolean, head: readonly string[]): readonly string[] {
  const own = head[head.indexOf('-I') + 1];
  const mark = head.includes('-I') && own ? own : '{}';
  const has = command.some((word) => word.includes(mark) || word.search(PLACE) !== -1);
  if (!has) return pipes ? command : [...command, ...row];
  return command.map((word) =>
    insertItem(word.replace(NUMBER, '1'), mark, row.join(' ')).replace(PLACE, (_, place: string) =>
      place === '' ? row.join(' ') : (row[Number(place) - 1] ?? ''),
    ),
  );
}

function fileOf(head: readonly string[], files: WrittenFiles): string | undefined {
  const at = head.findIndex((word) => word === '-a' || word.startsWith('--arg-file'));
  const path = at === -1 ? undefined : (head[at]?.split('=')[1] ?? head[at + 1]);
  return path === undefined ? undefined : (files.get(path) ?? UNKNOWN);
}

/** Returns the sources: `::: a b` lists items, and `:::: f` names a file with items. */
function sourcesOf(words: readonly string[], files: WrittenFiles): readonly (readonly string[])[] {
  const sources: string[][] = [];
  let isFile = false;
  for (const word of words) {
    if (/^::::?\+?$/.test(word)) {
      isFile = word.startsWith('::::');
      sources.push([]);
    } else if (isFile) sources.at(-1)?.push(...itemsOf(files.get(word) ?? UNKNOWN, true).items);
    else sources.at(-1)?.push(word);
  }
  return sources;
}

function combinations(sources: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let rows: readonly (readonly string[])[] = [[]];
  for (const source of sources) rows = rows.flatMap((row) => (source.length === 0 ? [row] : source.map((item) => [...row, item])));
  return rows;
}
