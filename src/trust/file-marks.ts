/**
 * Marks of the files that a hook runs, taken when it is admitted and compared when it has ended. A file is marked with every link and folder
 * on the way to it, because a swapped folder swaps the file. Marks are facts of the file system that no process can set back, so a file that
 * was swapped for the run and put back afterwards shows too.
 */
import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '../load/find/folders.ts';

export interface FileMarks {
  /** A file that was changed again and again while the marks were taken, so that they prove nothing. */
  readonly unsettled: string | undefined;
  /** The size of all files. */
  readonly bytes: number;
  /** Looks again. Returns the first change in words (`x.sh` was written or replaced); `entries` if folders only gained or lost other files. */
  change(): { readonly what: string } | 'entries' | undefined;
}

type Mark = BigIntStats | undefined;

/** Times of files advance in steps of at most 10 ms. A change within the same step as the one before it does not show. */
const STEP_MS = 12;
const TRIES = 3;
const MOST_LINKS = 40;

export function markFiles(files: readonly string[], root: string): FileMarks {
  for (let tries = 1; ; tries++) {
    const marks = new Map<string, Mark>();
    const home = walk(root, marks);
    for (const file of files) walk(file, marks);
    const young = [...marks].filter(([at, mark]) => mark && isYoung(mark) && (!mark.isDirectory() || isInside(at, home)));
    const [unsettled] = young.find(([, mark]) => mark?.isDirectory() === false) ?? [];
    if (young.length === 0 || tries === TRIES) {
      let bytes = 0;
      for (const mark of marks.values()) if (mark?.isFile()) bytes += Number(mark.size);
      return { unsettled: unsettled && shown(unsettled, home), bytes, change: () => compare(marks, home) };
    }
    // The caller is synchronous. This happens only if a file was written right before the event.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
  }
}

/** Marks each folder and link from the top down to a file. Returns its path without links. */
function walk(file: string, marks: Map<string, Mark>): string {
  let at = path.parse(file).root;
  let links = 0;
  const rest = file.slice(at.length).split(path.sep);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = path.dirname(at);
      continue;
    }
    const next = path.join(at, name);
    if (!marks.has(next)) marks.set(next, markOf(next));
    const target = marks.get(next)?.isSymbolicLink() && ++links <= MOST_LINKS ? targetOf(next) : undefined;
    if (target === undefined) {
      at = next;
      continue;
    }
    if (path.isAbsolute(target)) at = path.parse(target).root;
    rest.unshift(...(path.isAbsolute(target) ? target.slice(at.length) : target).split(path.sep));
  }
  return at;
}

function markOf(at: string): Mark {
  try {
    return lstatSync(at, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function isYoung({ ctimeMs }: BigIntStats): boolean {
  const age = Date.now() - Number(ctimeMs);
  return Math.abs(age) < STEP_MS;
}

function compare(marks: ReadonlyMap<string, Mark>, home: string): ReturnType<FileMarks['change']> {
  const now = new Map<string, Mark>();
  for (const at of marks.keys()) now.set(at, markOf(at));
  const hasMoved = (at: string): boolean => marks.get(at)?.mtimeNs !== now.get(at)?.mtimeNs;
  let entries = false;
  for (const [at, before] of marks) {
    const after = now.get(at);
    const name = `\`${shown(at, home)}\``;
    if (!before && !after) continue;
    if (!before || !after || !isSame(before, after)) return { what: `${name} was replaced` };
    if (before.ctimeNs === after.ctimeNs) continue;
    if (!before.isDirectory()) return { what: `${name} was written or replaced` };
    // A folder that gains or loses a file has one time for both. A folder that was moved has a later `ctime`.
    if (after.ctimeNs !== after.mtimeNs) return { what: `the folder ${name} was moved` };
    // A file that is written after the move would hide it, but a move also shows in the folder above.
    const above = path.dirname(at);
    if (isInside(at, home) && hasMoved(above))
      return { what: `the folder ${name} and the one above it gained or lost files at once, as if it was swapped` };
    entries = true;
  }
  return entries ? 'entries' : undefined;
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  const isFolder = before.isDirectory();
  return (
    before.dev === after.dev &&
    before.ino === after.ino &&
    before.mode === after.mode &&
    (isFolder || (before.size === after.size && before.mtimeNs === after.mtimeNs))
  );
}

/** Below the project's root. The root itself and the folders above it gain and lose files all the time. */
function isInside(at: string, home: string): boolean {
  return at !== home && isBelow(at, home);
}

function shown(at: string, home: string): string {
  return isInside(at, home) ? path.relative(home, at) : at;
}
