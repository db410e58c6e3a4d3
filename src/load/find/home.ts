/** The user's folders: home, configuration, state. A given home takes the XDG folders with it, so that one option isolates everything. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

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
