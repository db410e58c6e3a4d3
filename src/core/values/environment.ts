/**
 * Which variables of our environment a hook's process may see: by the user's policy, and by what the hook's format promises. Pure; whoever
 * starts the process hands the environment in. Names are compared without case: Windows has none, and a secret in lower case is one too.
 */

export const ENVIRONMENT_POLICIES = ['promised', 'pass', 'allow', 'deny'] as const;

export interface EnvironmentPolicy {
  /**
   * `promised`: what every program needs and what the hook's format promises; `pass`: everything; `allow`: what every program needs and
   * `names`; `deny`: everything but secrets and `names`.
   */
  readonly policy: (typeof ENVIRONMENT_POLICIES)[number];
  /** Names, with `*` for any part. */
  readonly names: readonly string[];
}

export const DEFAULT_ENVIRONMENT: EnvironmentPolicy = { policy: 'promised', names: [] };

/** What a format promises its hooks of the agent's environment: all of it (`inherits`), or these names beside what every program needs. */
export type PromisedEnvironment = 'inherits' | readonly string[];

export type Environment = Readonly<Record<string, string | undefined>>;

/** What of an environment a hook may see. */
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

/** What every program needs, and where Hookline itself keeps its files: a hook may be a program that asks Hookline. */
const BASIC: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'XDG_*', 'HOOKLINE_HOME'],
  ...['TERM', 'COLORTERM', 'NO_COLOR', 'LANG', 'LANGUAGE', 'LC_*'],
  // Windows; elsewhere nobody has them.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'USERNAME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA'],
  ...['LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES*', 'COMMONPROGRAMFILES*', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_*'],
];

/** Closed, and the same in docs/handlers.md. */
export const SECRET_NAMES: readonly string[] = [
  ...['TOKEN', '*_TOKEN', '*_TOKEN_*', '*_KEY', '*_KEY_ID', '*APIKEY*', '*SECRET*', '*PASSWORD*', '*PASSWD*', '*PASSPHRASE*', '*_PASS'],
  ...['*CREDENTIAL*', '*COOKIE*', '*_AUTH', '*_PAT', '*_JWT', '*_DSN', 'DATABASE_URL', '*_DATABASE_URL', '*CONNECTION_STRING*'],
  ...['AWS_*', 'SSH_AUTH_SOCK', 'GPG_AGENT_INFO'],
];

const isBasic = anyOf(BASIC);
const isSecretName = anyOf(SECRET_NAMES);

/** By its name, or because it is an address with a password in it, as proxies and databases have. */
function isSecret(name: string, value: string): boolean {
  return isSecretName(name) || /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]+@/i.test(value);
}

function anyOf(globs: readonly string[]): (name: string) => boolean {
  if (globs.length === 0) return () => false;
  const one = (glob: string): string => glob.split(/\*+/).map(escaped).join('.*');
  // Made when the first name is tried: most runs start no process.
  let pattern: RegExp | undefined;
  return (name) => {
    pattern ??= new RegExp(`^(?:${globs.map(one).join('|')})$`, 'is');
    return pattern.test(name);
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
