/** Texts in expressions of other languages, including the results of a few functions that only reshape text. */

import { CUT, DECODED, UNKNOWN } from '../marks.ts';
import type { Flavour } from './flavour.ts';
import type { Token } from './tokens.ts';

/** A text, a list of texts, or unknown. */
export type KnownValue = string | readonly string[] | undefined;

const MOST_TEXT = 64 * 1024;
/** Functions that return their argument or their object. */
const SAME =
  /^(expanduser|expand_path|resolve|abspath|normpath|realpath|normalize|str|String|Path|PurePath|URL|URI|file|fileURLToPath|toString|decode|encode|strip|trim|chomp|freeze|fspath|expandvars|bytes|to_s)$/;

export function oneText(value: KnownValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function joinedText(a: KnownValue, b: KnownValue, between: string): KnownValue {
  if (typeof a === 'string' && typeof b === 'string') return limited(a + between + b);
  if (typeof a === 'string' || typeof b === 'string') return limited(`${oneText(a) ?? UNKNOWN}${between}${oneText(b) ?? UNKNOWN}`);
  return undefined;
}

function limited(text: string): string {
  return text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) + CUT : text;
}

/** Inserts the known names of an interpolated string. */
export function interpolate({ text, open }: Token, flavour: Flavour, lookup: (name: string) => KnownValue): string {
  if (!open) return text;
  return text.replace(/[$#]?\{\s*([$A-Za-z_][\w.]{0,60})\s*\}|\$([A-Za-z_]\w{0,60})/g, (all, braced?: string, plain?: string) => {
    const name = braced ?? plain ?? '';
    if (all.startsWith('{') && flavour !== 'python') return all;
    return oneText(lookup(name)) ?? (name === 'HOME' ? '~' : UNKNOWN);
  });
}

/** Returns the result of a function call with these arguments. */
export function resultOf(name: string, args: readonly KnownValue[]): KnownValue {
  const [first, second] = args.map(oneText);
  if (/^(homedir|home)$/.test(name)) return '~';
  if (/^(getenv|get)$/.test(name) && first === 'HOME') return '~';
  if (/^(b64decode|decode64|base64_decode|atob|decode_base64|urlsafe_b64decode|strict_decode64)$/.test(name))
    return decodeText(first, 'base64');
  if (/^(fromhex|unhexlify|hex2bin)$/.test(name)) return decodeText(first, 'hex');
  if (name === 'from') return second === 'base64' || second === 'hex' ? decodeText(first, second) : first;
  if (name === 'join') return args.every((item) => typeof item === 'string') ? args.join('/') : undefined;
  return SAME.test(name) ? first : undefined;
}

/** Returns the result of a method call on a value. */
export function method(name: string, value: KnownValue, args: readonly KnownValue[]): KnownValue {
  const [first] = args;
  if (name === 'homedir') return '~';
  if (name === 'join') {
    if (typeof value === 'string') return typeof first === 'object' ? first.join(value) : undefined;
    return value?.join(typeof first === 'string' ? first : ',');
  }
  if (name === 'joinpath' && typeof value === 'string') return args.reduce<KnownValue>((all, item) => joinedText(all, item, '/'), value);
  if (name === 'concat' && typeof value === 'string') return args.reduce<KnownValue>((all, item) => joinedText(all, item, ''), value);
  const part = typeof value === 'string' ? partOf(name, value, args) : undefined;
  if (part !== undefined) return part;
  if (name === 'pack') return typeof value === 'object' ? characters(value) : undefined;
  if (name === 'reverse') return typeof value === 'string' ? [...value].reverse().join('') : undefined;
  return SAME.test(name) || /^(unwrap|read|toLowerCase|lower)$/.test(name) ? value : undefined;
}

/** Returns the part of a text between two positions, or the text in other letters. */
function partOf(name: string, value: string, args: readonly KnownValue[]): string | undefined {
  if (/^(toUpperCase|upper|upcase)$/.test(name)) return value.toUpperCase();
  if (!/^(slice|substring|substr)$/.test(name)) return undefined;
  const [from, to] = args.map((arg) => (typeof arg === 'string' && /^\d{1,5}$/.test(arg) ? Number(arg) : undefined));
  if (from === undefined) return undefined;
  return name === 'substr' && to !== undefined ? value.slice(from, from + to) : value.slice(from, to);
}

function decodeText(text: string | undefined, encoding: 'base64' | 'hex'): string | undefined {
  return text === undefined ? undefined : DECODED + Buffer.from(text, encoding).toString('utf8').replaceAll('\0', '');
}

/** Returns the text of these character codes. */
export function characters(codes: readonly string[]): string {
  return codes
    .map(Number)
    .filter((code) => Number.isInteger(code) && code > 0 && code <= 0x10ffff)
    .map((code) => String.fromCodePoint(code))
    .join('');
}
