/**
 * The files of Hookline itself. The audit does not follow a hook into them: they are the program that runs the audit, and the texts of its
 * rules look like the attacks that they describe.
 */
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

let folders: readonly string[] | undefined;

/** Returns the folders of the program that runs. */
export function ownProgramFolders(): readonly string[] {
  return foldersHere().map((folder) => folder.slice(0, -1));
}

export function isOwnProgram(path: string): boolean {
  return foldersHere().some((folder) => path.startsWith(folder));
}

/** Looked up at the first use, because most events need none. */
function foldersHere(): readonly string[] {
  folders ??= packageFolders(import.meta.filename);
  return folders;
}

/**
 * Returns the folders of the package that a module is part of. A module that was bundled into another program has none: a `dist` that holds the
 * bundle is a folder of that program, and the audit follows hooks into it.
 */
export function packageFolders(file: string | undefined): readonly string[] {
  const [, root] = /^(.*)[\\/](?:dist|src)[\\/]/.exec(file ?? '') ?? [];
  return root === undefined || !isHookline(root) ? [] : ['bin', 'dist'].map((folder) => join(root, folder) + sep);
}

function isHookline(root: string): boolean {
  try {
    return /"name"\s*:\s*"hookline"/.test(readFileSync(join(root, 'package.json'), 'utf8'));
  } catch {
    return false;
  }
}
