/** The syntax of a wrapper, which is a command that runs another command: its own words before the command, and its options with code. */

export interface Wrapper {
  /** Short options that take a value. */
  readonly valued?: string;
  /** Long options that take the next word as their value. */
  readonly long?: string;
  /** Long options that take the next two words. */
  readonly pairs?: string;
  /** The command that gets the words, if it is not the first of them. */
  readonly becomes?: string;
  /** Number of the wrapper's own operands before the command. */
  readonly operands?: number;
  /** Whether these operands end the wrapper's own options. */
  readonly ends?: boolean;
  /** Options with which the wrapper has no operands of its own. */
  readonly freed?: string;
  /** Whether `NAME=value` words can come before the command. */
  readonly assigns?: boolean;
  /** Options with shell code as their value. */
  readonly code?: string;
  /** Options with code in a part of their value. `+`: words that start with `+`. `*`: all words. */
  readonly keyed?: { readonly options: string; readonly pattern: RegExp };
  /** The meaning of the remaining words: one code text, several code texts, or typed keys. By default they are the words of a command. */
  readonly rest?: 'code' | 'codes' | 'keys';
  /** The code on standard input, if no command is given. */
  readonly stdin?: RegExp;
  /** Subcommands by their first word. */
  readonly verbs?: Readonly<Record<string, Wrapper>>;
  /** Whether the command comes only after `--`. */
  readonly dashed?: boolean;
  /** Options that the command follows. */
  readonly starts?: string;
  /** Options with which nothing runs. */
  readonly idle?: RegExp;
  /** Options with a value that is split into words. */
  readonly splits?: string;
  /** Options that remove one variable (`unsets`) or all (`clears`). */
  readonly unsets?: string;
  readonly clears?: string;
  readonly chdir?: string;
  /** Whether the words are several commands, separated by `;`. */
  readonly chained?: boolean;
  /** Whether long options have one dash. */
  readonly single?: boolean;
}

/** All operands belong to the wrapper. */
export const ALL = Number.POSITIVE_INFINITY;
export const PLAIN: Wrapper = {};
/** The whole text is code. */
export const WHOLE = /^([\s\S]+)$/g;
export const AFTER_DASHES: Wrapper = { dashed: true, operands: ALL };
