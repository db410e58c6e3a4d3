/** The operators of other languages that join or choose values. */
import type { Cursor } from './cursor.ts';
import { asText, joined, NOTHING, text, textOf, type Value } from './value.ts';

const LONG = ['||', '&&', '??', '..', '==', '!=', '<=', '>=', '<>', '++', '->', '=>'];
const NO_OPERATOR = /^(?:->|=>)$/;

export function operatorAt(cursor: Cursor, at: number): { readonly sign: string; readonly length: number } | undefined {
  // Texts next to each other are one text.
  if (cursor.kind(at) === 'string' && cursor.flavour === 'python') return { sign: '+', length: 0 };
  if (cursor.kind(at) !== 'sign') return /^(?:or|and)$/.test(cursor.text(at)) ? { sign: cursor.text(at), length: 1 } : undefined;
  const long = LONG.find((sign) => cursor.areSigns(at, sign));
  if (long !== undefined) return NO_OPERATOR.test(long) ? undefined : { sign: long, length: 2 };
  const sign = cursor.text(at);
  if (/^[-+/%*&^?>|]$/.test(sign) || (sign === '<' && cursor.flavour !== 'perl')) return { sign, length: 1 };
  return sign === '.' && /^(?:perl|php)$/.test(cursor.flavour) ? { sign, length: 1 } : undefined;
}

export function combine(left: Value, sign: string, right: Value): Value {
  if (/^(?:\+|\.|\.\.|\+\+|<>)$/.test(sign)) return joined(left, right);
  if (sign === '/' && (textOf(left) !== undefined || textOf(right) !== undefined)) return joined(left, right, '/');
  if (sign === '%' && textOf(left) !== undefined) return formatted(asText(left), right);
  const times =
    sign === '*' && left.kind === 'text' && right.kind === 'text' && /^\d{1,3}$/.test(right.text) ? Number(right.text) : undefined;
  if (times !== undefined) return text(asText(left).repeat(times));
  if (/^(?:\|\||\?\?|or|\?)$/.test(sign)) return left.kind === 'unknown' ? right : left;
  return sign === '&&' || sign === 'and' ? right : NOTHING;
}

/** Fills in the places of `"… %s" % value`. */
function formatted(format: string, value: Value): Value {
  const given = value.kind === 'list' ? value.items : [value];
  let used = 0;
  return text(format.replace(/%(?:\((\w+)\))?[sdr]/g, () => asText(given[used++])));
}
