/** Finds hook files. A place belongs to one dialect, by a table and never by a guess at its content; a file is found once. */
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Dialect, EntryForm, Format, PlaceClaim, PlaceId, PlaceOwners } from '../../core/contracts/dialect.ts';
import type { Scope } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { entriesOf, findDeep, isBelow, isThere, lookBelow, realPath, statOf } from './folders.ts';
import { absolute, basesOf, isTrusted, type Places, SPOTS, type Spot } from './places.ts';

export type { Places } from './places.ts';

export interface SourceFile {
  readonly file: string;
  readonly dialect: Dialect;
  readonly format: Format;
  /** Set where the file is shared: only such entries of it are this dialect's. */
  readonly entries?: EntryForm;
  readonly scope: Scope;
  /** The folder the hook lives in; of a plugin: its root. */
  readonly folder: string;
  readonly folderName: string;
  readonly idPrefix: string;
  /** The user's own, managed, or named by the caller. */
  readonly trusted: boolean;
}

export interface Discovered {
  readonly sources: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `owners` says whose a place is; with `only`, those dialects share out every place they name. */
export function discover(given: Places, dialects: readonly Dialect[], owners: PlaceOwners, only?: readonly string[]): Discovered {
  const places = absolute(given);
  const diagnostics: Diagnostic[] = missingFolders(places);
  const found: SourceFile[] = [];
  const claims = claimsOf(dialects, only);
  const isBelowThere = lookBelow();
  for (const spot of SPOTS) {
    const readers = readersOf(claims.get(spot.place) ?? [], owners[spot.place], only);
    if (readers.length === 0) continue;
    for (const base of basesOf(spot, places)) {
      if (!isBelowThere(base, spot.path)) continue;
      for (const { file, home } of filesAt(spot, join(base, spot.path), places, diagnostics)) {
        for (const { dialect, claim } of readers) {
          found.push({
            file,
            dialect,
            format: claim.format,
            ...(readers.length > 1 && claim.entries && { entries: claim.entries }),
            scope: spot.scope,
            folder: home,
            folderName: basename(home),
            idPrefix: `${dialect.id}:${shownPath(file, spot, places)}`,
            trusted: isTrusted(spot.scope),
          });
        }
      }
    }
  }
  return { sources: foundOnce(found), diagnostics };
}

interface Reader {
  readonly dialect: Dialect;
  readonly claim: PlaceClaim;
}

/** Who claims which place, of all dialects or of those that are wanted, in the order in which they are. */
function claimsOf(dialects: readonly Dialect[], only: readonly string[] | undefined): ReadonlyMap<PlaceId, readonly Reader[]> {
  const claims = new Map<PlaceId, Reader[]>();
  for (const dialect of only ? only.flatMap((id) => dialects.filter((one) => one.id === id)) : dialects) {
    for (const claim of dialect.reads) {
      const others = claims.get(claim.place);
      if (others) others.push({ dialect, claim });
      else claims.set(claim.place, [{ dialect, claim }]);
    }
  }
  return claims;
}

/** The dialects that read a place: one, or those that share it; none if none of the given ones names it. */
function readersOf(
  claimants: readonly Reader[],
  owner: string | readonly string[],
  only: readonly string[] | undefined,
): readonly Reader[] {
  const owning = claimants.filter(({ dialect: { id } }) => (typeof owner === 'string' ? id === owner : owner.includes(id)));
  return owning.length > 0 || !only ? owning : claimants.slice(0, 1);
}

function missingFolders(places: Places): Diagnostic[] {
  return [...new Set([...places.skills, ...places.plugins, ...places.hooks])].flatMap((folder): Diagnostic[] => {
    const stat = statOf(folder);
    if (stat?.isDirectory()) return [];
    const message = stat ? `${folder} was named as a folder of hooks, but it is not a folder.` : `The folder ${folder} does not exist.`;
    return [{ severity: 'error', code: 'missing-folder', file: folder, message, hint: 'Correct the path, or create the folder.' }];
  });
}

interface Found {
  readonly file: string;
  /** The folder the hook lives in. */
  readonly home: string;
}

function filesAt({ look, base }: Spot, folder: string, places: Places, diagnostics: Diagnostic[]): Found[] {
  const inFolder = (home: string): Found[] => {
    const file = join(home, look.file);
    return isThere(file) ? [{ file, home }] : [];
  };
  switch (look.kind) {
    case 'file':
      return inFolder(folder);
    case 'each': {
      const self = look.orSelf ? inFolder(folder) : [];
      const below = entriesOf(folder).filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
      return [...self, ...below.flatMap(({ name }) => inFolder(join(folder, name)))];
    }
    case 'ending':
      return entriesOf(folder)
        .filter(({ name }) => name.endsWith(look.file))
        .map(({ name }) => ({ file: join(folder, name), home: folder }));
    case 'deep': {
      const { found, outside } = findDeep(folder, look.file, base === 'root' ? realPath(places.root) : undefined);
      for (const path of outside) {
        const message = 'This link leads out of the project and is not followed.';
        diagnostics.push({
          severity: 'warning',
          code: 'link-outside',
          file: path,
          message,
          hint: 'Name the folder it leads to as a folder of skills.',
        });
      }
      return found.map((file) => ({ file, home: dirname(file) }));
    }
  }
}

/** The file as seen from its root: what makes ids the same on every machine. */
function shownPath(file: string, { base }: Spot, { root, home }: Places): string {
  const fromHome = isBelow(file, home) ? `~/${relative(home, file)}` : undefined;
  const fromRoot = isBelow(file, root) ? relative(root, file) : undefined;
  const shown = (base === 'home' || base === 'config' ? fromHome : (fromRoot ?? fromHome)) ?? file;
  return sep === '/' ? shown : shown.split(sep).join('/');
}

/** The first finding of a file stands, unless a later one is trusted and it is not: who names a folder means it. */
function foundOnce(found: readonly SourceFile[]): SourceFile[] {
  const kept = new Map<string, SourceFile>();
  for (const source of found) {
    // Those that share a file each find it.
    const real = `${realPath(source.file) ?? source.file}\0${source.entries ?? ''}`;
    const before = kept.get(real);
    if (before && (before.trusted || !source.trusted)) continue;
    kept.delete(real);
    kept.set(real, source);
  }
  return [...kept.values()];
}
