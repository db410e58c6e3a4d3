/**
 * Opens files and folders of the project for a judge. Every path is resolved through its links first, so nothing outside the project is read,
 * whatever a path, a link or a file name says. Files that hold secrets are refused, because their text would leave the machine.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { secretIn } from '../../guard/shell/flow/secret-path.ts';

export interface ProjectFolder {
  /** Without links. */
  readonly root: string;
  readonly home: string;
}

/** @returns undefined if the folder does not exist */
export function projectFolder(root: string, home: string): ProjectFolder | undefined {
  try {
    return { root: realpathSync(root), home };
  } catch {
    return undefined;
  }
}

export interface Inside {
  /** Without links. */
  readonly real: string;
  /** From the root, with `/`; `.` for the root itself. */
  readonly shown: string;
  readonly kind: 'file' | 'folder';
}

/** Returns the file or folder that a path leads to, or why a judge may not see it. */
export function lookInside({ root, home }: ProjectFolder, given: string): Inside | string {
  if (given.includes('\0')) return OUTSIDE;
  const named = path.resolve(root, given);
  if (!isBelow(root, named)) return OUTSIDE;
  let real: string;
  try {
    real = realpathSync(named);
  } catch {
    return `There is no \`${shownPath(root, named)}\`.`;
  }
  if (!isBelow(root, real)) return OUTSIDE;
  if (isHidden(root, named, home) || isHidden(root, real, home)) return SECRET;
  const stat = statSync(real, { throwIfNoEntry: false });
  const kind = stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : undefined;
  return kind === undefined ? 'It is neither a file nor a folder.' : { real, shown: shownPath(root, real), kind };
}

const OUTSIDE = 'The path is outside the project.';
const SECRET = 'The path may hold secrets, so it is not read.';

function isBelow(root: string, file: string): boolean {
  const way = path.relative(root, file);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

function shownPath(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join('/') || '.';
}

/** The history of a project holds what was once deleted from it, secrets as well. */
const HISTORY = /(?:^|\/)\.(?:git|hg|svn|jj)(?:\/|$)/i;

export function isHidden(root: string, file: string, home: string): boolean {
  const shown = shownPath(root, file);
  if (shown === '.') return false;
  return HISTORY.test(shown) || secretIn(shown, '', home) !== undefined || secretIn(file, '', home) !== undefined;
}

/** Reads the beginning of a file, or returns why that is impossible. */
export function readInside({ root }: ProjectFolder, { real }: Inside, most: number): Buffer | string {
  let open: number;
  try {
    // Neither a link that has just replaced the file is followed, nor does a pipe make the judge wait.
    open = openSync(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return `It cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  try {
    const opened = fstatSync(open);
    if (!opened.isFile()) return 'It is not a file.';
    // A folder above it may have been replaced by a link between the check and now.
    const now = realpathSync(real);
    const there = statSync(now);
    if (now !== real || !isBelow(root, now) || there.ino !== opened.ino || there.dev !== opened.dev) return OUTSIDE;
    const bytes = Buffer.alloc(Math.min(most, opened.size));
    let read = 0;
    while (read < bytes.length) {
      const count = readSync(open, bytes, read, bytes.length - read, read);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read);
  } catch (error) {
    return `It cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    closeSync(open);
  }
}
