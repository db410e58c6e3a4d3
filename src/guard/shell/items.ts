/** The items that a command such as `xargs` is fed with, and how they are put into the commands it builds. */
import { replaceEach } from './bounded.ts';
import { FED, isDynamic, isOpaque, UNKNOWN } from './marks.ts';

const MOST_ITEMS = 1024;
/** So many commands are looked at one by one; beyond that all items are put into one. */
const MOST_COMMANDS = 32;

export interface Carried {
  readonly argvs: readonly (readonly string[])[];
  readonly code: readonly string[];
  /** Commands that run only if it takes a mistake in its words for what was meant. */
  readonly guesses?: readonly (readonly string[])[];
  /** There are more than are given here. */
  readonly more?: boolean;
}

export interface Items {
  readonly items: readonly string[];
  /** There are more. */
  readonly more: boolean;
}

/** What is not known of an item may be anything, an option too. */
export function fed(item: string): string {
  return isDynamic(item) ? item + FED : item;
}

/** `lines`: an item is a line, not a word. */
export function itemsOf(text: string, lines: boolean): Items {
  if (isOpaque(text)) return { items: [fed(text.trim())], more: false };
  const all = (lines ? text.split(/[\n\0]/) : text.split(/[\s\0]+/)).filter((item) => item.trim() !== '');
  return { items: all.slice(0, MOST_ITEMS).map((item) => fed(unquoted(item))), more: all.length > MOST_ITEMS };
}

/** The commands that come of putting each item in the place of `mark`. */
export function filled(command: readonly string[], mark: string, items: readonly string[]): readonly (readonly string[])[] {
  if (!command.some((word) => word.includes(mark))) return [command];
  if (items.length > MOST_COMMANDS || command.every((word) => !word.includes(mark) || word === mark))
    return [command.flatMap((word) => (word.includes(mark) ? items.map((item) => inserted(word, mark, item)) : [word]))];
  return items.map((item) => command.map((word) => inserted(word, mark, item)));
}

export function inserted(word: string, mark: string, item: string): string {
  return word.includes(mark) ? (replaceEach(word, mark, item) ?? UNKNOWN) : word;
}

/**
 * The command with nothing known in the place of its items, where that place is a shell's code: what a pipe brings there is judged by what it
 * may be another time, and not only by what it is now.
 */
export function asCode(command: readonly string[], mark: string): readonly (readonly string[])[] {
  const at = command.findIndex((word, i) => /^-[a-zA-Z]*c$/.test(word) && command.slice(0, i).some((name) => SHELL.test(name)));
  if (at === -1 || (command[at + 1] ?? mark) !== mark) return [];
  return [[...command.slice(0, at + 1), fed(UNKNOWN)]];
}

const SHELL = /(?:^|\/)(?:ba|z|da|k|a)?sh$/;

function unquoted(item: string): string {
  return item.replace(/^(["'])(.*)\1$/, '$2');
}
