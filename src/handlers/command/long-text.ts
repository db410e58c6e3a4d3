/**
 * A payload with long strings, as JSON that is written piece by piece. As one text it would be copied twice into memory that nothing has used yet,
 * and that takes longer than writing it.
 */
import type { JsonObject } from '../../core/values/json.ts';

/** Adds what a format wants to a JSON text, outside its strings. */
export type JsonStyle = (json: string) => string;

export class LongText {
  /** The JSON around the long strings: one more than there are strings. */
  readonly #frame: readonly string[];
  readonly #strings: readonly string[];

  constructor(frame: readonly string[], strings: readonly string[]) {
    this.#frame = frame;
    this.#strings = strings;
  }

  /** No JSON of these strings has more bytes. */
  get mostBytes(): number {
    return BYTES_PLAIN * charactersIn(this.#frame) + BYTES_ESCAPED * charactersIn(this.#strings);
  }

  *pieces(): Generator<string> {
    for (const [place, frame] of this.#frame.entries()) {
      yield frame;
      const text = this.#strings[place];
      if (text === undefined) return;
      yield '"';
      for (let at = 0; at < text.length; ) {
        const piece = text.slice(at, endOfPiece(text, at));
        yield JSON.stringify(piece).slice(1, -1);
        at += piece.length;
      }
      yield '"';
    }
  }

  /** For a process that is sent it as JSON. */
  toJSON(): string {
    return [...this.pieces()].join('');
  }
}

/** Undefined if it has no long string, or more parts than are worth a look, or may be longer than the limit. */
export function longText(payload: JsonObject, style: JsonStyle, limitBytes: number): LongText | undefined {
  if (!hasLongString(payload)) return undefined;
  const strings: string[] = [];
  const mark = (_: string, value: unknown): unknown => {
    if (!isLong(value)) return value;
    strings.push(value);
    return MARK;
  };
  let frame: readonly string[];
  try {
    frame = style(JSON.stringify(payload, mark)).split(`"${MARK}"`);
  } catch {
    // Nested too deep; the whole text cannot be written either, and that is reported there.
    return undefined;
  }
  // The payload has the mark as a string of its own.
  if (frame.length !== strings.length + 1) return undefined;
  const text = new LongText(frame, strings);
  return text.mostBytes <= limitBytes ? text : undefined;
}

const MARK = 'hookline:a-long-string';

function hasLongString(payload: JsonObject): boolean {
  const open: object[] = [payload];
  let looks = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    for (const value of Object.values(next)) {
      if (isLong(value)) return true;
      if (++looks > MOST_LOOKS) return false;
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return false;
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length >= LONG;
}

/** Both halves of a character are in the same piece, because half of one is written in another way. */
function endOfPiece(text: string, at: number): number {
  const end = at + PIECE;
  return end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}

function charactersIn(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** From this length on, in characters, the pieces are faster. */
const LONG = 128 * 1024;
/** Also as two bytes for each character, and with its escapes, a piece has room where V8 keeps small values. */
const PIECE = 48 * 1024;
const MOST_LOOKS = 256;
/** JSON in UTF-8 takes no more for a character of a text that is JSON already, and for one that is not. */
const BYTES_PLAIN = 3;
const BYTES_ESCAPED = 6;
