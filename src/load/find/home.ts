/** The user's folders: home, configuration, state. A given home takes the XDG folders with it, so that one option isolates everything. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { HostEntry } from '../../core/contracts/host.ts';

export interface HomeFolders {
  readonly home: string;
  readonly configFolder: string;
  /** What Hookline remembers lives in `hookline` below it. */
  readonly stateFolder: string;
  /** By which variables agents may have moved their folders; a home that was given is moved by none. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export function resolveHome(
  options: { readonly home?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): HomeFolders {
  const given = options.home || env['HOOKLINE_HOME'];
  if (given) {
    const home = resolve(given);
    return { home, configFolder: join(home, '.config'), stateFolder: join(home, '.local', 'state'), variables: {} };
  }
  const home = env['HOME'] || homedir();
  return {
    home,
    configFolder: absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config'),
    stateFolder: absolute(env['XDG_STATE_HOME']) ?? join(home, '.local', 'state'),
    variables: env,
  };
}

/** XDG variables count only if absolute. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

/** Agents whose folder in the home is moved elsewhere by a variable of their own: what stands below it is looked for there. */

export interface Moved {
  /** The folder as seen from the home; empty: all of it, for this agent alone. */
  readonly holds: string;
  /** Where it is, absolute. */
  readonly folder: string;
}

/** With no variables nothing is moved: a home that was given takes everything with it. */
export function movedFolders(
  entries: readonly Pick<HostEntry, 'movedBy'>[],
  variables: Readonly<Record<string, string | undefined>>,
): readonly Moved[] {
  return entries.flatMap(({ movedBy }) => {
    const folder = movedBy && variables[movedBy.variable];
    return movedBy && folder && isAbsolute(folder) ? [{ holds: movedBy.holds, folder }] : [];
  });
}

/** Where a path below the home really is. */
export function inHome(path: string, home: string, moved: readonly Moved[] = []): { readonly path: string; readonly bounds: string } {
  const row = moved.find(({ holds }) => path === holds || path.startsWith(`${holds}/`));
  if (!row) return { path: join(home, path), bounds: home };
  return { path: join(row.folder, path.slice(row.holds.length)), bounds: row.folder };
}
