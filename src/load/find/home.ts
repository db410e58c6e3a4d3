/** The user's folders: home, configuration, state. If a home is given, the XDG folders are below it, so that one option isolates everything. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { HostEntry } from '../../core/contracts/host.ts';

export interface HomeFolders {
  readonly home: string;
  readonly configFolder: string;
  /** Hookline keeps its state in `hookline` below it. */
  readonly stateFolder: string;
  /** Variables by which agents may have moved their folders. Empty if a home is given. */
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

/** XDG variables are used only if they are absolute. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

/** A folder of the home that a variable of its agent moves elsewhere. */
export interface Moved {
  /** The folder relative to the home; empty for the whole home, for this agent only. */
  readonly holds: string;
  /** Its absolute path. */
  readonly folder: string;
}

/** Without variables nothing is moved, because a given home holds everything. */
export function movedFolders(
  entries: readonly Pick<HostEntry, 'movedBy'>[],
  variables: Readonly<Record<string, string | undefined>>,
): readonly Moved[] {
  return entries.flatMap(({ movedBy }) => {
    const folder = movedBy && variables[movedBy.variable];
    return movedBy && folder && isAbsolute(folder) ? [{ holds: movedBy.holds, folder }] : [];
  });
}

/** Returns the real path for a path below the home. */
export function inHome(path: string, home: string, moved: readonly Moved[] = []): { readonly path: string; readonly bounds: string } {
  const row = moved.find(({ holds }) => path === holds || path.startsWith(`${holds}/`));
  if (!row) return { path: join(home, path), bounds: home };
  return { path: join(row.folder, path.slice(row.holds.length)), bounds: row.folder };
}
