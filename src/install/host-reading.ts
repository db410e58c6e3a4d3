/**
 * Reads an agent's file as the agent does. Hookline reads comments and trailing commas everywhere; an agent with a stricter parser drops the
 * whole file, and with it every hook. So a file counts only if the agent's own parser would accept it.
 */
import { createScanner } from 'jsonc-parser';
import type { FileReading, Flaw } from '../core/contracts/file-reading.ts';
import type { Host } from '../core/contracts/host.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { lineTable } from '../load/formats/intake.ts';
import { parseJson } from '../load/formats/json.ts';
import type { ConfigFile } from './config-file.ts';

/** Returns why the agent drops this file; undefined if it reads it, or has no file yet. */
export function droppedBy({ title, entry: { reads } }: Host, { file, text, bom }: ConfigFile): Diagnostic | undefined {
  if (reads === null || text === undefined || text.trim() === '') return undefined;
  const { why, at: place } =
    (bom && !reads.bom ? BOM : undefined) ?? (file.endsWith('.json') ? flawIn(file, text, reads) : undefined) ?? {};
  if (why === undefined) return undefined;
  const message = `${title} drops this whole file and runs no hook of it: ${why}.`;
  return { severity: 'error', code: 'dropped-file', file, ...place, message, hint: `Remove that, so that ${title} can read the file.` };
}

const BOM: Flaw = { why: 'it begins with a byte order mark', at: { line: 1, column: 1 } };

/** The parser of JSON does not always name a place. */
function flawIn(file: string, text: string, reads: FileReading): Partial<Flaw> | undefined {
  const { comments, commas } = looseParts(text);
  const placeOf = lineTable(text);
  const [comment, comma] = [comments[0], commas[0]];
  if (comment && reads.comments === 'refused') return { why: 'it has a comment', at: placeOf(comment.start) };
  if (comma && !reads.trailingCommas) return { why: 'it has a comma after the last item', at: placeOf(comma.start) };
  const accepted = blank(text, [...comments, ...commas]);
  if (accepted.trim() === '') return undefined;
  const seen = reads.comments === 'everywhere' ? withoutMarks(accepted) : accepted;
  try {
    JSON.parse(seen);
  } catch (error) {
    if (seen !== accepted)
      return { why: 'it has `//` or `/*` within a text, and takes the rest for a comment', at: placeOf(firstChange(seen, accepted)) };
    return { why: `it is no JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  return reads.drops?.(parseJson(file, accepted));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns what strict JSON does not have: comments, and commas before a closing bracket. */
function looseParts(text: string): { readonly comments: readonly Span[]; readonly commas: readonly Span[] } {
  const scanner = createScanner(text);
  const [comments, commas]: [Span[], Span[]] = [[], []];
  let comma: Span | undefined;
  for (let token = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const span = { start, end: start + scanner.getTokenLength() };
    if (TOKEN.comments.includes(token)) comments.push(span);
    else if (!TOKEN.space.includes(token)) {
      if (comma && TOKEN.closing.includes(token)) commas.push(comma);
      comma = token === TOKEN.comma ? span : undefined;
    }
  }
  return { comments, commas };
}

/** The kinds of tokens as the library numbers them. Its own names exist only for the compiler. */
const TOKEN = { closing: [2, 4], comma: 5, comments: [12, 13], space: [14, 15], end: 17 };

/** Keeps the offsets. */
function blank(text: string, spans: readonly Span[]): string {
  const ordered = [...spans].sort((a, b) => a.start - b.start);
  let [result, from] = ['', 0];
  for (const { start, end } of ordered) {
    result += text.slice(from, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ');
    from = end;
  }
  return result + text.slice(from);
}

function withoutMarks(text: string): string {
  return text.replace(/\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');
}

function firstChange(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
