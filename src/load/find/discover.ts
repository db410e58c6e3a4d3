/**
 * Finds hook files. The agents' `places` say which dialect reads a file, unless the user or the caller chooses another that can read it. In a
 * few places its content decides, which is found out when it is read. Each file is found once.
 */
import { basename, dirname, join, relative, sep } from 'node:path';
import {
  type Agent,
  type FindEvidence,
  isEndedSo,
  type Location,
  locationKey,
  type NamedSearch,
  nameOf,
  type Place,
  type PlaceKind,
} from '../../core/contracts/agent.ts';
import type { Dialect, EntryForm, Format } from '../../core/contracts/dialect.ts';
import type { Scope } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { suggest } from '../../core/values/suggest.ts';
import { entriesOf, findDeep, isBelow, isDeadLink, isThere, lookBelow, realPath, statOf } from './folders.ts';
import { absolute, basesOf, isTrusted, locationsOf, type Places } from './places.ts';
import { readText } from './read-text.ts';

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
  /** Set if `file` stands for this one, which is missing: it is read as if it were there and empty. */
  readonly missing?: string;
  /** The other dialects that could read it; absent if there is none. */
  readonly others?: readonly string[];
  /** The setting or the option that made this dialect its reader. Absent: its place did. */
  readonly because?: string;
  /** The dialect that reads it instead, if there is evidence in the file. */
  readonly claim?: Claim;
}

export interface Claim extends Pick<SourceFile, 'dialect' | 'format' | 'idPrefix'> {
  readonly evidence: () => Promise<FindEvidence>;
}

/** Which dialects read the places that several can read. */
export interface Choice {
  /** The dialects to load. They share out every place that one of them names. */
  readonly only?: readonly string[] | undefined;
  /** A dialect for each place, by the id of the location or of its group, as the user's settings have it. */
  readonly readAs?: Readonly<Record<string, string>> | undefined;
  /** The dialect in which the caller speaks. It reads every place that it names. */
  readonly as?: string | undefined;
}

export interface Discovered {
  readonly sources: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}

