/** Loops over the items of a list in code of other languages: the body runs once for each item. */
import { leaveOut } from '../../limits.ts';
import type { Cursor } from './cursor.ts';
import type { Evaluator } from './evaluator.ts';
import { list, NOTHING, text, textOf, type Value } from './value.ts';

const [MOST_ITEMS, MOST_NAMES] = [64, 64];

/**
 * Runs the body of a loop for each item. If the first run does nothing, the others do nothing either.
 *
 * @param at The position of the loop.
 * @param header The position after the list.
 * @returns The position after the body. Undefined: the body is not where the loop is, or there are no several items.
 */
export function runEach(
  reader: Evaluator,
  names: readonly string[],
  source: Value | undefined,
  at: number,
  header: number,
  end: number,
): number | undefined {
  const items = source === undefined ? [] : itemsOf(source, names.length);
  if (items.length < 2) return undefined;
  const body = bodyOf(reader.cursor, at, header, end);
  if (body === undefined) return undefined;
  const before = reader.world.actions.length;
  for (const [place, item] of items.entries()) {
    if (place === MOST_ITEMS) leaveOut(`the items of a loop in a program are more than ${MOST_ITEMS}`);
    if (place === MOST_ITEMS || (place > 0 && reader.world.actions.length === before)) break;
    bindEach(reader, names, item);
    reader.deeper(() => reader.run(body.from, body.end));
  }
  return body.after;
}

function itemsOf(source: Value, names: number): readonly Value[] {
  if (source.kind === 'list') return source.items;
  if (source.kind !== 'dict') return [];
  return [...source.entries].map(([key, value]) => (names > 1 ? list([text(key), value]) : value));
}

interface Body {
  readonly from: number;
  readonly end: number;
  readonly after: number;
}

function bodyOf(cursor: Cursor, at: number, header: number, end: number): Body | undefined {
  let from = header;
  while (cursor.isSign(from, ')')) from++;
  if (cursor.isSign(from, '{')) return { from: from + 1, end: cursor.closing(from), after: Math.min(end, cursor.closing(from) + 1) };
  switch (cursor.flavour) {
    case 'python':
      return cursor.isSign(from, ':') ? indented(cursor, at, from + 1, end) : undefined;
    case 'ruby': {
      const start = cursor.isName(from, 'do') ? from + 1 : from;
      const last = cursor.endOfBlock(start, end);
      return { from: start, end: last, after: Math.min(end, last + 1) };
    }
    case 'js':
    case 'php': {
      let last = from;
      while (last < end && !cursor.isSign(last, ';'))
        last = /^[([{]$/.test(cursor.text(last)) && cursor.kind(last) === 'sign' ? cursor.closing(last) + 1 : last + 1;
      return from === header ? undefined : { from, end: Math.min(end, last), after: Math.min(end, last) };
    }
    default:
      return undefined;
  }
}

/** The lines below a line of Python that are indented further, or the rest of the line. */
function indented(cursor: Cursor, at: number, from: number, end: number): Body {
  const isBlock = cursor.startsLine(from);
  const column = columnOf(cursor, at);
  let last = from;
  while (last < end && !(cursor.startsLine(last) && (last > from || !isBlock) && (!isBlock || columnOf(cursor, last) <= column)))
    last =
      cursor.kind(last) === 'sign' && /^[([{]$/.test(cursor.text(last))
        ? Math.max(last, Math.min(end - 1, cursor.closing(last))) + 1
        : last + 1;
  return { from, end: last, after: last };
}

/** Returns the number of blanks before the first word of a line. */
function columnOf({ tokens, code }: Cursor, at: number): number {
  const start = code.lastIndexOf('\n', (tokens[at]?.at ?? 0) - 1) + 1;
  return /^[ \t]*/.exec(code.slice(start, start + 200))?.[0].length ?? 0;
}

/** Binds the names of a loop. The element of a walk has several parts. */
export function bindEach(reader: Evaluator, names: readonly string[], element: Value): void {
  const parts = element.kind === 'list' && names.length > 1 ? element.items : undefined;
  for (const [i, name] of names.slice(0, MOST_NAMES).entries()) {
    const value = parts === undefined ? element : (parts[i] ?? NOTHING);
    reader.bind(name, value);
    if (/\*$/.test(textOf(value) ?? '')) reader.looped.set(name, value);
  }
}
