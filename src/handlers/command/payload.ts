/** The payload in the spelling a dialect's scripts expect, and whether it fits the channel it goes through. */

import type { Ask } from '../../core/meaning/profile.ts';
import type { JsonObject } from '../../core/values/json.ts';

/** Adds what a format wants to a JSON text, outside its strings. */
export type JsonStyle = (json: string) => string;

const STYLES: Readonly<Record<Ask['command']['json'], JsonStyle>> = {
  compact: (json) => json,
  spaced: spaceOut,
  line: (json) => `${json}\n`,
};

export function jsonStyle(style: Ask['command']['json']): JsonStyle {
  return STYLES[style];
}

/** From this length on, in characters, a string is faster written in pieces. */
const LONG = 128 * 1024;
const MOST_LOOKS = 256;

/** False also if the payload has more parts than are worth a look. */
export function hasLongString(payload: JsonObject): boolean {
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

export function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length >= LONG;
}

/** Linux takes no longer environment string: `NAME=value` and the NUL at its end. */
export const ENV_STRING_BYTES = 131_072;

export function fitsEnvironment(name: string, value: string): boolean {
  return Buffer.byteLength(name) + Buffer.byteLength(value) + 2 <= ENV_STRING_BYTES;
}

/**
 * A space after every `:` and `,` that is not in a string: scripts that search for `"command": "` rely on it. Works from string to
 * string, so it takes linear time and no stack however the payload is nested.
 */
export function spaceOut(json: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const open = json.indexOf('"', at);
    if (open < 0) break;
    const close = endOfString(json, open);
    parts.push(spaceMarks(json.slice(at, open)), json.slice(open, close));
    at = close;
  }
  parts.push(spaceMarks(json.slice(at)));
  return parts.join('');
}

function spaceMarks(structure: string): string {
  return structure.replace(/[:,]/g, '$& ');
}

/** One past the closing quote: the first with an even number of backslashes before it. */
function endOfString(json: string, open: number): number {
  let quote = json.indexOf('"', open + 1);
  while (quote > 0 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote < 0 ? json.length : quote + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json[first - 1] === '\\') first -= 1;
  return (quote - first) % 2 === 1;
}
