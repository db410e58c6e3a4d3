/** Agents whose folder in the home is moved elsewhere by a variable of their own: what stands below it is looked for there. */
import { isAbsolute, join } from 'node:path';
import type { HostEntry } from '../core/host.ts';

export interface Moved {
  /** The folder as seen from the home; empty: all of it, for this agent alone. */
  readonly holds: string;
  /** Where it is, absolute. */
  readonly folder: string;
}

/** With no variables nothing is moved: a home that was given takes everything with it. */
export function movedFolders(
  entries: readonly Pick<HostEntry, 'movedBy'>[],
  variables: Readonly<Record<string, string | undefined>>,
): readonly Moved[] {
  return entries.flatMap(({ movedBy }) => {
    const folder = movedBy && variables[movedBy.variable];
    return movedBy && folder && isAbsolute(folder) ? [{ holds: movedBy.holds, folder }] : [];
  });
}

/** Where a path below the home really is. */
export function inHome(path: string, home: string, moved: readonly Moved[] = []): { readonly path: string; readonly bounds: string } {
  const row = moved.find(({ holds }) => path === holds || path.startsWith(`${holds}/`));
  if (!row) return { path: join(home, path), bounds: home };
  return { path: join(row.folder, path.slice(row.holds.length)), bounds: row.folder };
}
