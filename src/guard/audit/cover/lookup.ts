/** Looks up files by the names that commands and programs give them: plain paths, globs, and files next to a program or above it. */
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isDynamic } from '../../shell/marks.ts';
import { readdirSync, readFileSync, realpathSync, statSync } from '../observed-fs.ts';

const MOST_MATCHES = 500;
const MOST_FOLDERS = 2000;
const MOST_DEPTH = 12;
/** The longest path of any system that Hookline runs on. */
const MOST_CHARACTERS = 4096;
const MOST_BYTES = 512 * 1024;

export function isFile(path: string): boolean {
  return kindOf(path) === 'file';
}

export function isFolder(path: string): boolean {
  return kindOf(path) === 'folder';
}

export function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? 'file' : stats?.isDirectory() ? 'folder' : undefined;
  } catch {
    // The name is too long or the folder cannot be read, so nothing here can run.
    return undefined;
  }
}

export function isExecutable(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
}

/** Returns the text of a file. Undefined: it is too large, or it cannot be read. */
export function textOf(path: string): string | undefined {
  try {
    return statSync(path).size > MOST_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the path without links. A path that does not exist is returned as it is. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Joins two folders of a shell, where an empty text is the folder in which it was started. */
export function below(base: string, cwd: string): string {
  if (base === '' || isAbsolute(cwd) || cwd.startsWith('~') || isDynamic(cwd)) return cwd;
  return cwd === '' ? base : join(base, cwd);
}

/** Returns the folder and the folders above it, nearest first, up to `top`. */
export function foldersUpTo(folder: string, top: string): readonly string[] {
  const all = [folder];
  for (let at = folder; at !== top && dirname(at) !== at && all.length < 32; all.push(at)) at = dirname(at);
  return all.at(-1) === top || folder === top ? all : [folder];
}

export function isGlob(path: string): boolean {
  return /[*?]|\[[^\]]+\]|\{[^}]*,[^}]*\}/.test(path) && !isDynamic(path);
}

/** The paths that a glob stands for, in the order of their names. */
export interface Matches {
  readonly paths: readonly string[];
  /** False if there are more than the ones that are listed, or if the search for them takes too long. */
  readonly isWhole: boolean;
}

/** Returns the files and folders that an absolute glob matches. */
export function globbed(pattern: string): Matches {
  const search: Search = { found: new Set(), folders: 0, isWhole: true };
  for (const one of braces(pattern, search)) expand('/', partsOf(one), 0, search);
  return { paths: [...search.found].sort(), isWhole: search.isWhole };
}

interface Search {
  readonly found: Set<string>;
  /** How many folders were listed. */
  folders: number;
  isWhole: boolean;
}

/** Returns the patterns without braces that a pattern stands for. Each group multiplies them, so the file that names the groups must not set their number. */
function braces(pattern: string, search: Search): readonly string[] {
  const open = [pattern];
  const plain: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.length > MOST_CHARACTERS || open.length + plain.length > MOST_MATCHES) {
      search.isWhole = false;
      return plain;
    }
    const [, before = '', inner, after = ''] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(next) ?? [];
    if (inner === undefined) plain.push(next);
    else for (const part of inner.split(',')) open.push(before + part + after);
  }
  return plain;
}

/** `**` twice in a row is the same as once, and would take much longer. */
function partsOf(pattern: string): readonly string[] {
  return pattern.split('/').filter((part, index, all) => part !== '' && !(part === '**' && all[index - 1] === '**'));
}

function expand(folder: string, [first, ...rest]: readonly string[], depth: number, search: Search): void {
  if (first === undefined || !search.isWhole) return;
  if (search.found.size >= MOST_MATCHES || search.folders >= MOST_FOLDERS || depth > MOST_DEPTH * 2) {
    search.isWhole = false;
    return;
  }
  const { found } = search;
  if (!isGlob(first)) {
    const path = join(folder, first);
    if (rest.length > 0) expand(path, rest, depth + 1, search);
    else if (kindOf(path) !== undefined) found.add(path);
    return;
  }
  if (first === '**') expand(folder, rest, depth + 1, search);
  const matches = openSegment(first === '**' ? '*' : first);
  search.folders++;
  for (const name of namesIn(folder)) {
    if (!matches.test(name) || (name.startsWith('.') && !first.startsWith('.'))) continue;
    const path = join(folder, name);
    const deeper = first === '**' ? [first, ...rest] : rest;
    if (rest.length === 0 && (first !== '**' || isFile(path))) found.add(path);
    if (deeper.length > 0 && isFolder(path)) expand(path, deeper, depth + 1, search);
  }
}

/** Returns the expression for one part of a path. */
function segment(glob: string): RegExp {
  const source = glob.replace(/\[([!^]?)([^\]]*)\]|[.+^$(){}|\\[\]]|\*+|\?/g, (sign, not?: string, set?: string) => {
    if (set) return `[${not ? '^' : ''}${set.replace(/[\\^[]/g, '\\$&')}]`;
    return sign.startsWith('*') ? '[^/]*' : sign === '?' ? '[^/]' : `\\${sign}`;
  });
  return new RegExp(`^${source}$`, 's');
}

/** Returns the expression for one part of a path. A set that cannot be read, such as `[z-a]`, stands for any character, so no file is missed. */
function openSegment(glob: string): RegExp {
  return safely(segment)(glob) ?? segment(glob.replace(/\[[^\]]*\]/g, '?'));
}

/** Returns a matcher for globs over paths: a glob without a slash matches any part of a path, another one the path from its start. */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const parts = globs.filter((glob) => !glob.includes('/')).map(safely(segment));
  const wholes = globs
    .filter((glob) => glob.includes('/'))
    .map(safely((glob) => new RegExp(`(?:^|/)${pathSource(glob.replace(/^\.?\//, '').replace(/\/(\*\*)?$/, ''))}(?:/|$)`, 's')));
  return (path) => wholes.some((one) => one?.test(path)) || path.split('/').some((part) => parts.some((one) => one?.test(part)));
}

/** A glob that cannot be read matches nothing, so the file stays covered. */
function safely(make: (glob: string) => RegExp): (glob: string) => RegExp | undefined {
  return (glob) => {
    try {
      return make(glob);
    } catch {
      return undefined;
    }
  };
}

function pathSource(glob: string): string {
  return glob
    .replace(/[.+^$(){}|\\[\]]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (sign) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' })[sign] ?? '[^/]');
}

/** Returns the first of these names that is a file in the folder. */
export function firstFile(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => resolve(folder, name)).find(isFile);
}
