/** Reads folders. A missing folder is empty. A folder that cannot be read throws, so that no hook is lost silently. */
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { HooklineError } from '../../core/values/errors.ts';
import { noteLookup } from '../remembered/lookups.ts';

/** Sorted by name. */
export function entriesOf(folder: string): Dirent[] {
  noteLookup('list', folder);
  const entries = reading(folder, () => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => byText(a.name, b.name));
}

export function statOf(path: string): Stats | undefined {
  noteLookup('stat', path);
  return reading(path, () => statSync(path, { throwIfNoEntry: false }));
}

/** Whether there is a file or folder at this path. */
export function isThere(path: string): boolean {
  return statOf(path) !== undefined;
}

/** Whether there is a link at this path that leads nowhere. */
export function isDeadLink(path: string): boolean {
  noteLookup('link', path);
  return !isThere(path) && reading(path, () => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

/**
 * Returns a function that tells whether a path exists below a base. It goes from the top down and looks at each folder once, because most
 * places have no hooks and many share a folder that is missing.
 */
export function lookBelow(): (base: string, path: string) => boolean {
  const seen = new Map<string, boolean>();
  return (base, path) => {
    if (path === '') return true;
    let at = base;
    return path.split('/').every((part) => {
      at = at.endsWith(sep) ? at + part : at + sep + part;
      const there = seen.get(at) ?? isThere(at);
      seen.set(at, there);
      return there;
    });
  };
}

/** Returns the path without symlinks; undefined if it does not exist. */
export function realPath(path: string): string | undefined {
  noteLookup('real', path);
  return reading(path, () => realpathSync.native(path));
}

/** Expects absolute paths without `..`. A folder is below itself. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export interface FoundDeep {
  readonly found: string[];
  /** Links that lead out of the bounds. */
  readonly outside: string[];
  /** Links of this name that lead nowhere, and files whose name differs only in case. */
  readonly missed: string[];
}

/** Returns every file of this name in a folder and below it. Links are followed if they stay within `bounds`. */
export function findDeep(folder: string, file: string, bounds: string | undefined): FoundDeep {
  const found: string[] = [];
  const outside: string[] = [];
  const missed: string[] = [];
  const start = realPath(folder);
  if (start === undefined) return { found, outside, missed };
  const seen = new Set<string>();
  const queue: { readonly path: string; readonly real: string }[] = [];
  // Links are followed after all real folders, so that a file in this folder is found at its real path.
  const links: string[] = [];
  const enter = (path: string, real: string) => {
    if (bounds !== undefined && !isBelow(real, bounds)) outside.push(path);
    else if (!seen.has(real)) {
      seen.add(real);
      queue.push({ path, real });
    }
  };
  enter(folder, start);
  for (;;) {
    const next = queue.pop();
    if (next === undefined) {
      const link = links.pop();
      if (link === undefined) return { found: found.sort(byText), outside, missed: missed.sort(byText) };
      const real = statOf(link)?.isDirectory() ? realPath(link) : undefined;
      if (real !== undefined) enter(link, real);
      continue;
    }
    for (const entry of entriesOf(next.path)) {
      const path = join(next.path, entry.name);
      if (entry.name === file) (isThere(path) ? found : missed).push(path);
      else if (entry.isFile() && entry.name.length === file.length && entry.name.toLowerCase() === file.toLowerCase()) missed.push(path);
      else if (entry.name === 'node_modules' || entry.name === '.git') continue;
      else if (entry.isDirectory()) enter(path, join(next.real, entry.name));
      else if (entry.isSymbolicLink()) links.push(path);
    }
  }
}

export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function reading<T>(path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG') return undefined;
    throw new HooklineError('unreadable-source', `${path} cannot be read (${String(code ?? cause)}).`, {
      hint: 'Make it readable, or move it away.',
      cause,
    });
  }
}
