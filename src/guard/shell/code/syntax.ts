/** Small forms of the syntax of other languages, by their tokens alone. */
import type { Cursor } from './cursor.ts';
import type { Evaluator } from './evaluator.ts';
import { list, NOTHING, text, textOf, type Value } from './value.ts';

/** Words that end an expression. */
const ENDS =
  /^(?:if|unless|while|until|for|foreach|in|of|as|do|then|end|and|or|rescue|else|elsif|elif|from|import|is|x|eq|ne|lt|gt|le|ge|cmp|when|where|instanceof)$/;
/** Languages in which arguments need no brackets. */
export const SPOKEN = new Set(['ruby', 'perl', 'php', 'other', 'lua']);

export interface Key {
  readonly name: string;
  readonly end: number;
  /** Whether it is `name = value`, and no entry or option. */
  readonly assigns?: boolean;
}

/** Returns the name before a value: `name = `, `name => ` and `name: `. */
export function keyAt(cursor: Cursor, from: number): Key | undefined {
  const declares = cursor.isName(from) && /^(?:my|our|local)$/.test(cursor.text(from));
  const at = declares ? from + 1 : from;
  if (!cursor.isName(at) && cursor.kind(at) !== 'string') return undefined;
  const name = cursor.text(at);
  if (cursor.areSigns(at + 1, '=>') && cursor.flavour !== 'js') return { name, end: at + 3 };
  if (cursor.areSigns(at + 1, ':=') && cursor.isName(at)) return { name, end: at + 3, assigns: true };
  if (cursor.isSign(at + 1, '=') && !/^[=>~]$/.test(cursor.text(at + 2)) && cursor.isName(at)) return { name, end: at + 2, assigns: true };
  const colon = cursor.isSign(at + 1, ':') && !cursor.isSign(at + 2, ':');
  return colon && !declares ? { name, end: at + 2 } : undefined;
}

/** Returns the position after the next comma of this level. */
export function nextElement(reader: Evaluator, from: number, close: number): number {
  const { cursor } = reader;
  for (let at = from; at < close && reader.step(); at++) {
    if (cursor.isSign(at, ',')) return at + 1;
    if (/^[([{]$/.test(cursor.text(at)) && cursor.kind(at) === 'sign') at = cursor.closing(at);
  }
  return close;
}

/** Returns the position of the member that follows: `.x`, `?.x`, `->x`, `::x` and `:x(`. */
export function memberAt(cursor: Cursor, at: number): number | undefined {
  const joins = /^(?:perl|php)$/.test(cursor.flavour);
  const step =
    cursor.areSigns(at, '->') || cursor.areSigns(at, '::') || cursor.areSigns(at, '?.') || cursor.areSigns(at, '&.')
      ? 2
      : cursor.isSign(at, '.') && !joins
        ? 1
        : cursor.isSign(at, ':') && cursor.flavour !== 'python' && cursor.flavour !== 'js' && cursor.isSign(at + 2, '(')
          ? 1
          : 0;
  return step > 0 && cursor.isName(at + step) ? at + step : undefined;
}

/** Returns whether arguments without brackets follow. */
export function isSpoken(cursor: Cursor, value: Value, at: number, end: number): boolean {
  if (!SPOKEN.has(cursor.flavour) || at >= end || cursor.startsLine(at) || (value.kind !== 'chain' && value.kind !== 'method'))
    return false;
  const kind = cursor.kind(at);
  if (kind === 'string') return true;
  if (kind === 'name') return !ENDS.test(cursor.text(at));
  // `system *words` and `send :name` of Ruby.
  if (cursor.flavour === 'ruby' && /^[*:]$/.test(cursor.text(at)) && !cursor.touches(at) && cursor.touches(at + 1)) return true;
  return (
    cursor.isSign(at, '(') ||
    (cursor.isSign(at, '<') && cursor.flavour === 'perl') ||
    ((cursor.isSign(at, '[') || cursor.isSign(at, '{')) && !cursor.touches(at))
  );
}

/** Reads `<*.txt>` of Perl: the files that the pattern names. */
export function fileGlobAt(cursor: Cursor, at: number, end: number): { readonly pattern: string; readonly end: number } | undefined {
  if (cursor.flavour !== 'perl' || !cursor.isSign(at, '<')) return undefined;
  const pattern = /^<([^<>\n=;]*[*?/~][^<>\n=;]*)>/.exec(
    cursor.code.slice(cursor.tokens[at]?.at ?? 0, (cursor.tokens[at]?.at ?? 0) + 300),
  )?.[1];
  if (pattern === undefined) return undefined;
  const last = (cursor.tokens[at]?.at ?? 0) + pattern.length + 1;
  let next = at + 1;
  while (next < end && (cursor.tokens[next]?.at ?? last) <= last) next++;
  return { pattern, end: next };
}

/** Returns the text of a slice of Python: `[1:]`, `[::-1]`. */
export function sliceAt(cursor: Cursor, open: number): string | undefined {
  if (cursor.flavour !== 'python') return undefined;
  const [from, end] = [cursor.tokens[open]?.end ?? 0, cursor.tokens[cursor.closing(open)]?.at ?? 0];
  const written = end - from < 40 ? cursor.code.slice(from, end).replace(/\s/g, '') : '';
  return /^-?\d*:-?\d*(?::-?\d*)?$/.test(written) ? written : undefined;
}

/** Returns the part of a text or a list that a slice names. */
export function sliced(value: Value, slice: string): Value {
  const known = textOf(value);
  const items = known === undefined ? (value.kind === 'list' ? value.items : undefined) : [...known];
  if (items === undefined) return NOTHING;
  const [from, to, step] = slice.split(':').map((part) => (part === '' ? undefined : Number(part)));
  const part = step !== undefined && step < 0 ? items.toReversed() : items.slice(from ?? 0, to);
  const taken = part.filter((_, i) => i % Math.max(1, Math.abs(step ?? 1)) === 0);
  return known === undefined ? list(taken as readonly Value[]) : text(taken.join(''));
}
