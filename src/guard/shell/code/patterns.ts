/** Values that are taken apart: `{ a, b: { c } } = value`, `[, a] = value` and parameters such as `{ a, b: c }`. */
import { environmentValue, isEnvironment } from './constants.ts';
import type { Evaluator } from './evaluator.ts';
import { chain, list, NOTHING, type Value } from './value.ts';

const [MOST_NAMES, MOST_DEPTH] = [64, 6];

/** `{ a, b: c } = value`, `[a, b] = value` and `my ($a, $b) = …`. */
export function destructured(reader: Evaluator, at: number, end: number): number | undefined {
  const { cursor } = reader;
  if (!(cursor.isSign(at, '{') || cursor.isSign(at, '[') || cursor.isSign(at, '('))) return undefined;
  const close = cursor.closing(at);
  if (close >= end || !cursor.isSign(close + 1, '=') || cursor.areSigns(close + 1, '==') || cursor.areSigns(close + 1, '=>'))
    return undefined;
  const { value, end: after } = reader.expression(close + 2, end, 0);
  bindPattern(reader, at, value, 0);
  return Math.max(after, close + 2);
}

/** Binds the names in the brackets at a token. */
function bindPattern(reader: Evaluator, open: number, value: Value, depth: number): void {
  const { cursor } = reader;
  const close = cursor.closing(open);
  let place = 0;
  for (let at = open + 1, bound = 0; at < close && bound < MOST_NAMES; bound++) {
    const start = at;
    while (at < close && !cursor.isSign(at, ',')) at = isOpen(reader, at) ? cursor.closing(at) + 1 : at + 1;
    if (at > start) bindMember(reader, { open, start, end: at, place }, value, depth);
    at++;
    place++;
  }
}

interface Member {
  readonly open: number;
  readonly start: number;
  readonly end: number;
  readonly place: number;
}

function bindMember(reader: Evaluator, { open, start, end, place }: Member, value: Value, depth: number): void {
  const { cursor } = reader;
  const isRest = cursor.areSigns(start, '...') || cursor.isSign(start, '*');
  const from = isRest ? start + (cursor.isSign(start, '*') ? 1 : 3) : start;
  if (!cursor.isSign(open, '{')) {
    const own = isRest ? list(value.kind === 'list' ? value.items.slice(place) : []) : elementAt(value, place);
    if (isOpen(reader, from) && depth < MOST_DEPTH) bindPattern(reader, from, own, depth + 1);
    else if (cursor.isName(from)) reader.bind(cursor.text(from), own);
    return;
  }
  // `{ ['name']: own }`.
  const computed = cursor.isSign(from, '[') ? cursor.closing(from) : undefined;
  const key = computed === undefined ? cursor.text(from) : keyText(reader, from);
  const colon = (computed ?? from) + 1;
  const own = isRest ? value : memberValue(value, key);
  if (!cursor.isSign(colon, ':')) reader.bind(key, own);
  else if (isOpen(reader, colon + 1) && depth < MOST_DEPTH) bindPattern(reader, colon + 1, own, depth + 1);
  else if (colon + 1 < end && cursor.isName(colon + 1)) reader.bind(cursor.text(colon + 1), own);
}

function isOpen({ cursor }: Evaluator, at: number): boolean {
  return cursor.isSign(at, '{') || cursor.isSign(at, '[') || cursor.isSign(at, '(');
}

function keyText(reader: Evaluator, open: number): string {
  const { value } = reader.expression(open + 1, reader.cursor.closing(open), 0);
  return value.kind === 'text' ? value.text : '';
}

function elementAt(value: Value, place: number): Value {
  return value.kind === 'list' ? (value.items[place] ?? NOTHING) : NOTHING;
}

/** Binds what a parameter such as `{a,b:c}` takes from an object. */
export function bindMembers(reader: Evaluator, param: string, value: Value): void {
  // `*rest` of Python and `...rest` of JavaScript.
  if (param.startsWith('.')) reader.bind(param.slice(3), value);
  for (const member of param.slice(1).split(',').slice(0, MOST_NAMES)) {
    const [key = '', own = key] = member.split(/[:=]/);
    if (/^[\w$]+$/.test(own)) reader.bind(own, memberValue(value, key));
  }
}

function memberValue(value: Value, key: string): Value {
  if (value.kind === 'dict') return value.entries.get(key) ?? NOTHING;
  if (value.kind !== 'chain') return NOTHING;
  return isEnvironment(value.chain) ? environmentValue(key) : chain(`${value.chain}.${key}`);
}
