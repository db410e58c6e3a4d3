/**
 * Parses a pattern into a small tree. It understands less than the regex engine and returns undefined for the rest. It parses the patterns it
 * understands exactly as the engine does. The engine rejects none that it parses without an `other`.
 */

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  /** `.*` */
  | { readonly kind: 'gap' }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  /** Another element: a class, a dot, a word boundary. May match nothing. */
  | { readonly kind: 'other' }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'either'; readonly branches: readonly Node[] };

export interface Syntax {
  readonly tree: Node;
  /** Letters match in either case. */
  readonly fold: boolean;
  /** `.` matches a newline. */
  readonly dotAll: boolean;
  /** A part of it is anchored to the start of the text. */
  readonly tied: boolean;
}

export const MAX_SOURCE = 50_000;

/** Flags that do not change whether a pattern matches are ignored: `g` and `d` concern the result, and `u` is always on. */
export function areFlags(flags: string): boolean {
  return FLAGS.test(flags);
}

export function parsePattern(source: string, flags = ''): Syntax | undefined {
  if (source.length > MAX_SOURCE || !areFlags(flags) || LONE_SURROGATE.test(source)) return undefined;
  const inline = INLINE_FLAGS.exec(source);
  const all = flags + (inline?.[1] ?? '');
  const fold = all.includes('i');
  const reader: Reader = {
    source,
    at: inline?.[0].length ?? 0,
    depth: 0,
    tied: false,
    fold,
    multiline: all.includes('m'),
    names: new Set(),
  };
  const tree = either(reader);
  if (tree === undefined || reader.at < source.length) return undefined;
  return { tree, fold, dotAll: all.includes('s'), tied: reader.tied };
}

interface Reader {
  readonly source: string;
  at: number;
  depth: number;
  tied: boolean;
  readonly fold: boolean;
  readonly multiline: boolean;
  readonly names: Set<string>;
}

const MAX_DEPTH = 50;
const FLAGS = /^[imsgdu]*$/;
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const INLINE_FLAGS = /^\(\?([ims]+)\)/;
const GROUP = /\((?:\?:|\?P?<([A-Za-z_]\w*)>|(?!\?))/y;
const CLASS = /\[\^?(?:[^\\[\]^]|\\[dDwWsSnrtfv!-/:-@[-`{-~])(?:[^\\[\]]|\\[dDwWsSnrtfv!-/:-@[-`{-~])*\]/y;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const PLAIN = /[^\\.+*?()[\]{}^$|]+/y;
const NOT_ASCII = /[^\0-\x7f]/;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };
const OTHER: Node = { kind: 'other' };

function either(reader: Reader): Node | undefined {
  const branches: Node[] = [];
  do {
    const branch = sequence(reader);
    if (branch === undefined) return undefined;
    branches.push(branch);
  } while (skip(reader, '|'));
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? only : { kind: 'either', branches };
}

function sequence(reader: Reader): Node | undefined {
  const parts: Node[] = [];
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at))) {
    const part = quantified(reader);
    if (part === undefined) return undefined;
    const last = parts.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + part.text };
    else parts.push(part);
  }
  return { kind: 'sequence', parts };
}

function quantified(reader: Reader): Node | undefined {
  const dot = reader.source.charAt(reader.at) === '.';
  const node = atom(reader);
  const quantifier = isQuantified(reader) ? take(reader, QUANTIFIER) : undefined;
  if (node === undefined || quantifier === undefined) return node;
  // The engine judges a second quantifier, and a quantifier on an anchor.
  if (node.kind === 'start' || node.kind === 'end' || take(reader, QUANTIFIER) !== undefined) return undefined;
  const sign = quantifier[0].charAt(0);
  if (dot && sign === '*') return { kind: 'gap' };
  return { kind: 'repeat', node, min: sign === '+' ? 1 : Number(quantifier[1] ?? 0) };
}

function isQuantified({ source, at }: Reader): boolean {
  const char = source.charAt(at);
  return char === '*' || char === '+' || char === '?' || char === '{';
}

function atom(reader: Reader): Node | undefined {
  switch (reader.source.charAt(reader.at)) {
    case '(':
      return group(reader);
    case '[':
      return take(reader, CLASS) && OTHER;
    case '\\':
      reader.at++;
      return escaped(reader);
    case '.':
      reader.at++;
      return OTHER;
    case '^':
      reader.at++;
      return reader.multiline ? OTHER : start(reader);
    case '$':
      reader.at++;
      return reader.multiline ? OTHER : { kind: 'end' };
    default:
      return plain(reader);
  }
}

function group(reader: Reader): Node | undefined {
  const opening = take(reader, GROUP);
  const name = opening?.[1];
  if (opening === undefined || reader.depth >= MAX_DEPTH || (name !== undefined && reader.names.has(name))) return undefined;
  if (name !== undefined) reader.names.add(name);
  reader.depth++;
  const inner = either(reader);
  reader.depth--;
  return skip(reader, ')') ? inner : undefined;
}

function escaped(reader: Reader): Node | undefined {
  const char = reader.source.charAt(reader.at);
  reader.at++;
  const control = CONTROLS[char];
  if (control !== undefined) return { kind: 'text', text: control };
  if (char === 'A') return start(reader);
  if (char === 'z') return { kind: 'end' };
  if (char !== '' && 'dDwWsSbB'.includes(char)) return OTHER;
  return PUNCTUATION.test(char) ? { kind: 'text', text: char } : undefined;
}

function start(reader: Reader): Node {
  reader.tied = true;
  return { kind: 'start' };
}

/** A run of ordinary characters. If a quantifier follows, the last one is left out, because it is repeated alone. */
function plain(reader: Reader): Node | undefined {
  const run = take(reader, PLAIN)?.[0];
  if (run === undefined) return undefined;
  const last = (run.codePointAt(run.length - 2) ?? 0) > 0xffff ? 2 : 1;
  const cut = isQuantified(reader) && run.length > last ? last : 0;
  reader.at -= cut;
  const text = cut === 0 ? run : run.slice(0, -cut);
  // Beyond ASCII a letter may have more than one other case, so it cannot be compared as text.
  return reader.fold && NOT_ASCII.test(text) ? OTHER : { kind: 'text', text };
}

function skip(reader: Reader, char: string): boolean {
  if (reader.source.charAt(reader.at) !== char) return false;
  reader.at++;
  return true;
}

function take(reader: Reader, sticky: RegExp): RegExpExecArray | undefined {
  sticky.lastIndex = reader.at;
  const found = sticky.exec(reader.source);
  if (found === null) return undefined;
  reader.at += found[0].length;
  return found;
}
