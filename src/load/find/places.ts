/** The folders in which hook files are looked for, worked out from the places of the agents that are handed in. */
import { join, resolve } from 'node:path';
import { type Agent, type Location, locationKey, type NamedBase } from '../../core/contracts/agent.ts';
import type { Scope } from '../../core/contracts/hook.ts';

/** The folders that locations are relative to. All but the named ones may be missing. */
export interface Places extends Readonly<Record<NamedBase, readonly string[]>> {
  readonly root: string;
  readonly home: string;
  /** The XDG config folder. */
  readonly configFolder: string;
  /** The root of the system, for files of the machine's administrator; absent: none of them is searched. */
  readonly system?: string;
}

export interface ResolvedPlaces extends Places {
  readonly stateFolder: string;
}

/**
 * Each location that an agent names, once, in the order in which they are searched. The order of each agent's own list holds, so a location
 * that only a later agent names comes right before the next one that is known already.
 */
export function locationsOf(agents: readonly Pick<Agent, 'places'>[]): readonly Location[] {
  const order: Location[] = [];
  const keys: string[] = [];
  for (const { places } of agents) {
    let at = order.length;
    for (const place of [...places].reverse()) {
      const key = locationKey(place);
      const known = keys.indexOf(key);
      if (known >= 0) at = known;
      else {
        order.splice(at, 0, place);
        keys.splice(at, 0, key);
      }
    }
  }
  return order;
}

/** Returns the paths to watch so that every change of a hook is noticed. None of them needs to exist yet. */
export function watchTargets(given: Places, agents: readonly Agent[]): string[] {
  const places = absolute(given);
  const targets = locationsOf(agents).flatMap((location) =>
    basesOf(location, places).flatMap((base) => watchedPaths(location).map((path) => join(base, path))),
  );
  return [...new Set([...targets, ...serverTargets(places.root, agents)])];
}

/** Files of the project with the MCP servers of hooks. Those of the user are not watched, because agents write them all the time. */
function serverTargets(root: string, agents: readonly Agent[]): readonly string[] {
  const files = agents.flatMap(({ dialect }) => dialect.profile.load.servers ?? []);
  return files.flatMap(({ base, path }) => (base === 'root' ? [join(root, path)] : []));
}

/** Files of the machine's administrator are not watched. */
function watchedPaths({ base, path, find, watch }: Location): readonly string[] {
  if (base === 'system') return [];
  return watch ?? [find.kind === 'file' ? `${path}/${find.file}` : path];
}

/** Hooks found below the project must be trusted first. The user's own hooks and those in named folders need no further trust. */
export function isTrusted(scope: Scope): boolean {
  return scope === 'user' || scope === 'managed' || scope === 'runtime';
}

/** Makes every folder absolute once, because all of them are compared as text later. */
export function absolute({ root, home, configFolder, system, skills, plugins, hooks }: Places): Places {
  const all = (folders: readonly string[]) => folders.map((folder) => resolve(folder));
  return {
    root: resolve(root),
    home: resolve(home),
    configFolder: resolve(configFolder),
    ...(system !== undefined && { system: resolve(system) }),
    skills: all(skills),
    plugins: all(plugins),
    hooks: all(hooks),
  };
}

/** Returns the folders that a location starts from: several only if the caller named several. Expects absolute places. */
export function basesOf({ base }: Pick<Location, 'base'>, places: Places): readonly string[] {
  switch (base) {
    case 'root':
      return [places.root];
    case 'home':
      return [places.home];
    case 'config':
      return [places.configFolder];
    case 'system':
      return places.system === undefined ? [] : [places.system];
    default:
      return places[base];
  }
}
