/**
 * The questions about Hookline that only the file system answers. They are asked for a command that looks as if it concerns Hookline, and only
 * if the caller knows the working folder. This module only reads, and never throws.
 */
import path from 'node:path';
import { readFileSync, realpathSync, statSync } from '../../audit/observed-fs.ts';
import { isOwnProgram, ownProgramFolders } from '../../audit/own-program.ts';
import { isDynamic } from '../../shell/marks.ts';
import type { KnownFolders, OwnPlaces } from '../effect.ts';
import { absolutePath } from '../files/path.ts';

/** Folders from the program's file up to its package. */
const MOST_FOLDERS = 4;
const MOST_BYTES = 256 * 1024;

/** Returns where Hookline is on this machine. Its records in the usual places are known without it. */
export function ownPlaces(env: NodeJS.ProcessEnv = process.env): OwnPlaces {
  const moved = [env['XDG_STATE_HOME'], env['XDG_CONFIG_HOME']].filter((folder) => folder !== undefined && path.isAbsolute(folder));
  return { stores: moved.map((folder) => path.join(folder ?? '', 'hookline')), programs: ownProgramFolders() };
}

/** Returns whether a path leads to the program of Hookline: the one that runs, or a copy of its package. */
export function isOwnFile(file: string, cwd: string, folders: KnownFolders): boolean {
  const real = realFile(file, cwd, folders);
  if (real === undefined) return false;
  if (isOwnProgram(real)) return true;
  let folder = path.dirname(real);
  for (let up = 0; up < MOST_FOLDERS; up++, folder = path.dirname(folder)) {
    const manifest = textOf(path.join(folder, 'package.json'));
    if (manifest !== undefined) return /"name"\s*:\s*"hookline"/.test(manifest);
  }
  return false;
}

/** Returns whether a skill or an agent, a file or its folder, contains hooks. */
export function bearsHooks(file: string, cwd: string, folders: KnownFolders): boolean {
  const real = realFile(file, cwd, folders);
  if (real === undefined) return false;
  const text = textOf(real) ?? textOf(path.join(real, 'SKILL.md'));
  const head = text === undefined ? undefined : /^\uFEFF?---\r?\n([\s\S]*?)\n---/.exec(text)?.[1];
  return head !== undefined && mentionsHooks(head);
}

/** Returns whether a text, which can be a part of a file, has a key for hooks. */
export function mentionsHooks(text: string): boolean {
  return /^(?:hooks|"hooks"|'hooks')[ \t]*:/m.test(text);
}

function realFile(file: string, cwd: string, folders: KnownFolders): string | undefined {
  if (folders.cwd === undefined || isDynamic(file) || isDynamic(cwd)) return undefined;
  try {
    return realpathSync(absolutePath(file, cwd, folders));
  } catch {
    // Nothing is there, so it is not Hookline.
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return statSync(file).size > MOST_BYTES ? undefined : readFileSync(file, 'utf8');
  } catch {
    // It is missing, a folder or not readable, so nothing is known about it.
    return undefined;
  }
}
