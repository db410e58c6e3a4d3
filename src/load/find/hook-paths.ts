/** Hook files by the paths that a person names. A file of the project is read as the project sees it, any other by the shape of its path. */

import { devNull } from 'node:os';
import path from 'node:path';
import { type Agent, type FileSearch, isEndedSo, type Location, locationKey, type NamedBase, nameOf } from '../../core/contracts/agent.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Choice, type Discovered, discover, type Places, type SourceFile } from './discover.ts';
import { entriesOf, isBelow, realPath, statOf } from './folders.ts';
import { locationsOf } from './places.ts';

export interface Chosen {
  readonly sources: readonly SourceFile[];
  /** Set if the caller named only this file or folder of a plugin. It counts only if the plugin names a file there. */
  readonly keep?: string;
}

/** Finds hook files by path. */
export interface FindHooks {
  /** Returns the hook files in these places alone. */
  in(places: Partial<Places>): Discovered;
  /** Returns the places in which a file would be found, by the shape of its path; undefined if no agent has such a file. */
  placesOf(file: string): Partial<Places> | undefined;
  /** The same for a file that counts only because another is missing. */
  standInPlacesOf(file: string): Partial<Places> | undefined;
  /** Manifests that lead to the files of a plugin, as seen from its root. */
  readonly manifests: readonly string[];
  /** The shapes of all files that are known. */
  readonly known: readonly string[];
}

export function createFindHooks(agents: readonly Agent[], choice?: Choice): FindHooks {
  const shapes = shapesOf(agents);
  const standIns = shapes.flatMap(standIn);
  return {
    in: (places) => discover({ ...NOTHING, ...places }, agents, choice),
    placesOf: (file) => placesIn(shapes, file),
    standInPlacesOf: (file) => placesIn(standIns, file),
    manifests: [...new Set(shapes.filter(({ location }) => location.kind === 'plugin').map(({ location }) => location.find.file))],
    known: [...new Set(shapes.map(shownShape))].sort(),
  };
}

/** Returns the hook files at a path, or why there are none. */
export function choose(given: string, project: readonly SourceFile[], find: FindHooks): Chosen | Diagnostic {
  const stat = statOf(given);
  if (!stat) return problem('not-found', given, 'There is nothing at this path.', 'Check the path; it is seen from the working directory.');
  // A file of the project is known by any path that leads to it.
  const real = realPath(given) ?? given;
  const listed = project.filter(({ file }) => isBelow(file, given) || isBelow(realPath(file) ?? file, real));
  if (listed.length > 0) return { sources: listed };
  if (!stat.isDirectory()) return sourcesOf(given, project, find) ?? nothingAt(given, find);
  const found = find.in({ root: given }).sources;
  const sources = found.length > 0 ? found : filesBelow(given, find).flatMap((file) => sourcesOf(file, project, find)?.sources ?? []);
  return sources.length > 0 ? { sources } : (sourcesOf(given, project, find) ?? nothingAt(given, find));
}

/** Returns the problem of a path at which no agent reads a file, and no plugin names one. */
export function nothingAt(given: string, { known }: FindHooks): Diagnostic {
  const hint = `Known files: ${known.join(', ')}, and the files that a plugin names.`;
  if (statOf(given)?.isDirectory()) return problem('no-hook-files', given, 'There are no hook files in this folder.', hint);
  return problem('unknown-file', given, 'Hookline does not know this file as a hook file.', hint);
}

/** Returns every hook file at a path, of every kind: finding some does not end the search for others. */
export function allAt(given: string, agents: readonly Agent[]): readonly SourceFile[] | Diagnostic {
  const find = createFindHooks(agents);
  const chosen = choose(given, [], find);
  if ('severity' in chosen) return chosen;
  // The plugin is not read here, so only a file that looks like one of its hook files leads to it.
  if (chosen.keep !== undefined && !given.endsWith('.json')) return nothingAt(given, find);
  if (!statOf(given)?.isDirectory()) return chosen.sources;
  const more = filesBelow(given, find).flatMap((file) => sourcesOf(file, chosen.sources, find)?.sources ?? []);
  return [...new Map([...chosen.sources, ...more].map((source) => [`${source.dialect.id}\0${source.file}`, source])).values()];
}

/** A place below a device that has none: nothing is ever found there. */
const NOWHERE = path.join(devNull, 'nowhere');
const NOTHING: Places = { root: NOWHERE, home: NOWHERE, configFolder: NOWHERE, skills: [], plugins: [], hooks: [] };
const KEYS = { root: 'root', home: 'home', config: 'configFolder', system: 'system', skills: 'skills', plugins: 'plugins', hooks: 'hooks' };
/** Of locations that fit equally well, the first base counts: the same file may be the project's or the user's. */
const RANK = ['root', 'home', 'config', 'system', 'skills', 'plugins', 'hooks'];

/** How a file is recognised by its path. */
interface Shape {
  readonly location: Location;
  /** Set if the owner also reads folders that the caller names: then the hook's own folder is such a folder, wherever it lies. */
  readonly named: NamedBase | undefined;
}

/** Returns the shape of the file that counts where the one of this shape is missing. */
function standIn({ location, named }: Shape): Shape[] {
  const { or, ...find } = location.find;
  return or === undefined ? [] : [{ location: { ...location, find: { ...find, file: or } }, named }];
}

