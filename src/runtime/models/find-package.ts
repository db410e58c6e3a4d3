/**
 * Finds packages in two places: the user's folder and Hookline's own installation. The project and the working directory are never searched, because
 * a stranger's project must not bring the code that holds the user's key.
 */
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, textOf } from '../../core/values/json.ts';

export interface FoundPackage {
  readonly folder: string;
  readonly version: string;
  /** The URL of the module that an `import` of the package loads. */
  readonly entry: string;
}

/** Returns the `node_modules` folders that are searched, in order. */
export function packageFolders(configFolder: string): readonly string[] {
  return [path.join(userFolder(configFolder), 'node_modules'), ...besideHookline()];
}

/** The user's folder for packages. The guard protects it, as it protects all files of Hookline's. */
export function userFolder(configFolder: string): string {
  return path.join(configFolder, 'hookline', 'packages');
}

export function findPackage(name: string, folders: readonly string[]): FoundPackage | undefined {
  for (const parent of folders) {
    const folder = path.join(parent, name);
    const manifest = manifestIn(folder);
    if (manifest === undefined) continue;
    const entry = entryOf(manifest['exports']) ?? textOf(manifest['main']) ?? 'index.js';
    // The real path, so that a linked package finds its own dependencies.
    const real = realpathSync(folder);
    return { folder, version: textOf(manifest['version']) ?? '0', entry: pathToFileURL(path.join(real, entry)).href };
  }
  return undefined;
}

/**
 * Returns the `node_modules` of Hookline's package, and the one that the package is in. Folders further up may be those of a project around it.
 * A bundle is no installation, so it has none.
 */
function besideHookline(): readonly string[] {
  const program: string | undefined = import.meta.dirname;
  for (let folder: string | undefined = program; folder !== undefined; folder = parentOf(folder)) {
    if (manifestIn(folder)?.['name'] !== 'hookline') continue;
    const parent = path.dirname(folder);
    return [path.join(folder, 'node_modules'), ...(path.basename(parent) === 'node_modules' ? [parent] : [])];
  }
  return [];
}

function parentOf(folder: string): string | undefined {
  const parent = path.dirname(folder);
  return parent === folder ? undefined : parent;
}

function manifestIn(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

const CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'module-sync', 'default']);

/** Returns the file that `exports` names for an `import` of the package itself. */
function entryOf(exported: unknown): string | undefined {
  if (typeof exported === 'string') return exported;
  if (Array.isArray(exported)) return exported.map(entryOf).find((one) => one !== undefined);
  if (typeof exported !== 'object' || exported === null) return undefined;
  const entries = Object.entries(exported);
  if (entries.some(([key]) => key.startsWith('.'))) return entryOf((exported as Record<string, unknown>)['.']);
  for (const [condition, target] of entries) {
    const file = CONDITIONS.has(condition) ? entryOf(target) : undefined;
    if (file !== undefined) return file;
  }
  return undefined;
}