export function discover(given: Places, agents: readonly Agent[], choice: Choice = {}): Discovered {
  const places = absolute(given);
  const diagnostics: Diagnostic[] = [...missingFolders(places), ...idleChoices(agents, choice)];
  const found: SourceFile[] = [];
  const all = readersByLocation(agents, undefined);
  const named = choice.only ? readersByLocation(agents, choice.only) : all;
  const isBelowThere = lookBelow();
  for (const location of locationsOf(agents)) {
    const key = locationKey(location);
    const { readers, because, claims } = readersOf(named.get(key) ?? [], location, choice);
    if (readers.length === 0) continue;
    for (const base of basesOf(location, places)) {
      if (!isBelowThere(base, location.path)) continue;
      for (const { file, home, missing } of filesAt(location, join(base, location.path), places, diagnostics)) {
        const shown = shownPath(missing ?? file, location, places);
        for (const reader of readers) {
          const { dialect, place } = reader;
          const others = (all.get(key) ?? []).filter((one) => one.dialect !== dialect).map((one) => one.dialect.id);
          found.push({
            file,
            dialect,
            format: place.format,
            ...(readers.length > 1 && place.sharedWith && { entries: place.sharedWith.entries }),
            kind: place.kind,
            scope: place.scope,
            folder: home,
            folderName: basename(home),
            idPrefix: `${dialect.id}:${shown}`,
            trusted: isTrusted(place.scope),
            ...(missing !== undefined && { missing }),
            ...(others.length > 0 && { others }),
            ...(because !== undefined && { because }),
            ...(claims && { claim: claimOf(claims, shown) }),
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

interface Readers {
  readonly readers: readonly Reader[];
  readonly because?: string;
  readonly claims?: Reader;
}

/**
 * Returns the readers of one location: the one that the caller or the user chose for it, else its owner or owners. Without an owner among the
 * chosen dialects, it is the first that names it. Without a choice, another may claim a file.
 */
function readersOf(naming: readonly Reader[], { id, group }: Location, { only, readAs = {}, as }: Choice): Readers {
  const isNamed = (wanted: string | undefined): Reader | undefined => naming.find(({ dialect }) => dialect.id === wanted);
  const key = [id, group].find((word) => word !== undefined && Object.hasOwn(readAs, word));
  const called = isNamed(as);
  const set = key === undefined ? undefined : isNamed(readAs[key]);
  const chosen = called ?? set;
  // The owner of one form of entries cannot read the others, so a shared place stays shared for it.
  if (chosen && chosen.place.sharedWith?.entries !== 'groups')
    return { readers: [chosen], because: called ? `\`--as ${as}\`` : `\`readAs.${key}\` in your settings` };
  const owning = naming.filter(({ place }) => place.read === 'always');
  const claims = only || chosen ? undefined : naming.find(({ place }) => place.read === 'chosen' && place.evidence);
  return { readers: owning.length > 0 || !only ? owning : naming.slice(0, 1), ...(claims && { claims }) };
}

function claimOf({ dialect, place }: Reader, shown: string): Claim {
  return { dialect, format: place.format, idPrefix: `${dialect.id}:${shown}`, evidence: place.evidence as Claim['evidence'] };
}

/** Returns the choices of the user that decide nothing: there is no such place, or the dialect cannot read it. */
function idleChoices(agents: readonly Agent[], { readAs = {} }: Choice): Diagnostic[] {
  return Object.entries(readAs).flatMap(([key, id]): Diagnostic[] => {
    const isMeant = (one: Location): boolean => one.id === key || one.group === key;
    const readers = agents.filter(({ places }) => places.some(isMeant)).map((agent) => agent.id);
    if (readers.includes(id)) return [];
    const several = new Set(
      agents.flatMap(({ places }) => places.filter(({ read }) => read === 'chosen').map((place) => place.group ?? place.id)),
    );
    const message =
      readers.length === 0
        ? `There is no place \`${key}\`, so \`readAs.${key}\` has no effect.`
        : `\`${id}\` cannot read the place \`${key}\`.`;
    const hint = readers.length === 0 ? `Places: ${[...several].sort().join(', ')}.` : `It can be read as ${readers.join(', ')}.`;
    return [{ severity: 'warning', code: 'bad-read-as', message, hint }];
  });
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
  /** The file that it stands for. */
  readonly missing?: string;
}

function filesAt({ find, base, kind }: Location, folder: string, places: Places, diagnostics: Diagnostic[]): Found[] {
  const inFolder = (home: string): Found[] => {
    const file = join(home, find.file);
    if (isThere(file)) return [{ file, home }];
    const other = find.or === undefined ? undefined : join(home, find.or);
    if (other !== undefined && isThere(other)) return [{ file: other, home, missing: file }];
    diagnostics.push(...[file, other].flatMap((path) => (path !== undefined && isDeadLink(path) ? [deadLink(path)] : [])));
    return [];
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
          if (found.length === 0) diagnostics.push(...otherSpelling(join(folder, name), find.file, kind));
          return found;
        }),
      ];
    }
    case 'ending':
      return entriesOf(folder)
        .filter(({ name }) => name.endsWith(find.file))
        .map(({ name }) => ({ file: join(folder, name), home: folder }));
    case 'endings':
      return entriesOf(folder)
        .filter((entry) => !entry.isDirectory() && isEndedSo(entry.name, find))
        .map(({ name }) => ({ file: join(folder, name), home: folder }));
    case 'named':
      return entriesOf(folder).flatMap((entry) => {
        if (entry.isDirectory()) return [];
        if (nameOf(entry.name, find) !== undefined) return [{ file: join(folder, entry.name), home: folder }];
        diagnostics.push(...misspeltName(folder, entry.name, find));
        return [];
      });
    case 'deep': {
      const { found, outside, missed } = findDeep(folder, find.file, base === 'root' ? realPath(places.root) : undefined);
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
      for (const path of missed)
        diagnostics.push(...(basename(path) === find.file ? [deadLink(path)] : otherSpelling(dirname(path), find.file, kind)));
      return found.map((file) => ({ file, home: dirname(file) }));
    }
  }
}

function deadLink(file: string): Diagnostic {
  const message = 'This link leads nowhere, so no hook is read from it.';
  return { severity: 'error', code: 'unreadable-file', file, message, hint: 'Correct the link, or remove it.' };
}

/** Reports a file whose name differs from the right one only in case. On another file system it would be found. */
function otherSpelling(home: string, wanted: string, kind: PlaceKind): Diagnostic[] {
  if (wanted === wanted.toLowerCase() || wanted.includes('/')) return [];
  const near = entriesOf(home).find(({ name }) => name !== wanted && name.toLowerCase() === wanted.toLowerCase());
  if (!near) return [];
  const file = join(home, near.name);
  // A text for a model that names no hook has nothing to lose.
  if (kind === 'skill' && !namesHooks(file)) return [];
  const message = `This file is not read, because its name must be \`${wanted}\`.`;
  return [{ severity: 'warning', code: 'misspelt-file', file, message, hint: `Rename it to \`${wanted}\`.` }];
}

function namesHooks(file: string): boolean {
  const read = readText(file);
  return read !== undefined && (!('text' in read) || /^hooks[ \t]*:/m.test(read.text));
}

/** Reports a file whose name is nearly one that is read. People disable a file by another ending, so that is not reported. */
function misspeltName(folder: string, name: string, { names, endings }: NamedSearch): Diagnostic[] {
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? [];
  const near = endings.includes(ending.toLowerCase()) ? suggest(stem, names) : undefined;
  if (near === undefined) return [];
  const message = `This file is not read, because there is no \`${stem}\`.`;
  const hint = `Did you mean \`${near}${ending}\`?`;
  return [{ severity: 'warning', code: 'misspelt-file', file: join(folder, name), message, hint }];
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
