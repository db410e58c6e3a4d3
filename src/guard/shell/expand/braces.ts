/** Brace expansion as the shell does it: on the text of a word, before all other expansions, with a limit. */
import { leaveOut, spend } from '../../limits.ts';
import { UNKNOWN } from '../marks.ts';

const MOST_WORDS = 4096;
const MOST_SOURCE = 32 * 1024;
const MOST_TEXT = 256 * 1024;
const MOST_DEPTH = 64;
const MOST_LISTED = 1024;

/** Returns the words that `text` expands to. Without an expanding brace, that is `text` itself. */
export function expandBraces(text: string, depth = 0): readonly string[] {
  spend(1 + text.length / 64);
  if (depth > MOST_DEPTH || text.length > MOST_SOURCE) {
    if (text.includes('{')) leaveOut(`braces are longer than ${MOST_SOURCE} characters or nested deeper than ${MOST_DEPTH} levels`);
    return [text];
  }
  const group = firstGroup(text);
  if (group === undefined) return [text];
  const tails = expandBraces(text.slice(group.end), depth + 1);
  const words: string[] = [];
  let size = 0;
  for (const item of group.items.flatMap((each) => expandBraces(each, depth + 1))) {
    for (const tail of tails) {
      const word = text.slice(0, group.start) + item + tail;
      size += word.length;
      if (words.length >= MOST_WORDS || (size > MOST_TEXT && words.length > 0)) {
        leaveOut(`braces stand for more than ${MOST_WORDS} words or ${MOST_TEXT} characters`);
        return words;
      }
      words.push(word);
    }
  }
  return words;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
}

function firstGroup(text: string): Group | undefined {
  for (let at = 0; at < text.length; at = step(text, at)) {
    if (text[at] !== '{') continue;
    const group = readGroup(text, at);
    if (group) return group;
  }
  return undefined;
}

function readGroup(text: string, start: number): Group | undefined {
  const items: string[] = [];
  let from = start + 1;
  let open = 0;
  for (let at = start + 1; at < text.length; at = step(text, at)) {
    const char = text[at];
    if (char === '{') open++;
    else if (char === ',' && open === 0) {
      items.push(text.slice(from, at));
      from = at + 1;
    } else if (char === '}' && open-- === 0) {
      const last = text.slice(from, at);
      const all = items.length > 0 ? [...items, last] : sequence(last);
      return all && { start, end: at + 1, items: all };
    }
  }
  return undefined;
}

/** Returns the next position outside quotes, `${…}` and `$(…)`. */
function step(text: string, at: number): number {
  const char = text[at];
  if (char === '\\') return at + 2;
  if (char === "'" || char === '"') return closing(text, at, char);
  if (char === '$' && (text[at + 1] === '{' || text[at + 1] === '(')) return closing(text, at + 1, text[at + 1] === '{' ? '}' : ')');
  return at + 1;
}

function closing(text: string, at: number, end: string): number {
  const found = text.indexOf(end, at + 1);
  return found === -1 ? text.length : found + 1;
}

function sequence(body: string): readonly string[] | undefined {
  const match = /^(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])$/.exec(body);
  const [first, last] = [match?.[1], match?.[2]];
  if (first === undefined || last === undefined) return undefined;
  const letters = /[a-zA-Z]/.test(first);
  if (letters !== /[a-zA-Z]/.test(last)) return undefined;
  const [low, high] = letters ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(first), Number(last)];
  const way = low <= high ? 1 : -1;
  const count = Math.min(Math.abs(high - low) + 1, MOST_LISTED);
  const all = Array.from({ length: count }, (_, i) => (letters ? String.fromCharCode(low + i * way) : String(low + i * way)));
  // The rest of a long sequence is more numbers, which are not listed.
  return Math.abs(high - low) + 1 > count ? [...all, UNKNOWN] : all;
}
