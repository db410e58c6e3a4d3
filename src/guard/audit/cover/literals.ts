/** Tells code from texts and comments in other languages. Positions stay the same, so everything that is found has its line. */

export type Language = 'js' | 'python' | 'ruby' | 'perl' | 'php' | 'lua' | 'awk';

export interface Literal {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Whether the text contains expressions, whose values are unknown. */
  readonly open: boolean;
}

export interface MaskedCode {
  /** The code with blanks in place of texts and comments. The quotes remain. */
  readonly code: string;
  readonly literals: readonly Literal[];
}

const BY_ENDING: readonly (readonly [RegExp, Language])[] = [
  [/\.pyw?$/, 'python'],
  [/\.[cm]?[jt]sx?$/, 'js'],
  [/\.(rb|rake|gemspec)$|(^|\/)Rakefile$/, 'ruby'],
  [/\.(p[lm]|t)$/, 'perl'],
  [/\.php$/, 'php'],
  [/\.lua$/, 'lua'],
  [/\.awk$/, 'awk'],
];
const BY_PROGRAM: readonly (readonly [RegExp, Language])[] = [
  [/\b(python|pypy|uv\b)/, 'python'],
  [/\b(node|nodejs|bun|deno|tsx|ts-node)\b/, 'js'],
  [/\bruby/, 'ruby'],
  [/\bperl/, 'perl'],
  [/\bphp/, 'php'],
  [/\blua/, 'lua'],
  [/\b[gmn]?awk\b/, 'awk'],
];

/** Returns the language of a file by its first line or its name. Undefined: it is not one of these. */
export function languageOf(path: string, body: string): Language | undefined {
  const line = body.startsWith('#!') ? (body.split('\n', 1)[0] ?? '') : '';
  return languageRunBy(line) ?? BY_ENDING.find(([ending]) => ending.test(path))?.[1];
}

/** Returns the language that a program runs. */
export function languageRunBy(program: string): Language | undefined {
  return BY_PROGRAM.find(([name]) => name.test(program))?.[1];
}

const LINE_COMMENT: Readonly<Record<Language, RegExp>> = {
  js: /\/\//y,
  python: /#/y,
  ruby: /#/y,
  perl: /#/y,
  php: /\/\/|#(?!\[)/y,
  lua: /--/y,
  awk: /#/y,
};
const MOST_BYTES = 512 * 1024;

export function maskCode(code: string, language: Language): MaskedCode {
  const shown = code.slice(0, MOST_BYTES);
  const chars = [...shown.split('')];
  const literals: Literal[] = [];
  const blank = (from: number, to: number): void => {
    for (let i = from; i < to; i++) if (chars[i] !== '\n') chars[i] = ' ';
  };
  let before = '';
  for (let at = 0; at < shown.length; ) {
    // Most characters begin neither a comment nor a text.
    if (isWordCharacter(shown.charCodeAt(at))) {
      before = shown[at++] ?? '';
      continue;
    }
    const after = commentEnd(shown, at, language) ?? patternEnd(shown, at, language, before);
    if (after !== undefined) {
      blank(at, after);
      at = after;
      continue;
    }
    const literal = literalAt(shown, at, language);
    if (literal) {
      blank(literal.start + 1, literal.end - 1);
      literals.push(literal);
      at = literal.end;
      before = '"';
      continue;
    }
    const char = shown[at] ?? '';
    if (!/\s/.test(char)) before = char;
    at++;
  }
  return { code: chars.join(''), literals };
}

function isWordCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

function commentEnd(code: string, at: number, language: Language): number | undefined {
  if ((language === 'js' || language === 'php') && code.startsWith('/*', at)) return endAfter(code, '*/', at + 2);
  if (language === 'lua' && code.startsWith('--[[', at)) return endAfter(code, ']]', at + 4);
  if (language === 'ruby' && code.startsWith('=begin', at) && (at === 0 || code[at - 1] === '\n')) return endAfter(code, '\n=end', at);
  const sign = LINE_COMMENT[language];
  sign.lastIndex = at;
  // In `$#list` and `s#a#b#` the sign is no comment.
  if (!sign.test(code) || (language === 'perl' && /[$\w]/.test(code[at - 1] ?? ''))) return undefined;
  const end = code.indexOf('\n', at);
  return end === -1 ? code.length : end;
}

/** Returns the end of a pattern such as `/"/`, because a quote in it starts no text. */
function patternEnd(code: string, at: number, language: Language, before: string): number | undefined {
  if (code[at] !== '/' || (language !== 'js' && language !== 'ruby') || !/^[(,=:[!&|?{};~]?$/.test(before)) return undefined;
  const found = /^\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//.exec(code.slice(at, at + 1000));
  return found ? at + found[0].length : undefined;
}

function literalAt(code: string, at: number, language: Language): Literal | undefined {
  const quote = code[at] ?? '';
  if (language === 'awk' && quote !== '"') return undefined;
  if (quote !== '"' && quote !== "'" && (quote !== '`' || language === 'python' || language === 'lua')) return undefined;
  const mark = language === 'python' && code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  const isLine = mark.length === 1 && quote !== '`' && (language === 'js' || language === 'python' || language === 'lua');
  let end = at + mark.length;
  while (end < code.length && !code.startsWith(mark, end)) {
    if (isLine && code[end] === '\n') return undefined;
    end += code[end] === '\\' ? 2 : 1;
  }
  if (end >= code.length) return undefined;
  const text = code.slice(at + mark.length, end).replace(/\\(["'`\\/])/g, '$1');
  return { start: at, end: end + mark.length, text, open: isOpen(text, quote, prefixOf(code, at), language) };
}

function prefixOf(code: string, at: number): string {
  return /[A-Za-z]{0,2}$/.exec(code.slice(Math.max(0, at - 2), at))?.[0] ?? '';
}

function isOpen(text: string, quote: string, prefix: string, language: Language): boolean {
  if (language === 'js') return quote === '`' && text.includes('${');
  if (language === 'python') return /f/i.test(prefix) && /\{/.test(text);
  if (quote === "'" || language === 'lua' || language === 'awk') return false;
  return language === 'ruby' ? text.includes('#{') : /[$@]\{?\w/.test(text);
}

function endAfter(code: string, mark: string, from: number): number {
  const at = code.indexOf(mark, from);
  return at === -1 ? code.length : at + mark.length;
}

export function lineAt(code: string, at: number): number {
  let line = 1;
  for (let i = code.indexOf('\n'); i !== -1 && i < at; i = code.indexOf('\n', i + 1)) line++;
  return line;
}

/** Returns the position after the bracket that closes the one at `open`. */
export function closingOf(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    const char = code[at] ?? '';
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && --depth === 0) return at + 1;
  }
  return code.length;
}

/** Splits a part of masked code at the commas of its own level. */
export function elementsOf(code: string, from: number, to: number): readonly (readonly [start: number, end: number])[] {
  const parts: [number, number][] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < to; at++) {
    const char = code[at] ?? '';
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if (char === ',' && depth === 0) {
      parts.push([start, at]);
      start = at + 1;
    }
  }
  if (code.slice(start, to).trim() !== '') parts.push([start, to]);
  return parts;
}
