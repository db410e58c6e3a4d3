/** Finds the project of a hook call: the folder that the agent names, else the repository of the working directory, else that directory. */

import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from '../../core/values/environment.ts';

export function hostRoot(cwd: string, environment: Environment, home: string = homedir()): string {
  return namedIn(environment, cwd) ?? repositoryOf(cwd, home) ?? cwd;
}

/** Agents set `…_PROJECT_DIR` for their hooks. A folder that does not hold the working directory was inherited from another agent. */
function namedIn(environment: Environment, cwd: string): string | undefined {
  return Object.keys(environment)
    .filter((name) => /^[A-Z]+_PROJECT_DIR$/.test(name))
    .sort()
    .map((name) => environment[name] ?? '')
    .find((folder) => path.isAbsolute(folder) && holds(folder, cwd) && statSync(folder, { throwIfNoEntry: false })?.isDirectory());
}

/** Never returns the home or a folder above it, because that is not a project. */
function repositoryOf(cwd: string, home: string): string | undefined {
  for (let folder = cwd; !holds(folder, home); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
  }
  return undefined;
}

function holds(folder: string, inner: string): boolean {
  const relative = path.relative(folder, inner);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}
