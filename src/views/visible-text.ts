/** Makes foreign text safe to keep and to show: one line, every control character visible, and a bounded length. */

/** Controls, formats (also bidirectional marks and zero-width characters), line separators, halves of pairs, and other characters without a shape. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
/** Most texts have none of these, and this look is cheap. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Returns the text on one line, with at most `most` characters. */
export function visibleLine(text: string, most: number): string {
  // Only the part that is kept is read, because a character becomes longer here and never shorter.
  const short = text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text;
  const shown = PLAIN.test(short) ? short : short.replace(INVISIBLE, visible);
  return text.length > most || shown.length > most ? `${shown.slice(0, most - 1).toWellFormed()}…` : shown;
}

function visible(char: string): string {
  const code = char.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
