/**
 * The files of Hookline itself. The audit does not follow a hook into them: they are the program that runs the audit, and the texts of its
 * rules look like the attacks that they describe.
 */
import { join, sep } from 'node:path';

const FOLDERS: readonly string[] = foldersOf(import.meta.filename);

/** Returns the folders of the program that runs. */
export function ownProgramFolders(): readonly string[] {
  return FOLDERS.map((folder) => folder.slice(0, -1));
}

export function isOwnProgram(path: string): boolean {
  return FOLDERS.some((folder) => path.startsWith(folder));
}

/** Returns the folders of the package that this module is part of. A module that was bundled into another program has none. */
function foldersOf(file: string | undefined): readonly string[] {
  const [, root] = /^(.*)[\\/](?:dist|src)[\\/]/.exec(file ?? '') ?? [];
  return root === undefined ? [] : ['bin', 'dist'].map((folder) => join(root, folder) + sep);
}
