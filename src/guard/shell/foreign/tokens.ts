/** Splits code in other languages into strings, names and signs. It knows just enough syntax to tell a call from a text about one. */

import { type Counted, counted, leaveOut, recall, STEPS_OF_FILE, spend } from '../../limits.ts';
import type { Flavour } from './flavour.ts';

export interface Token {
  readonly kind: 'string' | 'name' | 'sign' | 'shell' | 'pattern';
  readonly text: string;
  /** Position in the code. */
  readonly at: number;
  readonly end: number;
  /** Whether the string contains expressions that are evaluated. */
  readonly open?: boolean;
}

const MOST_TOKENS = 40_000;
const NAME = /[$@%&]?[A-Za-z_]\w*|\d[\w.]*/y;
/** With the variables that hold the user of a process. */
const PERL_NAME = /\$[<>]|[$@%&]?[A-Za-z_]\w*|\d[\w.]*/y;
const SPACE = /\s+/y;
/** The names of PowerShell contain dashes. */
const CMDLET = /[$@]?[A-Za-z_][\w:]*(?:-[A-Za-z]\w*)*|\d[\w.]*/y;
/** A slash after one of these starts a pattern and not a division. */
const BEFORE_PATTERN =
  /^[(,=:[!&|?{};~>]$|^(return|when|if|elsif|unless|while|until|and|or|not|in|of|typeof|case|split|grep|puts|print|match|do|else|then|await|yield|void)$|^$/;

/** The last codes that were read. Several readers ask for the tokens of one file, and several hooks share one file. */
const recent = new Map<string, Counted<readonly Token[]>>();
const MOST_RECENT = 64;
const MOST_CHARACTERS = 1024 * 1024;
let characters = 0;

export function tokensOf(code: string, flavour: Flavour): readonly Token[] {
  const key = `${flavour} ${code}`;
  const known = recent.get(key);
  if (known) return recall(known);
  const tokens = counted(STEPS_OF_FILE, () => readTokens(code, flavour));
  for (const oldest of recent.keys()) {
    if (recent.size < MOST_RECENT && characters + key.length <= MOST_CHARACTERS) break;
    recent.delete(oldest);
    characters -= oldest.length;
  }
  characters += key.length;
  recent.set(key, tokens);
  for (const what of tokens.left) leaveOut(what);
  return tokens.value;
}

function readTokens(code: string, flavour: Flavour): readonly Token[] {
  spend(code.length / 64);
  const tokens: Token[] = [];
  let at = 0;
  while (at < code.length && tokens.length < MOST_TOKENS) {
    const space = matchAt(SPACE, code, at);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const last = tokens.at(-1);
    const comment = commentAt(code, at, flavour);
    if (comment !== undefined) {
      at = comment;
      continue;
    }
    const pattern = patternAt(code, at, flavour, last);
    if (pattern !== undefined) {
      tokens.push({ kind: 'pattern', text: '', at, end: pattern });
      at = pattern;
      continue;
    }
    const string = hereText(code, at, flavour) ?? readString(code, at, flavour);
    if (string) {
      tokens.push({ ...string.token, at, end: string.end });
      at = string.end;
      continue;
    }
    const name = matchAt(flavour === 'powershell' ? CMDLET : flavour === 'perl' ? PERL_NAME : NAME, code, at) ?? '';
    // `@` of PHP hides errors.
    const word = name.startsWith('%') || name.startsWith('&') || (flavour === 'php' && name.startsWith('@')) ? '' : name;
    const end = at + (word === '' ? 1 : word.length);
    tokens.push(word === '' ? { kind: 'sign', text: code[at] ?? '', at, end } : { kind: 'name', text: word, at, end });
    at = end;
  }
  if (at < code.length) leaveOut(`a program has more than ${MOST_TOKENS} words and signs`);
  return tokens;
}

function matchAt(expression: RegExp, code: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(code)?.[0];
}

/** Comments over several lines. `line`: the mark counts only at the start of a line. `closed`: it counts only if the comment ends. */
const BLOCKS: Readonly<
  Partial<Record<Flavour, readonly { readonly open: RegExp; readonly close: RegExp; readonly line?: boolean; readonly closed?: boolean }[]>>
> = {
  js: [{ open: /\/\*/y, close: /\*\//g }],
  php: [
    { open: /\/\*/y, close: /\*\//g },
    { open: /\?>/y, close: /<\?(php|=)?/g },
  ],
  other: [{ open: /\/\*(?=[\s*!])/y, close: /\*\//g, closed: true }],
  lua: [{ open: /--\[\[/y, close: /\]\]/g }],
  powershell: [{ open: /<#/y, close: /#>/g }],
  ruby: [
    { open: /=begin\b/y, close: /^=end\b.*$/gm, line: true },
    { open: /__END__\s*?$/my, close: /$(?![\s\S])/g, line: true },
  ],
  perl: [
    { open: /=[a-z]\w*/y, close: /^=cut\b.*$/gm, line: true },
    { open: /__(END|DATA)__\s*?$/my, close: /$(?![\s\S])/g, line: true },
  ],
};

/** Returns the position after a comment. A comment counts only after white space or a separator, so that no code is skipped. */
function commentAt(code: string, at: number, flavour: Flavour): number | undefined {
  const before = code[at - 1] ?? '\n';
  for (const { open, close, line, closed } of BLOCKS[flavour] ?? []) {
    if ((line && before !== '\n') || matchAt(open, code, at) === undefined) continue;
    close.lastIndex = at + 2;
    const found = close.exec(code);
    if (found === null && closed) continue;
    return found === null ? code.length : found.index + Math.max(1, found[0].length);
  }
  const hash = code[at] === '#' && flavour !== 'js' && flavour !== 'lua';
  const slashes = code.startsWith('//', at) && (flavour === 'js' || flavour === 'php');
  const dashes = code.startsWith('--', at) && flavour === 'lua';
  if (!/\s|[;{}(),[\]]/.test(before) || !(hash || slashes || dashes)) return undefined;
  const end = code.indexOf('\n', at);
  return end === -1 ? code.length : end;
}

/** Returns the position after a `/pattern/`, or after a pattern with another delimiter. */
function patternAt(code: string, at: number, flavour: Flavour, last: Token | undefined): number | undefined {
  const form = flavour === 'perl' || flavour === 'ruby' ? /^(?:%r|qr|m)([{(/!|#])/.exec(code.slice(at, at + 4)) : null;
  if (form && !/[\w$@%]/.test(code[at - 1] ?? '')) {
    const end = closingOf(code, at + form[0].length, form[1] ?? '');
    if (end !== undefined) return end + 1;
  }
  if (code[at] !== '/' || /^(python|lua|powershell)$/.test(flavour)) return undefined;
  if (last?.kind === 'string' || last?.kind === 'pattern' || !BEFORE_PATTERN.test(last?.text ?? '')) return undefined;
  const match = /^\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,500}\/[a-z]{0,8}/.exec(code.slice(at, at + 2000));
  return match === null ? undefined : at + match[0].length;
}

/**
 * Returns the position of the bracket or sign that ends a text in delimiters. Brackets nest.
 * @param from the position after the opening one
 */
function closingOf(code: string, from: number, open: string): number | undefined {
  if (open in CLOSING) return bracketEnds(code).get(from - 1);
  for (let at = from; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === open) return at;
  }
  return undefined;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '<': '>' };

/** The brackets of the text that was read last. A text with thousands of open ones is then read once, and not to its end for each. */
let lastEnds: { readonly code: string; readonly ends: ReadonlyMap<number, number> } | undefined;

function bracketEnds(code: string): ReadonlyMap<number, number> {
  if (lastEnds?.code === code) return lastEnds.ends;
  const ends = new Map<number, number>();
  const opened = new Map(Object.values(CLOSING).map((close): [string, number[]] => [close, []]));
  for (let at = 0; at < code.length; at++) {
    const char = code[at] ?? '';
    if (char === '\\') at++;
    else if (char in CLOSING) opened.get(CLOSING[char] as string)?.push(at);
    else {
      const begin = opened.get(char)?.pop();
      if (begin !== undefined) ends.set(begin, at);
    }
  }
  lastEnds = { code, ends };
  return ends;
}

const HERE: Readonly<Partial<Record<Flavour, RegExp>>> = {
  ruby: /<<[~-]?(["'`]?)([A-Z_]\w*)\1/y,
  perl: /<<~?(["']?)([A-Z_]\w*)\1/y,
  php: /<<<(["']?)([A-Za-z_]\w*)\1/y,
};

/** Reads a text up to its mark: `<<~TEXT` in Ruby, Perl and PHP, and `@'…'@` in PowerShell. */
function hereText(code: string, at: number, flavour: Flavour): Quoted | undefined {
  if (flavour === 'powershell') {
    const quote = /^@(["'])[ \t]*\n/.exec(code.slice(at, at + 40))?.[1];
    const end = quote === undefined ? -1 : code.indexOf(`\n${quote}@`, at);
    return end === -1
      ? undefined
      : { token: { kind: 'string', text: code.slice(at + 2, end), ...(quote === '"' && { open: true }) }, end: end + 3 };
  }
  const form = HERE[flavour];
  if (form === undefined || code[at] !== '<') return undefined;
  form.lastIndex = at;
  const [all, quote, mark] = form.exec(code) ?? [];
  const start = all === undefined ? -1 : code.indexOf('\n', at + all.length);
  if (all === undefined || start === -1) return undefined;
  const close = new RegExp(String.raw`^[ \t]*${mark}\b`, 'm').exec(code.slice(start + 1));
  if (close === null) return undefined;
  const body = code.slice(start + 1, start + 1 + close.index);
  // The rest of the first line is code too, but rarely more than brackets.
  return {
    token: { kind: quote === '`' ? 'shell' : 'string', text: body, ...(quote !== "'" && { open: true }) },
    end: start + 1 + close.index + close[0].length,
  };
}

interface Quoted {
  readonly token: Omit<Token, 'at' | 'end'>;
  readonly end: number;
}

function readString(code: string, at: number, flavour: Flavour): Quoted | undefined {
  const prefix = flavour === 'python' ? (/^[rbuf]{1,2}(?=["'])/i.exec(code.slice(at, at + 3))?.[0] ?? '') : '';
  if (prefix !== '' && /\w/.test(code[at - 1] ?? '')) return undefined;
  const start = at + prefix.length;
  const quote = code[start] ?? '';
  const form = /^(%x|qx|%q|%Q|%w|%W|%i|qq|qw|q)\s?([({[|!/])/.exec(code.slice(at, at + 5));
  if (form && (flavour === 'ruby' || flavour === 'perl') && !/\w/.test(code[at - 1] ?? '')) return readDelimited(code, at, form);
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;
  if (quote === '`' && flavour === 'powershell') return undefined;
  const triple = flavour === 'python' && code.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  const end = closing(code, start + triple.length, triple, flavour);
  if (end === undefined) return undefined;
  const raw = code.slice(start + triple.length, end);
  const shell = quote === '`' && flavour !== 'js';
  const open = quote === '`' || (quote === '"' && flavour !== 'js' && flavour !== 'python' && flavour !== 'lua') || /f/i.test(prefix);
  const text = quote === "'" && (flavour === 'perl' || flavour === 'php') ? raw.replace(/\\([\\'])/g, '$1') : decodeEscapes(raw);
  return { token: { kind: shell ? 'shell' : 'string', text, ...(open && { open }) }, end: end + triple.length };
}

/** Returns the end of a string. In most languages a string ends on its line, and a quote without an end is not a string. */
function closing(code: string, from: number, quote: string, flavour: Flavour): number | undefined {
  const oneLine = quote.length === 1 && quote !== '`' && (flavour === 'js' || flavour === 'python' || flavour === 'lua');
  for (let at = from; at < code.length; at++) {
    if (code[at] === (flavour === 'powershell' ? '`' : '\\')) at++;
    else if (quote === '`' && flavour === 'js' && code.startsWith('${', at)) at = endOfHole(code, at + 2);
    else if (code.startsWith(quote, at)) return at;
    else if (oneLine && code[at] === '\n') return undefined;
  }
  return undefined;
}

/** Returns the position of the bracket that ends `${…}`. The code in it can contain further templates. */
function endOfHole(code: string, from: number): number {
  let depth = 1;
  for (let at = from; at < code.length && at - from < 4000; at++) {
    const char = code[at] ?? '';
    if (char === '\\') at++;
    else if (char === '`' || char === '"' || char === "'") {
      const end = closing(code, at + 1, char, 'js');
      if (end !== undefined) at = end;
    } else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at;
  }
  return from;
}

function readDelimited(code: string, at: number, form: RegExpExecArray): Quoted | undefined {
  const [all, name = '', open = ''] = form;
  const end = closingOf(code, at + all.length, open);
  if (end === undefined) return undefined;
  const text = code.slice(at + all.length, end);
  return { token: { kind: name === '%x' || name === 'qx' ? 'shell' : 'string', text }, end: end + 1 };
}

function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{1,6})\}?|([0-7]{3})|(["'`\\nrt/]))/g,
    (_, hex?: string, unicode?: string, octal?: string, plain?: string) => {
      if (plain !== undefined) return { n: '\n', r: '\r', t: '\t' }[plain] ?? plain;
      const code = Number.parseInt(hex ?? unicode ?? octal ?? '0', octal === undefined ? 16 : 8);
      return code > 0x10ffff ? '' : String.fromCodePoint(code);
    },
  );
}
