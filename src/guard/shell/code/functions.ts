/** Functions without a name in code of other languages: their parameters and bodies. */
import type { Cursor } from './cursor.ts';
import type { Value } from './value.ts';

interface Made {
  readonly value: Value;
  readonly end: number;
}

/** Reads `x => …`, `(x) => …`, `function (x) { … }`, `lambda x: …`, `sub { … }` and `fn x -> … end`. */
export function functionAt(cursor: Cursor, at: number, end: number): Made | undefined {
  const word = cursor.isName(at) ? cursor.text(at) : '';
  if (word === 'lambda' && cursor.flavour === 'python') return lambda(cursor, at, end);
  if (word === 'sub' && cursor.isSign(at + 1, '{')) return bodyAt(cursor, at + 1, []);
  if (cursor.flavour === 'ruby' && cursor.areSigns(at, '->')) return stabby(cursor, at + 2, end);
  const open = /^(?:function|fn|func)$/.test(word) ? openAfter(cursor, at) : cursor.isSign(at, '(') ? at : undefined;
  const close = open === undefined ? undefined : cursor.closing(open);
  const arrow = close === undefined ? at + 1 : close + 1;
  const isArrow = cursor.areSigns(arrow, '=>') && (close !== undefined || cursor.isName(at)) && /^(?:js|other|php)$/.test(cursor.flavour);
  const body = isArrow ? arrow + 2 : close !== undefined && open !== at ? close + 1 : undefined;
  if (body === undefined || body >= end) return undefined;
  const params = close === undefined || open === undefined ? [word] : paramsIn(cursor, open, close);
  if (cursor.isSign(body, '{')) return bodyAt(cursor, body, params);
  const last = isArrow ? Math.min(end, cursor.expressionEnd(body)) : undefined;
  return last === undefined ? undefined : { value: { kind: 'code', params, from: body, end: last }, end: last };
}

function lambda(cursor: Cursor, at: number, end: number): Made {
  let body = at + 1;
  const params: string[] = [];
  for (; body < end && !cursor.isSign(body, ':'); body++) if (cursor.isName(body)) params.push(cursor.text(body));
  const last = Math.min(end, cursor.expressionEnd(body + 1));
  return { value: { kind: 'code', params, from: body + 1, end: last }, end: last };
}

/** `->(x) { … }` and `-> { … }` of Ruby. */
function stabby(cursor: Cursor, at: number, end: number): Made | undefined {
  const close = cursor.isSign(at, '(') ? cursor.closing(at) : at - 1;
  const made = blockAt(cursor, close + 1, end);
  if (made === undefined || made.value.kind !== 'code') return undefined;
  return close < at ? made : { ...made, value: { ...made.value, params: paramsIn(cursor, at, close) } };
}

function openAfter(cursor: Cursor, at: number): number | undefined {
  for (let open = at + 1; open < at + 4; open++) if (cursor.isSign(open, '(')) return open;
  return undefined;
}

function bodyAt(cursor: Cursor, open: number, params: readonly string[]): Made {
  const close = cursor.closing(open);
  return { value: { kind: 'code', params, from: open + 1, end: close }, end: close + 1 };
}

export function paramsIn(cursor: Cursor, open: number, close: number): readonly string[] {
  const params: string[] = [];
  for (let at = open + 1; at < close; at++) {
    // An object is taken apart: its members are kept in one parameter.
    if (cursor.flavour === 'js' && cursor.isSign(at, '{') && /^[,(]$/.test(cursor.text(at - 1))) {
      const end = cursor.closing(at);
      params.push(cursor.tokens.slice(at, end).reduce((all, { text }) => all + text, ''));
      at = end;
      continue;
    }
    if (cursor.isName(at) && isRest(cursor, at)) {
      params.push(`...${cursor.text(at)}`);
      continue;
    }
    const starts = at === open + 1 || /^[,({[*&$]$/.test(cursor.text(at - 1)) || cursor.kind(at - 1) === 'name';
    if (cursor.isName(at) && starts) params.push(cursor.text(at));
  }
  return params.filter((name) => name !== 'self' && name !== '$this');
}

/** Reads a block of Ruby or Perl after a call: `{ |x| … }`, `do |x| … end`. */
export function blockAt(cursor: Cursor, at: number, end: number): Made | undefined {
  if (cursor.flavour !== 'ruby' && cursor.flavour !== 'other') return undefined;
  const brace = cursor.isSign(at, '{') && cursor.flavour === 'ruby';
  if (!brace && !cursor.isName(at, 'do')) return undefined;
  const close = brace ? cursor.closing(at) : cursor.endOfBlock(at + 1, end);
  let body = at + 1;
  const params: string[] = [];
  if (cursor.isSign(body, '|')) {
    for (body++; body < close && !cursor.isSign(body, '|'); body++) if (cursor.isName(body)) params.push(cursor.text(body));
    body++;
  }
  return { value: { kind: 'code', params, from: body, end: close }, end: close + 1 };
}

/** Returns the clauses of a comprehension of Python: `… for x in list if condition`. */
export function clausesOf(cursor: Cursor, from: number, end: number): readonly { readonly word: string; readonly at: number }[] {
  const clauses: { word: string; at: number }[] = [];
  let depth = 0;
  for (let at = from; at < end; at++) {
    const word = cursor.text(at);
    if (cursor.kind(at) === 'sign') depth += /^[([{]$/.test(word) ? 1 : /^[)\]}]$/.test(word) ? -1 : 0;
    if (depth === 0 && at > from && cursor.isName(at) && (word === 'for' || word === 'if')) clauses.push({ word, at });
  }
  return clauses;
}

/** Returns whether a parameter takes all other arguments: `*rest` of Python, `...rest` of JavaScript. */
function isRest(cursor: Cursor, at: number): boolean {
  if (cursor.flavour === 'python') return cursor.isSign(at - 1, '*') && /^[,(]$/.test(cursor.text(at - 2));
  return cursor.flavour === 'js' && cursor.areSigns(at - 3, '...');
}

/** Marks the parameter that takes all other arguments. */
export function withRest(cursor: Cursor, open: number, params: readonly string[]): readonly string[] {
  if (!cursor.isSign(open, '(')) return params;
  const close = cursor.closing(open);
  for (let at = open + 1; at < close; at++) {
    if (!cursor.isName(at) || !isRest(cursor, at)) continue;
    const name = cursor.text(at);
    return [...params.filter((param) => param !== name), `...${name}`];
  }
  return params;
}
