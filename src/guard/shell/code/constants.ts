/** Names with a value that every program of a language has: the home folder, the environment, the interpreter. */
import { UNKNOWN } from '../marks.ts';
import { text, type Value } from './value.ts';

/** Tables of the environment, by their names in all languages. */
const ENVIRONMENT =
  /^(?:os\.environ|os\.environb|process\.env|Deno\.env|Bun\.env|import\.meta\.env|ENV|\$ENV|\$_ENV|\$_SERVER|ENVIRON|globalThis\.process\.env|env|sys\.env|System\.env)$/;
/** Members that are a home folder. */
const HOME = /(?:^|\.)(?:homedir|home|pw_dir|homeDir|HOME|user_home|homeDirectoryForCurrentUser|homeDirectory)$/;
const KNOWN: Readonly<Record<string, string>> = {
  'sys.executable': 'python3',
  'process.execPath': 'node',
  'process.argv0': 'node',
  $HOME: '~',
  'os.sep': '/',
  'path.sep': '/',
  'os.curdir': '.',
  'os.pardir': '..',
  __dirname: '.',
  'user.home': '~',
};
const OF_ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME: '~',
  USERPROFILE: '~',
  PWD: '.',
  TMPDIR: '/tmp',
  XDG_CONFIG_HOME: '~/.config',
  XDG_STATE_HOME: '~/.local/state',
  HOMEDRIVE: '',
  HOMEPATH: '~',
};

export function constantOf(name: string, flavour: string): Value | undefined {
  if (Object.hasOwn(KNOWN, name)) return text(KNOWN[name] ?? '');
  return flavour === 'awk' && name === 'ENVIRON' ? undefined : undefined;
}

/** Returns the value of a variable of the environment. */
export function environmentValue(name: string): Value {
  return text(Object.hasOwn(OF_ENVIRONMENT, name) ? (OF_ENVIRONMENT[name] ?? UNKNOWN) : UNKNOWN);
}

export function isEnvironment(name: string): boolean {
  return ENVIRONMENT.test(name);
}

/** Returns whether a member, or a function without arguments, is the home folder. */
export function isHome(name: string): boolean {
  return HOME.test(name);
}
