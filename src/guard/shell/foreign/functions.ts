/** The functions in code of another language: their names, parameters and bodies, as far as they can be read from the tokens. */
import type { Ranges } from './ranges.ts';

export interface FunctionRange {
  readonly name: string;
  readonly params: readonly string[];
  /** The token after the body. */
  readonly end: number;
  /** The first token of a body that is one expression. */
  readonly expression?: number;
}

const NOT_METHODS =
  /^(if|for|while|switch|catch|function|with|return|foreach|elseif|until|unless|and|or|not|new|await|typeof|in|of|do|else)$/;

/** Returns the functions by the first token of their body. */
export function functionsIn(ranges: Ranges): ReadonlyMap<number, FunctionRange> {
  const found = new Map<number, FunctionRange>();
  const isIndented = ranges.flavour === 'python' || ranges.flavour === 'ruby';
  for (let at = 0; at < ranges.tokens.length; at++) {
    const [body, range] = (isIndented ? defined(ranges, at) : (arrow(ranges, at) ?? braced(ranges, at))) ?? [];
    if (body !== undefined && range !== undefined) found.set(body, range);
  }
  return found;
}

/** Python and Ruby: the body ends where the text is indented no more than the first line. */
function defined(ranges: Ranges, at: number): readonly [number, FunctionRange] | undefined {
  if (ranges.nameAt(at) !== 'def' || ranges.tokens[at + 1]?.kind !== 'name') return undefined;
  const name = ranges.chainFrom(at + 1);
  const open = name.end;
  const close = ranges.isSign(open, '(') ? (ranges.closingOf(open) ?? open) : open;
  const column = ranges.indentAt(at);
  let end = close + 1;
  while (
    end < ranges.tokens.length &&
    ranges.spend() &&
    (ranges.lineAt(end) === ranges.lineAt(close) || !startsLine(ranges, end) || ranges.indentAt(end) > column)
  )
    end++;
  const params = close > open ? paramsIn(ranges, open, close) : [];
  return [close + 1, { name: name.text.replace(/^self\./, ''), params, end }];
}

function startsLine(ranges: Ranges, at: number): boolean {
  return ranges.lineAt(at - 1) !== ranges.lineAt(at);
}

function arrow(ranges: Ranges, at: number): readonly [number, FunctionRange] | undefined {
  if (!(ranges.isSign(at, '=') && ranges.isSign(at + 1, '>'))) return undefined;
  const close = at - 1;
  const open = ranges.isSign(close, ')') ? ranges.openingOf(close) : undefined;
  const params = open === undefined ? [ranges.nameAt(close)] : paramsIn(ranges, open, close);
  const start = (open ?? close) - (ranges.nameAt((open ?? close) - 1) === 'async' ? 2 : 1);
  const name = ranges.isSign(start, '=') ? ranges.nameAt(start - 1) : '';
  return bodyAt(ranges, at + 2, name, params);
}

function braced(ranges: Ranges, at: number): readonly [number, FunctionRange] | undefined {
  if (!ranges.isSign(at, '(')) return undefined;
  const close = ranges.closingOf(at);
  if (close === undefined) return undefined;
  const before = ranges.nameAt(at - 1);
  const isFunction = /^(function|sub)$/.test(before) || /^(function|sub)$/.test(ranges.nameAt(at - 2));
  if (!isFunction && (before === '' || NOT_METHODS.test(before))) return undefined;
  let body = close + 1;
  // A result type: `function f(a: string): Promise<string> {`.
  if (ranges.isSign(body, ':')) while (body < close + 12 && !ranges.isSign(body, '{') && !ranges.isSign(body, ';')) body++;
  if (!ranges.isSign(body, '{')) return undefined;
  const named = ranges.isSign(at - 2, '=') ? ranges.nameAt(at - 3) : '';
  return bodyAt(ranges, body, /^(function|sub)$/.test(before) ? named : before, paramsIn(ranges, at, close));
}

function bodyAt(ranges: Ranges, at: number, name: string, params: readonly string[]): readonly [number, FunctionRange] {
  const close = ranges.isSign(at, '{') ? ranges.closingOf(at) : undefined;
  if (close !== undefined) return [at, { name, params, end: close + 1 }];
  return [at, { name, params, end: ranges.expressionEnd(at, true), expression: at }];
}

function paramsIn(ranges: Ranges, open: number, close: number): readonly string[] {
  return ranges
    .split(open + 1, close)
    .flatMap(([from, end]) => ranges.tokens.slice(from, end).find(({ kind }) => kind === 'name')?.text ?? [])
    .filter((name) => name !== 'self');
}
