/** What the file system says about a file that a hook runs: who may change it, with whose rights it runs, whether it can be run at all. */
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Hook } from '../../core/contracts/hook.ts';
import { type Finding, finding } from '../findings.ts';
import type { Run } from '../shell/machine.ts';
import { isDynamic } from '../shell/marks.ts';
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from './observed-fs.ts';
import { accuse } from './rules.ts';

export function judgeRights(path: string, { how }: Followed): readonly Finding[] {
  const stat = statOf(path);
  // Windows has no such bits, and says that everybody may do everything.
  if (!stat || process.platform === 'win32') return [];
  const accused = [];
  if ((stat.mode & 0o6000) !== 0) accused.push(accuse('set-user-id', `Runs with the rights of its owner or group, whoever starts it.`));
  if ((stat.mode & 0o002) !== 0) accused.push(accuse('world-writable', 'May be changed by everybody on this machine.'));
  if (how === 'itself' && (stat.mode & 0o111) === 0) accused.push(accuse('not-executable', 'May not be executed, so it does not run.'));
  return accused.map((accusation) => finding(accusation, path));
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Where the files are that a hook runs: found by the folders the hook has, as a shell would find them. Reads the file system, changes nothing. */

export const MOST_BYTES = 512 * 1024;
const MOST_ENTRIES = 1000;
/** Programs of the system itself: not the hook's, and no concern of its audit. */
const SYSTEM = /^\/(usr|bin|sbin|lib\w*|opt|nix|snap|dev|proc|System|Library)\//;

/** A file that is run, or that one that is run imports. */
export type Followed = Omit<Run, 'how'> & { readonly how: Run['how'] | 'import' };

export interface Files {
  /** The file that a run names; undefined if there is none, or if it is a program of the system. */
  locate(run: Followed): string | undefined;
  /** Whether a run names a script by its path, and there is nothing at that path. */
  isMissing(run: Followed): boolean;
  /** Whether a path is in the hook's own folder but leads to a file out of it. */
  leavesFolder(path: string): boolean;
  /** Whether a file is neither in the hook's folder, nor where it works, nor of the system. */
  isOutside(path: string): boolean;
}

export function createFiles(hook: Hook, fallbackCwd: string | undefined): Files {
  const { folder } = hook;
  const bases = [hook.cwd ?? fallbackCwd, folder].filter((base): base is string => base !== undefined);
  const isOurs = (path: string): boolean => [...bases, fallbackCwd].some((base) => base !== undefined && isBelow(path, base));
  const candidates = (run: Followed): readonly string[] => {
    if (isDynamic(run.path) || run.path === '' || run.path.includes('\0')) return [];
    const asked = fromHome(run.path);
    const below = isDynamic(run.cwd) ? '' : fromHome(run.cwd);
    return isAbsolute(asked) ? [asked] : bases.map((base) => resolve(base, below, asked));
  };
  return {
    locate(run) {
      const found = candidates(run).find(isFile);
      return found !== undefined && !isOurs(found) && run.how === 'itself' && SYSTEM.test(found) ? undefined : found;
    },
    isMissing(run) {
      if (run.how === 'import' || isDynamic(run.cwd) || (run.how === 'itself' && !run.path.includes('/'))) return false;
      const places = candidates(run);
      return places.length > 0 && !places.some((path) => isThere(path) || (SYSTEM.test(path) && !isOurs(path)));
    },
    leavesFolder(path) {
      return folder !== undefined && isBelow(path, folder) && leads(path, folder);
    },
    isOutside: (path) => !isOurs(path) && !SYSTEM.test(path),
  };
}

/** What is wrong with a folder as such: files too large to be read whole, links that lead out. */
export function auditFolder(folder: string): readonly (Finding & { readonly file: string })[] {
  const findings: (Finding & { readonly file: string })[] = [];
  const folders = [folder];
  let entries = 0;
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const name of list(at)) {
      const path = join(at, name);
      if (++entries > MOST_ENTRIES)
        return [
          ...findings,
          { ...finding(accuse('unaudited-file', `The folder holds more than ${MOST_ENTRIES} entries.`), folder), file: folder },
        ];
      const facts = factsOf(path);
      if (facts?.isSymbolicLink() && leads(path, folder)) findings.push({ ...leavingLink(path), file: path });
      else if (facts?.isDirectory()) folders.push(path);
      else if (facts?.isFile() && facts.size > MOST_BYTES) findings.push({ ...tooLarge(path), file: path });
    }
  }
  return findings;
}

export function tooLarge(path: string): Finding {
  return finding(accuse('unaudited-file', 'Is larger than 512 KiB, so nobody can say what is in it.'), path);
}

export function leavingLink(path: string): Finding {
  return finding(accuse('link-leaves-folder', 'Is a link that leads out of the hook folder.'), path);
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that can't be read holds nothing that can be run from it by us.
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
    // A name too long, a folder closed to us: nothing that could be run.
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

/** A dangling link leads nowhere now, and anywhere later. */
function leads(path: string, folder: string): boolean {
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
