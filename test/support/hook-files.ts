/** The hook files of a format in `test/fixtures/<id>/hook-files`: laws on all formats read them, so a new format is held to them at once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Paths as a workspace takes them, and their contents. */
type Files = Readonly<Record<string, string>>;

export interface HookFiles {
  /** `own/`: files below the home with a hook of the user that denies every tool call. */
  readonly own: Files;
  /** `project/`: files below the project with hooks that try to replace that hook or to switch it off. */
  readonly project: Files;
}

/** Returns undefined for a format without the folder. */
export function hookFilesOf(id: string): HookFiles | undefined {
  const folder = path.join(import.meta.dirname, '../fixtures', id, 'hook-files');
  if (!existsSync(folder)) return undefined;
  return { own: filesBelow(path.join(folder, 'own'), '~/'), project: filesBelow(path.join(folder, 'project'), '') };
}

function filesBelow(folder: string, start: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => path.join(parentPath, name));
  return Object.fromEntries(files.map((file) => [`${start}${path.relative(folder, file)}`, readFileSync(file, 'utf8')]));
}
