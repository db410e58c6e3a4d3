/**
 * Selects the environment variables that a hook's process may see, by the user's policy and by the promise of the hook's format. It is
 * pure: the caller hands the environment in. Names are compared without case, because Windows ignores case and a secret may have a
 * lower-case name.
 */

export const ENVIRONMENT_POLICIES = ['promised', 'pass', 'allow', 'deny'] as const;

export interface EnvironmentPolicy {
  /**
   * `promised`: basic variables and those the hook's format promises. `pass`: everything. `allow`: basic variables and `names`. `deny`:
   * everything except secrets and `names`.
   */
  readonly policy: (typeof ENVIRONMENT_POLICIES)[number];
  /** Names, with `*` for any part. */
  readonly names: readonly string[];
}

export const DEFAULT_ENVIRONMENT: EnvironmentPolicy = { policy: 'promised', names: [] };

/** The variables of the agent that a format promises its hooks: all of them (`inherits`), or these names in addition to the basic ones. */
export type PromisedEnvironment = 'inherits' | readonly string[];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the variables that a hook may see. */
export function visibleEnvironment(all: Environment, { policy, names }: EnvironmentPolicy, promise: PromisedEnvironment): Environment {
  const isNamed = anyOf(names);
  const isPromised = promise === 'inherits' ? () => true : anyOf(promise);
  const isKept: Record<EnvironmentPolicy['policy'], (name: string, value: string) => boolean> = {
    promised: (name, value) => isNamed(name) || ((isBasic(name) || isPromised(name)) && !isSecret(name, value)),
    pass: () => true,
    allow: (name, value) => isNamed(name) || (isBasic(name) && !isSecret(name, value)),
    deny: (name, value) => !isNamed(name) && !isSecret(name, value),
  };
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== undefined && isKept[policy](name, value)));
}

/** Variables that every program needs, and those that locate Hookline's files, because a hook may call Hookline. */
const BASIC: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'XDG_*', 'HOOKLINE_HOME'],
  ...['TERM', 'COLORTERM', 'NO_COLOR', 'LANG', 'LANGUAGE', 'LC_*'],
  // Only Windows has these.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'USERNAME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA'],
  ...['LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES*', 'COMMONPROGRAMFILES*', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_*'],
];

/** A closed list, repeated in `docs/handlers.md`. */
export const SECRET_NAMES: readonly string[] = [
  ...['TOKEN', '*_TOKEN', '*_TOKEN_*', '*_KEY', '*_KEY_ID', '*APIKEY*', '*SECRET*', '*PASSWORD*', '*PASSWD*', '*PASSPHRASE*', '*_PASS'],
  ...['*CREDENTIAL*', '*COOKIE*', '*_AUTH', '*_PAT', '*_JWT', '*_DSN', 'DATABASE_URL', '*_DATABASE_URL', '*CONNECTION_STRING*'],
  ...['AWS_*', 'SSH_AUTH_SOCK', 'GPG_AGENT_INFO'],
];

const isBasic = anyOf(BASIC);
const isSecretName = anyOf(SECRET_NAMES);

/** Recognises a secret by its name, or because it is a URL with a password, as for proxies and databases. */
function isSecret(name: string, value: string): boolean {
  return isSecretName(name) || /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]+@/i.test(value);
}

function anyOf(globs: readonly string[]): (name: string) => boolean {
  if (globs.length === 0) return () => false;
  const one = (glob: string): string => glob.split(/\*+/).map(escaped).join('.*');
  // Compiled on first use, because most runs start no process.
  let pattern: RegExp | undefined;
  return (name) => {
    pattern ??= new RegExp(`^(?:${globs.map(one).join('|')})$`, 'is');
    return pattern.test(name);
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
