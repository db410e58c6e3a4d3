/** Checks that every format makes before it parses a text, and limits that bound the cost of a hostile file by its size. */
import type { Format } from '../../core/contracts/dialect.ts';
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
  const problems = problemsIn(file);
  problems.report('error', code, at, message, hint);
  return { file, diagnostics: problems.list };
}

type Parse = (file: string, text: string) => Document | Promise<Document>;

/** Turns an exception of a parser into an error of its file, so that one bad file never affects another. */
export function contained(parse: Parse): Parse {
  return (file, text) => {
    try {
      const parsed = parse(file, text);
      return parsed instanceof Promise ? parsed.catch((error) => unparsed(file, error)) : parsed;
    } catch (error) {
      return unparsed(file, error);
    }
  };
}

function unparsed(file: string, error: unknown): Document {
  // Only data that is nested without end fills the stack.
  if (error instanceof RangeError) return failed(file, undefined, 'too-deep', 'The data is nested too deep to be read.', 'Flatten it.');
  const message = `Hookline cannot parse this file: ${error instanceof Error ? error.message : String(error)}`;
  return failed(file, undefined, 'internal', message, 'This is a bug in Hookline. Report it together with the file.');
}

/** The code of the warning about a file without any text. */
export const EMPTY_FILE = 'empty-file';

/** An empty hook file is no error, but hardly what its author wants. Empty TOML is a document like any other. */
export function sayEmpty(document: Document, text: string, format: Format): Document {
  if (document.root || format === 'toml' || text.trim() !== '') return document;
  const { file } = document;
  const message = 'The file is empty, so no hook is read from it.';
  return { file, diagnostics: [{ severity: 'warning', code: EMPTY_FILE, file, message, hint: 'Write the hooks, or remove the file.' }] };
}

export function sayTooDeep(problems: Problems, at: Position): void {
  problems.report('error', 'too-deep', at, `The data is nested more than ${MAX_DEPTH} levels deep.`, 'Flatten it.');
}

export function sayDuplicate(problems: Problems, key: string, at: Position): void {
  problems.report('warning', 'duplicate-key', at, `\`${key}\` is written twice; the last one counts.`, 'Remove one of them.');
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
