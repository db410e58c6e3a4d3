/**
 * The record of an installation: whose hooks an installed entry protects, and what runs it. An entry leads to this file, so that variables of
 * the environment, which an agent or a project can set, do not decide which hooks are asked. `bin/hookline-hook` reads the same lines.
 */
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { Environment } from '../../core/values/environment.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { HomeFolders } from './home.ts';

export interface Installation {
  readonly version: string;
  readonly home: string;
  readonly configFolder: string;
  readonly stateFolder: string;
  /** The path of Node. */
  readonly node: string;
  /** The path of `bin/hookline.js`. */
  readonly program: string;
}

/** The value of `--installed` in a shared file. The entry then uses the record of the account that runs it. */
export const OF_ACCOUNT = 'account';

/** Returns the path of the record. It does not depend on XDG variables, because an entry of a project must find it without them. */
export function recordIn(home: string): string {
  return path.join(home, '.local', 'state', 'hookline', 'installed');
}

/** Writes the record in one step, for the user alone. */
export function writeInstallation(installation: Installation): string {
  const file = recordIn(installation.home);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  const { version, home, configFolder, stateFolder, node, program } = installation;
  writeFileSync(draft, `${[FORMAT, version, home, configFolder, stateFolder, node, program].join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
  return file;
}

/**
 * Returns the record that an entry names; undefined if the entry leaves it to the account and the account has none. Throws if the record is
 * missing or could have been written by somebody else, because then it is not known which hooks protect.
 */
export function readInstallation(
  named: string,
  env: Environment,
  accountHome: string | undefined = homeOfAccount(),
): Installation | undefined {
  if (named !== OF_ACCOUNT) return readRecord(named);
  const homes = [accountHome, env['HOME']].flatMap((home) => (home !== undefined && path.isAbsolute(home) ? [home] : []));
  const file = homes.map(recordIn).find((one) => lstatSync(one, { throwIfNoEntry: false }));
  return file === undefined ? undefined : readRecord(file);
}

/** Returns the variables by which `resolveHome` finds the folders of the record. */
export function foldersOf({ home, configFolder, stateFolder }: Installation): Environment {
  return { HOME: home, XDG_CONFIG_HOME: configFolder, XDG_STATE_HOME: stateFolder };
}

/** Whether two resolutions lead to the same hooks, settings and state. */
export function isSameHome(one: HomeFolders, other: HomeFolders): boolean {
  return one.home === other.home && one.configFolder === other.configFolder && one.stateFolder === other.stateFolder;
}

const FORMAT = 'hookline-installed 1';

/** The home that the system has for the account, whatever `HOME` is. */
function homeOfAccount(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function readRecord(file: string): Installation {
  const unusable = (why: string): HooklineError =>
    new HooklineError('bad-installation', `The record of this installation, ${file}, ${why}.`, {
      hint: 'Run `hookline install` again in your own terminal.',
    });
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) throw unusable('is missing');
  const uid = process.getuid?.();
  if (!found.isFile() || (uid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0)))
    throw unusable('could have been written by somebody else');
  const [format, version = '', home = '', configFolder = '', stateFolder = '', node = '', program = ''] = readFileSync(file, 'utf8').split(
    '\n',
  );
  if (format !== FORMAT || ![home, configFolder, stateFolder].every((folder) => path.isAbsolute(folder))) throw unusable('cannot be read');
  return { version, home, configFolder, stateFolder, node, program };
}
