/**
 * A payload with long strings, as JSON that is written piece by piece. As one text it would be copied twice into memory that nothing has used yet,
 * and that takes longer than writing it.
 */
import type { JsonObject } from '../../core/values/json.ts';
import { isLong, type JsonStyle } from './payload.ts';

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

/** Undefined if it may be longer than the limit. For a payload with a long string. */
export function longText(payload: JsonObject, style: JsonStyle, limitBytes: number): LongText | undefined {
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

/** Both halves of a character are in the same piece, because half of one is written in another way. */
function endOfPiece(text: string, at: number): number {
  const end = at + PIECE;
  return end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}

function charactersIn(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Also as two bytes for each character, and with its escapes, a piece has room where V8 keeps small values. */
const PIECE = 48 * 1024;
/** JSON in UTF-8 takes no more for a character of a text that is JSON already, and for one that is not. */
const BYTES_PLAIN = 3;
const BYTES_ESCAPED = 6;
