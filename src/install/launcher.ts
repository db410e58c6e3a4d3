/**
 * The program that an entry names. In the user's own files it has its full path, because an agent may be started with another PATH than a
 * shell; in files of a project, which others share, it has its bare name. Names that survive an upgrade are preferred.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { InstallScope } from './host-files.ts';

export interface LaunchContext {
  /** The script this process runs, as it was called. */
  readonly script: string;
  /** The Node that runs it. */
  readonly node: string;
  readonly path: string;
}

export interface Launcher {
  readonly program: readonly string[];
  /** Whether it names places of this machine. */
  readonly absolute: boolean;
}

export function launcherFor(scope: InstallScope, { script, node, path }: LaunchContext): Launcher {
  const onPath = findProgram(NAME, path);
  const isOurs = onPath !== undefined && sameFile(onPath, script);
  const client = join(dirname(realOf(script)), CLIENT);
  const hasClient = process.platform !== 'win32' && existsSync(client);
  if (scope === 'project' && hasClient && sameFile(findProgram(CLIENT, path) ?? '', client)) return { program: [CLIENT], absolute: false };
  if (scope === 'project' && isOurs) return { program: [NAME], absolute: false };
  if (hasClient) return { program: [...bashFor(client), client], absolute: true };
  return { program: [stableName(node, path), isOurs ? (onPath as string) : script], absolute: true };
}

/** Returns the file of a bare name; undefined if there is none that may be executed. */
export function findProgram(name: string, path: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe', ''] : [''];
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)))
    .find(isProgram);
}

/** Returns why a program cannot be started; undefined if it can. */
export function whyNotStarted(program: readonly string[], path: string): string | undefined {
  for (const [index, word] of program.entries()) {
    if (!isAbsolute(word)) {
      if (index === 0 && findProgram(word, path) === undefined) return `\`${word}\` is not on the PATH`;
    } else if (!existsSync(word)) return `${word} does not exist`;
    else if (index === 0 && !isProgram(word)) return `${word} may not be executed`;
  }
  return undefined;
}

const NAME = 'hookline';
const CLIENT = 'hookline-hook';
/** Where the client itself looks for bash. */
const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash'];

/** The client runs in bash where there is one. An entry that starts bash itself saves the start of the shell that would look for it. */
function bashFor(client: string): readonly string[] {
  const bash = SHELLS.find(isProgram);
  return bash === undefined || !isProgram(client) ? [] : [bash, '-p'];
}

/** Returns a link to the file that stays in place when the version changes. */
function stableName(file: string, path: string): string {
  const found = findProgram(basename(file), path);
  return found !== undefined && sameFile(found, file) ? found : file;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function sameFile(one: string, other: string): boolean {
  return realOf(one) === realOf(other);
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
