/**
 * Notes how the file system looked to a search for hooks, so that a later process can tell whether the same search would find the same. A path
 * that was missing is noted too. A folder that was listed and a file that was read are noted with the times that every change sets, of which
 * no process can set back the second one. A path that was only looked at is noted without them, because a project's folder changes all the time.
 */
import { lstatSync, realpathSync, statSync } from 'node:fs';

/** How a path was looked at, and what was found there, as text. */
export type Lookup = readonly [kind: LookupKind, path: string, found: string];

type LookupKind = 'stat' | 'link' | 'list' | 'read' | 'real';

interface Seen {
  readonly found: string;
  /** Milliseconds since the epoch: the last change, for a file or folder whose content counts. */
  readonly changedAt: number;
}

/** The searches that are under way: a search may be part of a larger one. */
const searches = new Set<Notes>();

/** Called before each look at a path. Does nothing unless lookups are being noted. */
export function noteLookup(kind: LookupKind, path: string): void {
  if (searches.size > 0) note(kind, path, () => see(kind, path));
}

function note(kind: LookupKind, path: string, look: () => Seen): void {
  for (const search of searches) {
    const paths = search.paths.get(kind);
    if (!paths || paths.has(path)) continue;
    const seen = look();
    paths.set(path, seen);
    // Changed while the hooks were looked for, or so recently that another change might not show.
    if (seen.changedAt > search.started - COARSEST_STEP_MS) search.isUnsettled = true;
  }
}

interface Notes {
  readonly started: number;
  readonly paths: ReadonlyMap<LookupKind, Map<string, Seen>>;
  isUnsettled: boolean;
}

export interface LookupNotes {
  /** Whether a file has changed too recently to prove anything. */
  readonly isUnsettled: boolean;
  /** Returns the lookups since the notes began; undefined if they prove nothing. */
  finish(): readonly Lookup[] | undefined;
}

/**
 * Times of files advance in steps: of milliseconds on most file systems, of two seconds on the coarsest. Within a step a second change does not
 * show, so a file that was changed this short a time ago proves nothing.
 */
const COARSEST_STEP_MS = 2_500;

/** @param now the current time, which a test moves on */
export function noteLookups(now: () => number = Date.now): LookupNotes {
  const own = {
    started: now(),
    isUnsettled: false,
    paths: new Map<LookupKind, Map<string, Seen>>(KINDS.map((kind) => [kind, new Map<string, Seen>()])),
    finish(): readonly Lookup[] | undefined {
      searches.delete(own);
      const lookups = [...own.paths].flatMap(([kind, paths]) => [...paths].map(([path, { found }]): Lookup => [kind, path, found]));
      return own.isUnsettled || !areUnchanged(lookups) ? undefined : lookups;
    },
  };
  searches.add(own);
  return own;
}

const KINDS: readonly LookupKind[] = ['stat', 'link', 'list', 'read', 'real'];

/** Whether every path still looks as it did. */
export function areUnchanged(lookups: readonly Lookup[]): boolean {
  return lookups.every(([kind, path, found]) => see(kind, path).found === found);
}

/** Whether the search that made these lookups would find the same now. A larger search needs its lookups too. */
export function wouldFindTheSame(lookups: readonly Lookup[]): boolean {
  const seen = lookups.map(([kind, path]) => see(kind, path));
  if (lookups.some(([, , found], i) => seen[i]?.found !== found)) return false;
  for (const [i, [kind, path]] of lookups.entries()) note(kind, path, () => seen[i] as Seen);
  return true;
}

function see(kind: LookupKind, path: string): Seen {
  try {
    if (kind === 'real') return { found: realpathSync.native(path), changedAt: 0 };
    const look = kind === 'link' ? lstatSync : statSync;
    const stats = look(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return MISSING;
    const { dev, ino, mode, uid, size, mtimeNs, ctimeNs } = stats;
    const what = `${dev} ${ino} ${mode} ${uid}`;
    if (kind === 'stat' || kind === 'link') return { found: what, changedAt: 0 };
    const changedAt = Math.max(Number(mtimeNs / 1_000_000n), Number(ctimeNs / 1_000_000n));
    return { found: `${what} ${size} ${mtimeNs} ${ctimeNs}`, changedAt };
  } catch (error) {
    return { found: `! ${error instanceof Error && 'code' in error ? error.code : error}`, changedAt: 0 };
  }
}

const MISSING: Seen = { found: '', changedAt: 0 };
