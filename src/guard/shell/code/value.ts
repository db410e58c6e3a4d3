/** The values in code of another language, as far as they are known, and the actions of the code. */
import { CUT, UNKNOWN } from '../marks.ts';

export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'dict'; readonly entries: ReadonlyMap<string, Value> }
  /** A module, or a function by its whole name: `os`, `os.path.join`. */
  | { readonly kind: 'chain'; readonly chain: string }
  /** A method of a value. */
  | { readonly kind: 'method'; readonly on: Value; readonly name: string }
  /** A function of the code: the tokens of its body. */
  | { readonly kind: 'code'; readonly params: readonly string[]; readonly from: number; readonly end: number }
  /** A function with its first arguments. */
  | { readonly kind: 'bound'; readonly to: Value; readonly args: readonly Value[] }
  /** A started program, as shell code. Text can be written to it. */
  | { readonly kind: 'process'; readonly code: string }
  /** An open file. */
  | { readonly kind: 'file'; readonly path: string; readonly mode: string }
  | { readonly kind: 'unknown' };

/** One thing that the code does, as the words of a command or as shell code. Positions are in the code. */
export type Action =
  | { readonly what: 'words'; readonly argv: readonly string[]; readonly at: number; readonly stdin?: string }
  | { readonly what: 'shell'; readonly text: string; readonly at: number };

export const NOTHING: Value = { kind: 'unknown' };
const MOST_TEXT = 64 * 1024;
const MOST_ITEMS = 256;

export function text(value: string): Value {
  return { kind: 'text', text: value.length > MOST_TEXT ? value.slice(0, MOST_TEXT) + CUT : value };
}

export function list(items: readonly Value[]): Value {
  return { kind: 'list', items: items.slice(0, MOST_ITEMS) };
}

export function chain(name: string): Value {
  return { kind: 'chain', chain: name };
}

/** Returns the text of a value. Undefined: nothing is known about it. */
export function textOf(value: Value | undefined): string | undefined {
  if (value?.kind === 'text') return value.text;
  return value?.kind === 'file' ? value.path : undefined;
}

/** Returns the text of a value with a mark for what is unknown. */
export function asText(value: Value | undefined): string {
  if (value?.kind === 'list') return value.items.map(asText).join(' ');
  return textOf(value) ?? UNKNOWN;
}

/** Returns a list of arguments as words. */
export function wordsOf(value: Value | undefined): readonly string[] {
  if (value?.kind === 'list') return value.items.flatMap(wordsOf);
  return value === undefined ? [] : [asText(value)];
}

/** Returns the elements of a list, or the value itself. */
export function spread(value: Value): readonly Value[] {
  return value.kind === 'list' ? value.items : [value];
}

/** Joins two texts, or two lists. */
export function joined(left: Value, right: Value, between = ''): Value {
  if (left.kind === 'list' && right.kind === 'list') return list([...left.items, ...right.items]);
  if (textOf(left) === undefined && textOf(right) === undefined) return NOTHING;
  return text(asText(left) + between + asText(right));
}
