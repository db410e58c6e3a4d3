/** Checks that every format makes before it parses a text, and limits that bound the cost of a hostile file by its size. */
import type { Position } from '../../core/values/diagnostic.ts';
import type { Document } from '../../core/values/document.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';

export const MAX_FILE_BYTES = 1024 * 1024;
export const MAX_DEPTH = 200;

/** Returns a document with the reason why the text is not parsed; undefined if it may be parsed. */
export function refuse(file: string, text: string): Document | undefined {
  if (text.length > MAX_FILE_BYTES) return tooLarge(file);
  const nul = text.indexOf('\0');
  if (nul < 0) return undefined;
  const at = lineTable(text)(nul);
  return failed(file, at, 'not-text', 'The file has a NUL byte, so it is not text.', 'Save it as UTF-8 text.');
}

export function tooLarge(file: string): Document {
  return failed(file, undefined, 'file-too-large', 'The file is larger than 1 MiB and is not read.', 'Keep only the configuration in it.');
}

export function failed(file: string, at: Position | undefined, code: string, message: string, hint?: string): Document {
  const complaints = problemsIn(file);
  complaints.say('error', code, at, message, hint);
  return { file, diagnostics: complaints.list };
}

export function sayTooDeep(complaints: Problems, at: Position): void {
  complaints.say('error', 'too-deep', at, `The data is nested more than ${MAX_DEPTH} levels deep.`, 'Flatten it.');
}

export function sayDuplicate(complaints: Problems, key: string, at: Position): void {
  complaints.say('warning', 'duplicate-key', at, `\`${key}\` is written twice; the last one counts.`, 'Remove one of them.');
}

/** Returns a number that JSON can write. An infinity or NaN stays the text of the file. */
export function finite(value: number, source: string): number | string {
  return Number.isFinite(value) ? value : source;
}

export function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Returns a function from an offset to line and column, both from 1. */
export function lineTable(text: string, firstLine = 1): (offset: number) => Position {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + firstLine, column: offset - (starts[low] as number) + 1 };
  };
}
