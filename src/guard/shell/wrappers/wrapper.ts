/** How a command that runs what it is given is read: which of its own words come before it, and which of its options hold code. */

export interface Wrapper {
  /** Short options that take a value. */
  readonly valued?: string;
  /** Long options whose value is the next word. */
  readonly long?: string;
  /** Operands of its own before the command. */
  readonly operands?: number;
  /** After these no option is its own. */
  readonly ends?: boolean;
  /** Options with which it has no operands of its own. */
  readonly freed?: string;
  /** `NAME=value` words may come before the command. */
  readonly assigns?: boolean;
  /** Options whose value is shell code. */
  readonly code?: string;
  /** Options whose value holds code in one of its forms; `+`: words that start with it too; `*`: all words. */
  readonly keyed?: { readonly options: string; readonly pattern: RegExp };
  /** What the rest is: a command's words, if nothing is said; words that make one code; several codes; keys that are typed. */
  readonly rest?: 'code' | 'codes' | 'keys';
  /** Where no command is given, code on standard input. */
  readonly stdin?: RegExp;
  /** The first word says which of these it is. */
  readonly verbs?: Readonly<Record<string, Wrapper>>;
  /** The command comes only after `--`. */
  readonly dashed?: boolean;
  /** Options after which the command comes. */
  readonly starts?: string;
  /** Options with which nothing is run. */
  readonly idle?: RegExp;
  /** Options whose value is split into words of its own. */
  readonly splits?: string;
  /** Options that take a variable away, or all. */
  readonly unsets?: string;
  readonly clears?: string;
  readonly chdir?: string;
  /** Several commands, with `;` between them. */
  readonly chained?: boolean;
  /** Long options have one dash. */
  readonly single?: boolean;
}

/** All operands are its own. */
export const ALL = Number.POSITIVE_INFINITY;
export const PLAIN: Wrapper = {};
/** All of a text is code. */
export const WHOLE = /^([\s\S]+)$/g;
export const AFTER_DASHES: Wrapper = { dashed: true, operands: ALL };
