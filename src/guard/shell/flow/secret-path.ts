/**
 * Paths that hold secrets, by the globs in the rule sheets. A secret name matches in any folder, and the folders of a home match in every
 * home. A word with shell globs matches if it probably means a certain secret: `.env?` does, `src/*` does not.
 */
import { posix } from 'node:path';
import { pathClasses } from '../../rules/compiled.ts';
import { classesNeeding } from '../../rules/needles.ts';
import type { PathGlobs } from '../../rules/rule.ts';
import { KEYS, PRIVATE, SECRET, UNKNOWN } from '../marks.ts';
import type { WrittenFiles } from './written.ts';

const SECRET_KINDS = ['key', 'credential', 'settings', 'key-file', 'history', 'folder'] as const;
const PRIVATE_KINDS = ['file', 'folder'] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];
export type PrivateKind = (typeof PRIVATE_KINDS)[number];

/** No operating system accepts a longer path. */
const MOST_PATH = 4096;
/** Any home. The caller's own home is checked in addition. */
const HOME = /^(?:\/home\/[^/]+|\/users\/[^/]+|\/root|\/var\/root)(?=\/|$)/;
const GLOB = /[*?[]/;

/** The kinds of words that were looked up before. A script names the same few files again and again. */
const SECRETS = new Map<string, SecretKind | undefined>();
const PRIVATES = new Map<string, PrivateKind | undefined>();
const MOST_KNOWN = 4096;

function once<K>(known: Map<string, K>, key: string, find: () => K): K {
  const before = known.get(key);
  if (before !== undefined || known.has(key)) return before as K;
  if (known.size >= MOST_KNOWN) known.clear();
  const found = find();
  known.set(key, found);
  return found;
}

export function secretIn(word: string, cwd = '', home?: string): SecretKind | undefined {
  return word.length > MOST_PATH ? undefined : once(SECRETS, `${cwd}\0${home ?? ''}\0${word}`, () => findSecret(word, cwd, home));
}

function findSecret(word: string, cwd: string, home: string | undefined): SecretKind | undefined {
  const path = canonical(word, cwd, home);
  if (path === undefined) return undefined;
  const kind = kindAmong(SECRET_KINDS, 'secret', path) ?? folderOf(path);
  if (kind !== undefined || !GLOB.test(path)) return kind;
  return kindAmong(SECRET_KINDS, 'secret', path.replace(/[*?]+$/, '')) ?? (resemblesSecret(path) ? 'credential' : undefined);
}

export function privateIn(word: string, cwd = '', home?: string): PrivateKind | undefined {
  if (word.length > MOST_PATH) return undefined;
  return once(PRIVATES, `${cwd}\0${home ?? ''}\0${word}`, () => {
    const path = canonical(word, cwd, home);
    return path === undefined ? undefined : kindAmong(PRIVATE_KINDS, 'private', path === '/' ? path : path.replace(/\/$/, ''));
  });
}

/** Returns whether a path covers a whole home or the whole machine. */
export function isAll(word: string, cwd: string): boolean {
  return /^(\/|~|\/home|\/users|\/etc)\/?\*?$/.test(canonical(word, cwd, undefined) ?? '');
}

/** Returns the content of a file: the text that the script has written there, or marks for its kind. Undefined: it is an ordinary file. */
export function contentOf(path: string, cwd: string, files: WrittenFiles, secret = secretIn(path, cwd)): string | undefined {
  const written = files.get(path);
  if (written !== undefined) return written;
  if (secret !== undefined) return SECRET + UNKNOWN;
  const kind = privateIn(path, cwd);
  return kind === undefined ? undefined : (kind === 'file' ? PRIVATE : KEYS) + UNKNOWN;
}

/** Returns one spelling for each path, in lower case and with `~` for every home. Undefined: the word is not a path. */
function canonical(word: string, cwd: string, home: string | undefined): string | undefined {
  if (word.length > MOST_PATH || word === '') return undefined;
  const path = PLAIN.test(word) ? word : pathIn(word);
  if (path === undefined) return undefined;
  const absolute = posix.normalize(belowRoot(cwd === '' || path.startsWith('/') || path.startsWith('~') ? path : `${cwd}/${path}`));
  return inHome(absolute, home).toLowerCase().replace(HOME, '~');
}

/** A word of these characters alone is spelled like its path, and most words are. */
const PLAIN = /^[\w@%^,.=/-][\w@%^,.=/~-]*$/;

/** Returns the path that a word means. Undefined: the word is not a path. */
function pathIn(word: string): string | undefined {
  if (/[\n\r]/.test(word)) return undefined;
  // Words with spaces are prose, except for a few names. An address is not a path.
  if (/\s/.test(word) && !/application support|login data/i.test(word)) return undefined;
  if (/^(?!file:)[a-z][a-z\d+.-]*:\/\//i.test(word)) return undefined;
  const path = word
    .replace(/[\uE001\uE002\uE004-\uE008\uE00F]/g, '')
    .replace(/^file:(?:\/\/(?:localhost|127\.0\.0\.1)?)?(?=\/)/i, '')
    .replace(/^~[+](?=\/|$)/, '.');
  return /^[a-z]:\\/i.test(path) ? path.slice(2).replaceAll('\\', '/') : path;
}

/** The root of a process is that of the machine, as far as secrets are concerned. */
function belowRoot(path: string): string {
  return path.startsWith('/proc/') ? path.replace(/^\/proc\/[^/]+\/root(?=\/)/, '') : path;
}

function inHome(path: string, home: string | undefined): string {
  if (home === undefined || home.length < 2) return path;
  const folder = home.endsWith('/') ? home.slice(0, -1) : home;
  return path === home || path.startsWith(`${folder}/`) ? `~${path.slice(folder.length)}` : path;
}

/** Returns the kind of a secret folder, with or without a trailing slash, or with a glob for everything in it. */
function folderOf(path: string): SecretKind | undefined {
  return kindAmong(['folder'], 'secret', path.replace(/\/[*.]*$/, ''));
}

interface Matcher {
  readonly is: RegExp | undefined;
  readonly not: RegExp | undefined;
}

const MATCHERS = { secret: new Map<string, Matcher>(), private: new Map<string, Matcher>() } as const;

function kindAmong<K extends string>(kinds: readonly K[], family: 'secret' | 'private', path: string): K | undefined {
  const possible = classesNeeding(path);
  if (possible.length === 0) return undefined;
  const known = MATCHERS[family];
  for (const kind of kinds) {
    if (!possible.includes(`${family}-${kind}`)) continue;
    const matcher = known.get(kind) ?? matcherOf(`${family}-${kind}`);
    if (!known.has(kind)) known.set(kind, matcher);
    if (matcher.is?.test(path) && !matcher.not?.test(path)) return kind;
  }
  return undefined;
}

function matcherOf(name: string): Matcher {
  const classes = pathClasses();
  const globs: PathGlobs | undefined = Object.hasOwn(classes, name) ? classes[name] : undefined;
  return { is: compiled(globs?.is ?? []), not: compiled(globs?.not ?? []) };
}

/** Compiles all globs into one expression. Globs that match at any depth share their prefix. */
function compiled(globs: readonly string[]): RegExp | undefined {
  if (globs.length === 0) return undefined;
  const anywhere = globs.flatMap((glob) => nameOf(glob) ?? []);
  const rooted = globs.filter((glob) => nameOf(glob) === undefined);
  const parts = [...(anywhere.length > 0 ? [`(?:.*/)?(?:${anywhere.map(source).join('|')})`] : []), ...rooted.map(source)];
  return new RegExp(`^(?:${parts.join('|')})$`);
}

/** Returns the rest of a glob that matches at any depth, which includes the dot folders of a home. */
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

/** Returns whether a word with globs can expand to the name of a secret and is specific enough. */
function resemblesSecret(path: string): boolean {
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

/** Returns the literal names of secrets without the `~/` of a home. Plain words before an extension would match too much. */
function examples(): readonly string[] {
  known ??= SECRET_KINDS.flatMap((kind) => pathClasses()[`secret-${kind}`]?.is ?? [])
    .map((glob) => glob.replace(/^(\*\*|~)\//, '').replace(/\*$/, ''))
    .filter((glob) => !glob.includes('*') && (glob.startsWith('.') || /^id_/.test(glob) || glob.startsWith('/')));
  return known;
}

/** Matches a shell glob on one segment. A leading star does not match a leading dot. The time is linear except for the last star. */
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
