/** Finds hook files. The agents' `places` say which dialect reads a file; its content never does. Each file is found once. */
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Agent, type Location, locationKey, type Place, type PlaceKind } from '../../core/contracts/agent.ts';
import type { Dialect, EntryForm, Format } from '../../core/contracts/dialect.ts';
import type { Scope } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { entriesOf, findDeep, isBelow, isThere, lookBelow, realPath, statOf } from './folders.ts';
import { absolute, basesOf, isTrusted, locationsOf, type Places } from './places.ts';

export type { Places } from './places.ts';

export interface SourceFile {
  readonly file: string;
  readonly dialect: Dialect;
  readonly format: Format;
  /** Set if the file is shared: then only entries of this form belong to this dialect. */
  readonly entries?: EntryForm;
  readonly kind: PlaceKind;
  readonly scope: Scope;
  /** The folder the hook lives in; for a plugin, its root. */
  readonly folder: string;
  readonly folderName: string;
  readonly idPrefix: string;
  /** True for the user's own files, managed files, and files in folders that the caller named. */
  readonly trusted: boolean;
}

export interface Discovered {
  readonly sources: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `only`: the dialects to load. They share out every place that one of them names. */
export function discover(given: Places, agents: readonly Agent[], only?: readonly string[]): Discovered {
  const places = absolute(given);
  const diagnostics: Diagnostic[] = missingFolders(places);
  const found: SourceFile[] = [];
  const named = readersByLocation(agents, only);
  const isBelowThere = lookBelow();
  for (const location of locationsOf(agents)) {
    const readers = readersOf(named.get(locationKey(location)) ?? [], only);
    if (readers.length === 0) continue;
    for (const base of basesOf(location, places)) {
      if (!isBelowThere(base, location.path)) continue;
      for (const { file, home } of filesAt(location, join(base, location.path), places, diagnostics)) {
        for (const { dialect, place } of readers) {
          found.push({
            file,
            dialect,
            format: place.format,
            ...(readers.length > 1 && place.sharedWith && { entries: place.sharedWith.entries }),
            kind: place.kind,
            scope: place.scope,
            folder: home,
            folderName: basename(home),
            idPrefix: `${dialect.id}:${shownPath(file, location, places)}`,
            trusted: isTrusted(place.scope),
          });
        }
      }
    }
  }
  return { sources: foundOnce(found), diagnostics };
}

interface Reader {
  readonly dialect: Dialect;
  readonly place: Place;
}

/** Returns which agents name which location: all agents, or the chosen ones in the order in which they are chosen. */
function readersByLocation(agents: readonly Agent[], only: readonly string[] | undefined): ReadonlyMap<string, readonly Reader[]> {
  const named = new Map<string, Reader[]>();
  for (const { dialect, places } of only ? only.flatMap((id) => agents.filter((one) => one.id === id)) : agents) {
    for (const place of places) {
      const key = locationKey(place);
      const others = named.get(key);
      if (others) others.push({ dialect, place });
      else named.set(key, [{ dialect, place }]);
    }
  }
  return named;
}

/** Returns the readers of one location: its owner or owners; without an owner among the chosen dialects, the first that names it. */
function readersOf(naming: readonly Reader[], only: readonly string[] | undefined): readonly Reader[] {
  const owning = naming.filter(({ place }) => place.read === 'always');
  return owning.length > 0 || !only ? owning : naming.slice(0, 1);
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

function filesAt({ find, base }: Location, folder: string, places: Places, diagnostics: Diagnostic[]): Found[] {
  const inFolder = (home: string): Found[] => {
    const file = join(home, find.file);
    return isThere(file) ? [{ file, home }] : [];
  };
  switch (find.kind) {
    case 'file':
      return inFolder(folder);
    case 'each': {
      const self = find.orSelf ? inFolder(folder) : [];
      const below = entriesOf(folder).filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
      return [
        ...self,
        ...below.flatMap(({ name }) => {
          const found = inFolder(join(folder, name));
          if (found.length === 0) diagnostics.push(...otherSpelling(join(folder, name), find.file));
          return found;
        }),
      ];
    }
    case 'ending':
      return entriesOf(folder)
        .filter(({ name }) => name.endsWith(find.file))
        .map(({ name }) => ({ file: join(folder, name), home: folder }));
    case 'deep': {
      const { found, outside } = findDeep(folder, find.file, base === 'root' ? realPath(places.root) : undefined);
      for (const path of outside) {
        const message = 'This link leads out of the project, so it is not followed.';
        diagnostics.push({
          severity: 'warning',
          code: 'link-outside',
          file: path,
          message,
          hint: 'Name the target folder with `--skills`.',
        });
      }
      return found.map((file) => ({ file, home: dirname(file) }));
    }
  }
}

/** Reports a file whose name differs from the right one only in case. On another file system it would be found. */
function otherSpelling(home: string, wanted: string): Diagnostic[] {
  if (wanted === wanted.toLowerCase() || wanted.includes('/')) return [];
  const near = entriesOf(home).find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (!near) return [];
  const message = `This file is not read, because its name must be \`${wanted}\`.`;
  return [{ severity: 'warning', code: 'misspelt-file', file: join(home, near.name), message, hint: `Rename it to \`${wanted}\`.` }];
}

/** Returns the path relative to the root or the home, so that ids are the same on every machine. */
function shownPath(file: string, { base }: Location, { root, home }: Places): string {
  const fromHome = isBelow(file, home) ? `~/${relative(home, file)}` : undefined;
  const fromRoot = isBelow(file, root) ? relative(root, file) : undefined;
  const shown = (base === 'home' || base === 'config' ? fromHome : (fromRoot ?? fromHome)) ?? file;
  return sep === '/' ? shown : shown.split(sep).join('/');
}

/** Keeps the first source of each file, unless only a later one is trusted: a caller who names a folder trusts it. */
function foundOnce(found: readonly SourceFile[]): SourceFile[] {
  const kept = new Map<string, SourceFile>();
  for (const source of found) {
    // Each dialect that shares a file keeps its own source.
    const real = `${realPath(source.file) ?? source.file}\0${source.entries ?? ''}`;
    const before = kept.get(real);
    if (before && (before.trusted || !source.trusted)) continue;
    kept.delete(real);
    kept.set(real, source);
  }
  return [...kept.values()];
}
