/** Splits code in other languages into strings, names and signs. It knows just enough syntax to tell a call from a text about one. */

export type Flavour = 'js' | 'python' | 'ruby' | 'perl' | 'php' | 'lua' | 'awk' | 'other';

export interface Token {
  readonly kind: 'string' | 'name' | 'sign' | 'shell';
  readonly text: string;
  /** Whether the string contains expressions that are evaluated. */
  readonly open?: boolean;
}

const MOST_TOKENS = 40_000;
const NAME = /[$@%&]?[A-Za-z_]\w*|\d[\w.]*/y;
const SPACE = /\s+/y;
/** A slash after one of these starts a pattern and not a division. */
const BEFORE_PATTERN = /^[(,=:[!&|?{};~]$|^return$|^$/;

export function flavourOf(name: string, code: string): Flavour {
  if (/^(node|nodejs|bun|deno|tsx|ts-node|qjs)$/.test(name)) return 'js';
  if (/^(python|pypy)[\d.]*$/.test(name)) return 'python';
  if (/^[gmn]?awk$/.test(name)) return 'awk';
  const known = /^(ruby|perl|php|lua)/.exec(name)?.[1];
  if (known === 'ruby' || known === 'perl' || known === 'php' || known === 'lua') return known;
  if (/\bconsole\.|=>|\b(const|let)\s|\bmodule\.exports\b/.test(code)) return 'js';
  return /^\s*(import|from|def)\s/m.test(code) ? 'python' : 'other';
}

export function tokensOf(code: string, flavour: Flavour): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < code.length && tokens.length < MOST_TOKENS) {
    const space = matchAt(SPACE, code, at);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const skipped = comment(code, at, flavour) ?? pattern(code, at, flavour, tokens.at(-1)?.text ?? '');
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const string = readString(code, at, flavour);
    if (string) {
      tokens.push(string.token);
      at = string.end;
      continue;
    }
    const name = matchAt(NAME, code, at) ?? '';
    const word = name.startsWith('%') || name.startsWith('&') ? '' : name;
    tokens.push(word === '' ? { kind: 'sign', text: code[at] ?? '' } : { kind: 'name', text: word });
    at += word === '' ? 1 : word.length;
  }
  return tokens;
}

function matchAt(expression: RegExp, code: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(code)?.[0];
}

/** Returns the position after a comment. A comment counts only after white space or a separator, so that no code is skipped. */
function comment(code: string, at: number, flavour: Flavour): number | undefined {
  const before = code[at - 1] ?? '\n';
  const hash = code[at] === '#' && flavour !== 'js' && flavour !== 'lua';
  const slashes = code.startsWith('//', at) && (flavour === 'js' || flavour === 'php');
  const dashes = code.startsWith('--', at) && flavour === 'lua';
  if (!/\s|[;{}]/.test(before) || !(hash || slashes || dashes)) return undefined;
  const end = code.indexOf('\n', at);
  return end === -1 ? code.length : end;
}

/** Returns the position after a `/pattern/`. */
function pattern(code: string, at: number, flavour: Flavour, before: string): number | undefined {
  if (code[at] !== '/' || flavour === 'python' || flavour === 'lua' || !BEFORE_PATTERN.test(before)) return undefined;
  const match = /^\/(?:[^/\\\n]|\\.){1,500}\//.exec(code.slice(at, at + 510));
  return match === null ? undefined : at + match[0].length;
}

interface Quoted {
  readonly token: Token;
  readonly end: number;
}

function readString(code: string, at: number, flavour: Flavour): Quoted | undefined {
  const prefix = flavour === 'python' ? (/^[rbuf]{1,2}(?=["'])/i.exec(code.slice(at, at + 3))?.[0] ?? '') : '';
  if (prefix !== '' && /\w/.test(code[at - 1] ?? '')) return undefined;
  const start = at + prefix.length;
  const quote = code[start] ?? '';
  const form = /^(%x|qx|%q|%Q|qq|q)\s?([({[|!/])/.exec(code.slice(at, at + 5));
  if (form && (flavour === 'ruby' || flavour === 'perl') && !/\w/.test(code[at - 1] ?? '')) return readDelimited(code, at, form);
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;
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
    if (code[at] === '\\') at++;
    else if (code.startsWith(quote, at)) return at;
    else if (oneLine && code[at] === '\n') return undefined;
  }
  return undefined;
}

function readDelimited(code: string, at: number, form: RegExpExecArray): Quoted | undefined {
  const [all, name = '', open = ''] = form;
  const close = { '(': ')', '{': '}', '[': ']' }[open] ?? open;
  const end = code.indexOf(close, at + all.length);
  if (end === -1) return undefined;
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
