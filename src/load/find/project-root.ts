/** Finds the project of a hook call: the folder that the agent names, else the repository of the working directory, else that directory. */

import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from '../../core/values/environment.ts';
import { noteLookup } from '../remembered/lookups.ts';

/** @param variables those in which agents name the project to their hooks */
export function projectRoot(cwd: string, environment: Environment, variables: readonly string[], home: string = homedir()): string {
  return namedIn(environment, variables, cwd) ?? repositoryOf(cwd, home) ?? cwd;
}

/** A folder that does not hold the working directory is inherited from another agent. */
function namedIn(environment: Environment, variables: readonly string[], cwd: string): string | undefined {
  return [...variables]
    .sort()
    .map((name) => environment[name] ?? '')
    .find((folder) => path.isAbsolute(folder) && holds(folder, cwd) && isFolder(folder));
}

/** Never returns the home or a folder above it, because that is not a project. */
function repositoryOf(cwd: string, home: string): string | undefined {
  for (let folder = cwd; !holds(folder, home); folder = path.dirname(folder)) {
    const repository = path.join(folder, '.git');
    noteLookup('stat', repository);
    if (existsSync(repository)) return folder;
  }
  return undefined;
}

function isFolder(folder: string): boolean {
  noteLookup('stat', folder);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function holds(folder: string, inner: string): boolean {
  const relative = path.relative(folder, inner);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}
