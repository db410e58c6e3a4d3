/**
 * Folds letter case. One code unit becomes one code unit, so lengths and positions stay the same. It folds every character that a
 * case-insensitive ASCII letter can match in Unicode (A-Z, the long s and the Kelvin sign) and no others; `toLowerCase` folds more.
 */

const LONG_S = 0x17f;
const KELVIN = 0x212a;
const NOT_ASCII = /[^\0-\x7f]/;
const FOLDED = /[A-Z\u017f\u212a]/g;

export function foldUnit(unit: number): number {
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
  return unit === LONG_S ? 0x73 : unit === KELVIN ? 0x6b : unit;
}

export function foldCase(text: string): string {
  return NOT_ASCII.test(text) ? text.replace(FOLDED, (letter) => String.fromCharCode(foldUnit(letter.charCodeAt(0)))) : text.toLowerCase();
}
