/**
 * The files that a hook runs: finds them with the folders of the hook and the rules of a shell, and checks their permissions. It reads the
 * file system and changes nothing.
 */
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Hook, Scope } from '../../core/contracts/hook.ts';
import { type Finding, finding } from '../findings.ts';
import type { Run } from '../shell/machine.ts';
import { isDynamic } from '../shell/marks.ts';
import type { Language } from './cover/literals.ts';
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from './observed-fs.ts';
import { isOwnProgram } from './own-program.ts';
import { auditViolation } from './rules.ts';

/** Checks the permissions of a file: who can change it, whose rights it runs with, and whether it is executable. */
export function judgeRights(path: string, { how }: FollowedFile): readonly Finding[] {
  const stat = statOf(path);
  // Windows has no such mode bits and reports that everybody can do everything.
  if (!stat || process.platform === 'win32') return [];
  const violations = [];
  if ((stat.mode & 0o6000) !== 0)
    violations.push(
      auditViolation('set-user-id', 'The file runs with the rights of its owner or group instead of the rights of the user who starts it.'),
    );
  if ((stat.mode & 0o002) !== 0) violations.push(auditViolation('world-writable', 'Every user of this machine can change the file.'));
  if (how === 'itself' && (stat.mode & 0o111) === 0)
    violations.push(auditViolation('not-executable', 'The file is not executable, so it does not run.'));
  return violations.map((violation) => finding(violation, path));
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export const MOST_BYTES = 512 * 1024;
const MOST_ENTRIES = 1000;
/** The ways to run a file that must be there. */
const RUN = /^(shell|source|itself|interpreter|script)$/;
/** Programs of the operating system. They do not belong to the hook, so the audit skips them. */
const SYSTEM = /^\/(usr|bin|sbin|lib\w*|opt|nix|snap|dev|proc|System|Library)\//;

export type TaskTool = 'make' | 'just' | 'task' | 'scripts';

/**
 * A file that is run, or that a running file imports. `part`: it belongs to the hook and is not judged. `tasks`: tasks in it are run.
 * `folder`, `package`: every file of a folder belongs to the hook.
 */
export type FollowedFile = Omit<Run, 'how'> & {
  readonly how: Run['how'] | 'import' | 'part' | 'tasks' | 'folder' | 'package';
  /** The files among its arguments. They run if the file runs its arguments. */
  readonly args?: readonly string[];
  /** The language of the program that loads or runs it, for a file that does not tell its language. */
  readonly language?: Language;
  readonly tool?: TaskTool;
  readonly targets?: readonly string[];
};

export interface Files {
  /** The project, if the hook comes from somewhere else and must therefore be known whole. Undefined: only the named scripts are followed. */
  readonly root: string | undefined;
  /** The folders in which names are looked up: the one in which the hook runs, and the hook's own. */
  readonly bases: readonly string[];
  /** Returns the absolute paths that a name can mean. */
  resolve(path: string, cwd: string): readonly string[];
  /** Returns the file that a run names. Undefined: the file does not exist, or it is a program of the system. */
  locate(run: FollowedFile): string | undefined;
  /** Returns whether a run names a script by a path that does not exist. */
  isMissing(run: FollowedFile): boolean;
  /** Returns whether a path is in the hook's folder but its target is outside. */
  leavesFolder(path: string): boolean;
  /** Returns whether a file is outside the hook's folder, its working folder and the system. */
  isOutside(path: string): boolean;
}

export function createFiles(hook: Hook, fallbackCwd: string | undefined, project = fallbackCwd): Files {
  const { folder } = hook;
  const within = folder === undefined ? undefined : homeOf(folder, project);
  const bases = [hook.cwd ?? fallbackCwd, folder].filter((base): base is string => base !== undefined);
  const [runsIn = ''] = bases;
  const isOurs = (path: string): boolean => [...bases, fallbackCwd].some((base) => base !== undefined && isBelow(path, base));
  const candidates = (run: FollowedFile, from = bases): readonly string[] => {
    if (isDynamic(run.path) || run.path === '' || run.path.includes('\0')) return [];
    const asked = fromHome(run.path);
    const below = isDynamic(run.cwd) ? '' : fromHome(run.cwd);
    return isAbsolute(asked) ? [asked] : from.map((base) => resolve(base, below, asked));
  };
  return {
    root: isForeign(hook.source.scope) ? project : undefined,
    bases,
    resolve: (path, cwd) => candidates({ path, cwd, how: 'import' }),
    locate(run) {
      const found = candidates(run).find(isFile);
      if (found === undefined || isOwnProgram(found)) return undefined;
      return !isOurs(found) && run.how === 'itself' && SYSTEM.test(found) ? undefined : found;
    },
    isMissing(run) {
      if (run.guessed || !RUN.test(run.how) || isDynamic(run.cwd) || (run.how === 'itself' && !run.path.includes('/'))) return false;
      // A glob names the files that match.
      if (/[*?[]/.test(run.path)) return false;
      // It runs in its working folder, so a file in the hook's own folder does not help there.
      const places = candidates(run, [runsIn]);
      return places.length > 0 && !places.some((path) => isThere(path) || (SYSTEM.test(path) && !isOurs(path)));
    },
    leavesFolder(path) {
      return folder !== undefined && within !== undefined && isBelow(path, folder) && leadsOutside(path, within);
    },
    isOutside: (path) => !isOurs(path) && !SYSTEM.test(path),
  };
}

/** Returns whether the hook comes from somewhere else. A user's own hooks can use scripts in any folder. */
export function isForeign(scope: Scope): boolean {
  return scope === 'project' || scope === 'plugin' || scope === 'skill';
}

/** Returns the folder that a link must not lead out of: the project, or the hook's own folder if that is not in the project. */
function homeOf(folder: string, project: string | undefined): string {
  return project !== undefined && !leadsOutside(folder, project) ? project : folder;
}

/** Checks a folder for files that are too large to read and for links that lead out of it and out of the project. */
export function auditFolder(folder: string, project?: string): readonly (Finding & { readonly file: string })[] {
  const within = homeOf(folder, project);
  const findings: (Finding & { readonly file: string })[] = [];
  const folders = [folder];
  let entries = 0;
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const name of list(at)) {
      const path = join(at, name);
      if (++entries > MOST_ENTRIES)
        return [
          ...findings,
          { ...finding(auditViolation('unaudited-file', `The folder contains more than ${MOST_ENTRIES} entries.`), folder), file: folder },
        ];
      const facts = factsOf(path);
      if (facts?.isSymbolicLink() && leadsOutside(path, within)) findings.push({ ...leavingLink(path), file: path });
      else if (facts?.isDirectory()) folders.push(path);
      else if (facts?.isFile() && facts.size > MOST_BYTES) findings.push({ ...tooLarge(path), file: path });
    }
  }
  return findings;
}

export function tooLarge(path: string): Finding {
  return finding(auditViolation('unaudited-file', 'The file is larger than 512 KiB, so it is not audited.'), path);
}

export function leavingLink(path: string): Finding {
  return finding(auditViolation('link-leaves-folder', 'The link leads out of the hook folder.'), path);
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process cannot read this folder, so it cannot run anything from it.
    return [];
  }
}

function factsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // The name is too long or the folder cannot be read, so nothing here can run.
    return false;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Returns whether a link leads out of the folder. A dangling link counts, because its target can appear later. */
function leadsOutside(path: string, folder: string): boolean {
  try {
    return existsSync(path) ? !isBelow(realpathSync(path), realpathSync(folder)) : true;
  } catch {
    return true;
  }
}

export function isBelow(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
