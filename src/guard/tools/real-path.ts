/**
 * Resolves a path given to a tool in two ways: as it is written, and on the real file system, link by link, as far as it exists. Both are
 * judged. This module only reads links and never throws.
 */

import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KnownFolders } from '../effects/effect.ts';

/** One path to judge, with the folders it is compared with. */
export interface Candidate {
  readonly path: string;
  readonly knownFolders: KnownFolders;
}

export interface Folders {
  readonly cwd: string;
  readonly home: string;
  readonly root: string;
}

/** Returns the paths to judge. Undefined: the text is not a valid path. */
export function candidatesOf(given: string, folders: Folders, foldsCase: boolean = FOLDS_CASE): readonly Candidate[] | undefined {
  const named = fromUri(given);
  if (named === undefined || named === '' || named.length > MOST_CHARACTERS || named.includes('\0')) return undefined;
  const full = toAbsolute(named, folders);
  const written = { path: path.resolve(full), knownFolders: folders };
  const real = { path: resolveLinks(full), knownFolders: mapFolders(folders, resolveLinks) };
  const both =
    real.path === written.path && real.knownFolders.root === folders.root && real.knownFolders.home === folders.home
      ? [written]
      : [written, real];
  if (!foldsCase) return both;
  // `.GIT` is `.git` on such a file system. A path class with capitals is matched by the unchanged path.
  return [
    ...both,
    ...both.map(({ path: one, knownFolders }) => ({
      path: one.toLowerCase(),
      knownFolders: mapFolders(knownFolders as Folders, (text) => text.toLowerCase()),
    })),
  ];
}

/**
 * Resolves links in the order of the operating system: first the link, then the rest, so that `link/..` is the parent of the link's target.
 */
export function resolveLinks(full: string): string {
  const { root } = path.parse(full);
  let at = root;
  let links = 0;
  const left = partsOf(full.slice(root.length));
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '..') at = path.dirname(at);
    else {
      const next = path.join(at, part);
      const link = linkAt(next);
      if (link === undefined || ++links > MOST_LINKS) at = next;
      else {
        const absolute = path.isAbsolute(link);
        if (absolute) at = path.parse(link).root;
        left.unshift(...partsOf(absolute ? link.slice(at.length) : link));
      }
    }
  }
  return at;
}

/** Whether two spellings of a name are one file, as on most disks of these systems. */
export const FOLDS_CASE = process.platform === 'darwin' || process.platform === 'win32';
const MOST_CHARACTERS = 4096;
const MOST_LINKS = 40;

function fromUri(given: string): string | undefined {
  if (!/^file:/i.test(given)) return given;
  try {
    return fileURLToPath(given);
  } catch {
    return undefined;
  }
}

/** Returns an absolute path with its `..` parts, because their meaning depends on the links before them. */
function toAbsolute(named: string, { cwd, home }: Folders): string {
  if (named === '~' || named.startsWith('~/')) return `${home}${named.slice(1)}`;
  // A path of Windows names the same place for a Windows program that another system starts.
  if (path.sep === '/' && /^[a-z]:[\\/]/i.test(named)) return `/${named.replaceAll('\\', '/')}`;
  return path.isAbsolute(named) ? named : `${cwd}${path.sep}${named}`;
}

function mapFolders({ cwd, home, root }: Folders, change: (text: string) => string): Folders {
  return { cwd: change(cwd), home: change(home), root: change(root) };
}

function partsOf(text: string): string[] {
  return text.split(path.sep === '\\' ? /[\\/]+/ : /\/+/).filter((part) => part !== '' && part !== '.');
}

function linkAt(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    // The path is not a link, does not exist or cannot be read, so it is used unchanged.
    return undefined;
  }
}
