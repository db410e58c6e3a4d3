/**
 * Which paths hold secrets, by the globs of the rule sheets. A name counts wherever it stands; the folders of a home count in every
 * home, and a word with shell globs counts if it could well mean a secret in particular (`.env?` does, `src/*` does not).
 */
import { posix } from 'node:path';
import { PATHS } from '../../rules/compiled.ts';
import type { PathGlobs } from '../../rules/rule.ts';
import { KEYS, PRIVATE, SECRET, UNKNOWN } from '../marks.ts';
import type { Written } from './written.ts';

const SECRET_KINDS = ['key', 'credential', 'settings', 'key-file', 'history', 'folder'] as const;
const PRIVATE_KINDS = ['file', 'folder'] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];
export type PrivateKind = (typeof PRIVATE_KINDS)[number];

const MOST_PATH = 1024;
/** Any home; `home` of the caller's sight comes on top. */
const HOME = /^(?:\/home\/[^/]+|\/users\/[^/]+|\/root|\/var\/root)(?=\/|$)/;
const GLOB = /[*?[]/;

export function secretIn(word: string, cwd = '', home?: string): SecretKind | undefined {
  const path = canonical(word, cwd, home);
  if (path === undefined) return undefined;
  const kind = among(SECRET_KINDS, 'secret', path) ?? folderOf(path);
  if (kind !== undefined || !GLOB.test(path)) return kind;
  return among(SECRET_KINDS, 'secret', path.replace(/[*?]+$/, '')) ?? (resembles(path) ? 'credential' : undefined);
}

export function privateIn(word: string, cwd = '', home?: string): PrivateKind | undefined {
  const path = canonical(word, cwd, home);
  return path === undefined ? undefined : among(PRIVATE_KINDS, 'private', path === '/' ? path : path.replace(/\/$/, ''));
}

/** All that somebody has, or all of the machine. */
export function isAll(word: string, cwd: string): boolean {
  return /^(\/|~|\/home|\/users|\/etc)\/?\*?$/.test(canonical(word, cwd, undefined) ?? '');
}

/** What a file holds: what the script has put there, or marks of what kind of file it is; undefined if it is any file. */
export function heldIn(path: string, cwd: string, files: Written, secret = secretIn(path, cwd)): string | undefined {
  const written = files.get(path);
  if (written !== undefined) return written;
  if (secret !== undefined) return SECRET + UNKNOWN;
  const kind = privateIn(path, cwd);
  return kind === undefined ? undefined : (kind === 'file' ? PRIVATE : KEYS) + UNKNOWN;
}

/** One spelling for one path, in lower case, with `~` for every home; undefined if the word is no path. */
function canonical(word: string, cwd: string, home: string | undefined): string | undefined {
  if (word.length > MOST_PATH || word === '' || /[\n\r]/.test(word)) return undefined;
  // Words with spaces are prose, but for a few names that have them; an address is no path.
  if (/\s/.test(word) && !/application support|login data/i.test(word)) return undefined;
  if (/^(?!file:)[a-z][a-z\d+.-]*:\/\//i.test(word)) return undefined;
  let path = word
    .replace(/[\uE001\uE002\uE004-\uE008]/g, '')
    .replace(/^file:\/\/(?:localhost)?(?=\/)/i, '')
    .replace(/^~[+](?=\/|$)/, '.');
  if (/^[a-z]:\\/i.test(path)) path = path.slice(2).replaceAll('\\', '/');
  if (cwd !== '' && !/^[/~]/.test(path)) path = `${cwd}/${path}`;
  path = posix.normalize(path.replace(/^\/proc\/[^/]+\/root(?=\/)/, ''));
  if (home !== undefined && home.length > 1 && (path === home || path.startsWith(`${home.replace(/\/$/, '')}/`)))
    path = `~${path.slice(home.replace(/\/$/, '').length)}`;
  return path.toLowerCase().replace(HOME, '~');
}

/** A folder of secrets counts with or without a slash, and as all that is in it. */
function folderOf(path: string): SecretKind | undefined {
  return among(['folder'], 'secret', path.replace(/\/[*.]*$/, ''));
}

interface Matcher {
  readonly is: RegExp | undefined;
  readonly not: RegExp | undefined;
}

const MATCHERS = new Map<string, Matcher>();

function among<K extends string>(kinds: readonly K[], family: string, path: string): K | undefined {
  return kinds.find((kind) => {
    const { is, not } = matcherOf(`${family}-${kind}`);
    return is?.test(path) && !not?.test(path);
  });
}

function matcherOf(name: string): Matcher {
  const known = MATCHERS.get(name);
  if (known) return known;
  const globs: PathGlobs | undefined = Object.hasOwn(PATHS, name) ? PATHS[name] : undefined;
  const matcher = { is: compiled(globs?.is ?? []), not: compiled(globs?.not ?? []) };
  MATCHERS.set(name, matcher);
  return matcher;
}

/** One expression for all: those that count at any depth share their beginning. */
function compiled(globs: readonly string[]): RegExp | undefined {
  if (globs.length === 0) return undefined;
  const anywhere = globs.flatMap((glob) => nameOf(glob) ?? []);
  const rooted = globs.filter((glob) => nameOf(glob) === undefined);
  const parts = [...(anywhere.length > 0 ? [`(?:.*/)?(?:${anywhere.map(source).join('|')})`] : []), ...rooted.map(source)];
  return new RegExp(`^(?:${parts.join('|')})$`);
}

/** What is left of a glob that counts at any depth; a home's dotted folder does too. */
function nameOf(glob: string): string | undefined {
  return /^\*\*\/(.+)$/s.exec(glob)?.[1] ?? /^~\/(\..+)$/s.exec(glob)?.[1];
}

function source(glob: string): string {
  return glob
    .toLowerCase()
    .replace(/[.+^${}()|\\[\]?]/g, '\\$&')
    .replace(/\/\*\*$/, '/.+')
    .replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'));
}

/** Whether a word with globs could be expanded to the name of a secret, and says enough of it. */
function resembles(path: string): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last.replace(/\[[^\]]*\]|[*?.\uE000-\uE00F]/g, '').length < 2 && !/\[.*\]/.test(last)) return false;
  const segments = path.split('/');
  return examples().some((example) => {
    const wanted = example.split('/');
    const own = segments.slice(-wanted.length);
    return own.length === wanted.length && own.every((segment, i) => shellMatches(segment, wanted[i] ?? ''));
  });
}

