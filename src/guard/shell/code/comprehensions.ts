/** Comprehensions of Python: `[f(x) for x in list if condition]`. */
import type { Evaluator } from './evaluator.ts';
import { clausesOf } from './functions.ts';
import { bindEach } from './loops.ts';
import { runStatement } from './statements.ts';
import { list, textOf, type Value } from './value.ts';

const MOST_ITEMS = 256;

/**
 * Returns the elements of a comprehension over a list whose items are known. Of all others the names are bound, so that the element can be
 * evaluated once.
 */
export function comprehended(reader: Evaluator, open: number, close: number, depth: number): Value | undefined {
  const { cursor } = reader;
  if (cursor.flavour !== 'python') return undefined;
  const clauses = clausesOf(cursor, open + 1, close);
  const [first] = clauses;
  if (first === undefined) return undefined;
  const items =
    clauses.length === 1 && cursor.isName(first.at + 1) && cursor.isName(first.at + 2, 'in') ? itemsOf(reader, first.at, close) : [];
  if (items.length > 1)
    return list(
      items.map((item) => {
        bindEach(reader, [cursor.text(first.at + 1)], item);
        return reader.expression(open + 1, first.at, depth + 1).value;
      }),
    );
  for (const { at } of clauses) runStatement(reader, at, close);
  // A condition can leave another value in a name. One that asks for a part of a name selects some of the files.
  const selects = clauses.some(({ word, at }) => word === 'if' && asksName(reader, at, close));
  if (!selects && clauses.some(({ word }) => word === 'if'))
    for (const { word, at } of clauses) if (word === 'for') runStatement(reader, at, close);
  return undefined;
}

/** Returns the items that a loop goes over if all of them are texts. */
function itemsOf(reader: Evaluator, at: number, close: number): readonly Value[] {
  const { value } = reader.expression(at + 3, close, 0);
  const items = value.kind === 'list' ? value.items.slice(0, MOST_ITEMS) : [];
  return items.every((item) => textOf(item) !== undefined && !/[*?]$/.test(textOf(item) ?? '')) ? items : [];
}

/** Returns whether a condition is a plain `name.endswith("…")` or `name.startswith("…")` with a text in it. */
function asksName({ cursor }: Evaluator, at: number, close: number): boolean {
  const negates = cursor.isName(at + 1, 'not');
  const name = at + 1;
  return (
    !negates &&
    cursor.isName(name) &&
    cursor.isSign(name + 1, '.') &&
    /^(?:endswith|startswith)$/.test(cursor.text(name + 2)) &&
    cursor.isSign(name + 3, '(') &&
    cursor.kind(name + 4) === 'string' &&
    /^[^/~].*\w/.test(cursor.text(name + 4)) &&
    cursor.closing(name + 3) === name + 5 &&
    (name + 6 === close || cursor.isName(name + 6, 'and'))
  );
}
