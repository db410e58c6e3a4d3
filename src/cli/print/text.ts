/** Makes foreign text safe to print: it cannot control the terminal, imitate another line, or exceed the width. */
import path from 'node:path';

/** Keeps line breaks and tabs. Every other control character and every bidirectional mark becomes visible. */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(DANGEROUS, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** Does the same on one line. */
export function oneLine(text: string): string {
  return harmless(text.trim())
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replace(/\t/g, ' ');
}

/** Returns the number of columns that a text takes. Colours take none. */
export function widthOf(text: string): number {
  // Built on first use, because compiling the Unicode classes costs more than the rest of this file.
  const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
  const narrow = /\p{Mn}|[\u200b\u200c]|\u200d/u;
  let width = 0;
  for (const char of text.replace(COLOUR, '')) width += wide.test(char) ? 2 : narrow.test(char) ? 0 : 1;
  return width;
}

/** Cuts the text to at most `width` columns and marks the cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const char of text) {
    used += widthOf(char);
    if (used > width - 1) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Cuts between words if that keeps at least half of the room. */
export function cutWords(text: string, width: number): string {
  const short = cut(text, width);
  if (short === text) return text;
  const space = short.lastIndexOf(' ');
  return space > short.length / 2 ? `${short.slice(0, space).trimEnd()}…` : short;
}

/** Wraps text to `width` with an indent, between words only. */
export function block(text: string, indent: string, width: number): string {
  return harmless(text.trim())
    .split('\n')
    .flatMap((line) => wrap(line, indent, indent, width))
    .join('\n');
}

/** Wraps every line that is too long, between words only. The rest of such a line is indented more than its beginning. */
export function fit(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= width ? [line] : wrap(line, '', `${/^ */.exec(line)?.[0] ?? ''}  `, width)))
    .join('\n');
}

/** Puts parts in a row, as many on a line as fit. A part is divided only if it is longer than a line. */
export function flow(parts: readonly string[], indent: string, width: number): string {
  const lines: string[] = [];
  for (const part of parts.filter((one) => one !== '')) {
    const joined = `${lines.at(-1) ?? ''} · ${part}`;
    if (lines.length > 0 && widthOf(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(...wrap(part, indent, indent, width));
  }
  return lines.join('\n');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const DANGEROUS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const COLOUR = /\x1b\[\d+m/g;

/** Scripts without spaces may be divided at every character. */
const WORDS = /[ ]+|[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[^ \u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]+/g;

/** A word is never divided, because a divided id or path cannot be copied. One that needs more room than is left gets a smaller indent. */
function wrap(line: string, first: string, others: string, width: number): string[] {
  const lines: string[] = [];
  const starting = (indent: string, word: string): string =>
    `${' '.repeat(Math.max(0, Math.min(indent.length, width - widthOf(word))))}${word}`;
  let current: string | undefined;
  let gap = '';
  for (const word of line.match(WORDS) ?? ['']) {
    if (word.startsWith(' ')) gap = word;
    else {
      if (current === undefined) current = starting(first + gap, word);
      else if (widthOf(current) + gap.length + widthOf(word) <= width) current += gap + word;
      else {
        lines.push(current);
        current = starting(others, word);
      }
      gap = '';
    }
  }
  return [...lines, current ?? ''];
}

export interface Where {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Returns a place as `file:line:column`. Files below the working directory have a relative path. */
export function placeText({ file, line, column }: Where): string {
  if (file === undefined) return '';
  return `${shortName(file)}${line === undefined ? '' : `:${line}`}${line === undefined || column === undefined ? '' : `:${column}`}`;
}

export function shortName(file: string): string {
  const relative = path.isAbsolute(file) ? path.relative(process.cwd(), file) : file;
  return harmless(relative === '' || relative.startsWith('..') ? file : relative).replaceAll('\n', '␊');
}