function placesIn(shapes: readonly Shape[], file: string): Partial<Places> | undefined {
  for (const { location, named } of shapes) {
    const base = baseOf(file, location);
    if (base !== undefined) return named ? { [named]: [hookFolder(file, location.find)] } : { [KEYS[location.base]]: base };
  }
  return undefined;
}

/** The longest path comes first, because it says most. */
function shapesOf(agents: readonly Agent[]): readonly Shape[] {
  const owners = new Map(
    agents.flatMap(({ id, places }) => places.filter(({ read }) => read === 'always').map((place) => [locationKey(place), id] as const)),
  );
  const locations = locationsOf(agents);
  const namedOf = (location: Location): NamedBase | undefined => {
    const owner = owners.get(locationKey(location));
    const named = locations.find((one) => isNamed(one) && one.find.file === location.find.file && owners.get(locationKey(one)) === owner);
    return named && isNamed(named) ? named.base : undefined;
  };
  const depth = ({ path: folder }: Location): number => (folder === '' ? 0 : folder.split('/').length);
  return locations
    .map((location) => ({ location, named: namedOf(location) }))
    .sort((a, b) => depth(b.location) - depth(a.location) || RANK.indexOf(a.location.base) - RANK.indexOf(b.location.base));
}

function isNamed(location: Location): location is Location & { readonly base: NamedBase } {
  return location.base === 'skills' || location.base === 'plugins' || location.base === 'hooks';
}

function shownShape({ location, named }: Shape): string {
  const { path: folder, find } = location;
  if (named || folder === '') return find.file;
  const after = `*${find.file}`;
  const below = { file: find.file, each: `*/${find.file}`, deep: `**/${find.file}`, ending: after, endings: after, named: find.file }[
    find.kind
  ];
  return `${location.base === 'system' ? '/' : ''}${folder}/${below}`;
}

/** Returns the folder the hook of a file would live in. */
function hookFolder(file: string, find: FileSearch): string {
  return find.kind === 'ending' || find.kind === 'endings' || find.kind === 'named'
    ? path.dirname(file)
    : file.slice(0, -find.file.length - 1);
}

/** Returns the base from which this location would find the file; undefined if it would not. */
function baseOf(file: string, { base, path: folder, find }: Location): string | undefined {
  if (!hasName(file, find)) return undefined;
  const home = hookFolder(file, find);
  const starts =
    find.kind === 'each' ? [path.dirname(home), ...(find.orSelf ? [home] : [])] : find.kind === 'deep' ? upwards(home) : [home];
  for (const start of starts) {
    const above = withoutTail(start, folder);
    // Only the real root of the system holds files of the administrator.
    if (above !== undefined && (base !== 'system' || above === path.parse(above).root)) return above;
  }
  return undefined;
}

function hasName(file: string, find: FileSearch): boolean {
  if (find.kind === 'ending') return file.endsWith(find.file);
  if (find.kind === 'endings') return isEndedSo(path.basename(file), find);
  if (find.kind === 'named') return nameOf(path.basename(file), find) !== undefined;
  return file.endsWith(path.sep + find.file.split('/').join(path.sep));
}

function upwards(folder: string): string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

function withoutTail(folder: string, tail: string): string | undefined {
  if (tail === '') return folder;
  const end = path.sep + tail.split('/').join(path.sep);
  return folder.endsWith(end) ? folder.slice(0, -end.length) || path.parse(folder).root : undefined;
}

function problem(code: string, file: string, message: string, hint: string): Diagnostic {
  return { severity: 'error', code, file, message, hint };
}

/** Returns the source that leads to a hook file, itself or the manifest of its plugin, once for each dialect that reads it. */
function sourcesOf(file: string, project: readonly SourceFile[], find: FindHooks): Chosen | undefined {
  const own = find.placesOf(file);
  const manifest = own ? undefined : manifestAbove(file, find.manifests);
  const places = own ?? (manifest === undefined ? find.standInPlacesOf(file) : undefined);
  const origin = places ? file : manifest;
  if (origin === undefined) return undefined;
  const real = origin === file ? undefined : realPath(origin);
  const isOrigin = (source: SourceFile): boolean => source.file === origin || (real !== undefined && realPath(source.file) === real);
  const known = project.filter(isOrigin);
  const sources = known.length > 0 ? known : find.in(places ?? find.placesOf(origin) ?? {}).sources.filter(isOrigin);
  return sources.length === 0 ? undefined : { sources, ...(origin !== file && { keep: file }) };
}

function manifestAbove(file: string, manifests: readonly string[]): string | undefined {
  return upwards(path.dirname(file))
    .flatMap((folder) => manifests.map((manifest) => path.join(folder, manifest)))
    .find((manifest) => statOf(manifest)?.isFile());
}

/** Whether the file counts because no manifest leads to it. */
function isStandIn(file: string, find: FindHooks): boolean {
  return find.standInPlacesOf(file) !== undefined && manifestAbove(file, find.manifests) === undefined;
}

/** Returns every file below that is a hook file by its path. Links are not followed. */
function filesBelow(folder: string, find: FindHooks): string[] {
  const found: string[] = [];
  const queue = [folder];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const entry of entriesOf(at)) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') queue.push(file);
      else if (entry.isFile() && (find.placesOf(file) || isStandIn(file, find))) found.push(file);
    }
  }
  return found;
}