let known: readonly string[] | undefined;

/** Names of secrets that are written out, without the `~/` of a home. Plain words in front of an ending would fit too much. */
function examples(): readonly string[] {
  known ??= SECRET_KINDS.flatMap((kind) => PATHS[`secret-${kind}`]?.is ?? [])
    .map((glob) => glob.replace(/^(\*\*|~)\//, '').replace(/\*$/, ''))
    .filter((glob) => !glob.includes('*') && (glob.startsWith('.') || /^id_/.test(glob) || glob.startsWith('/')));
  return known;
}

/** A shell's glob on one segment: a star at the start does not stand for a leading dot. Linear but for the last star. */
function shellMatches(glob: string, text: string): boolean {
  if (text.startsWith('.') && /^[*?]/.test(glob)) return false;
  let [g, t, star, from] = [0, 0, -1, 0];
  while (t < text.length) {
    const set = glob[g] === '[' ? /^\[([^\]]{1,64})\]/.exec(glob.slice(g, g + 70)) : null;
    if (set ? inSet(set[1] ?? '', text[t] ?? '') : glob[g] === '?' || (glob[g] !== '*' && glob[g] === text[t])) {
      g += set ? set[0].length : 1;
      t++;
    } else if (glob[g] === '*' || /[\uE000-\uE00F]/.test(glob[g] ?? '')) [star, from] = [g++, t];
    else if (star === -1) return false;
    else [g, t] = [star + 1, ++from];
  }
  return /^[*\uE000-\uE00F]*$/.test(glob.slice(g));
}

function inSet(set: string, char: string): boolean {
  const body = set.replace(/^[!^]/, '');
  const found = body.includes(char) || [...body.matchAll(/(.)-(.)/g)].some(([, low = '', high = '']) => low <= char && char <= high);
  return found !== body.length < set.length;
}
