/** `hookline version`: prints the version in the manifest of the installed package. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isObject, textOf } from '../core/values/json.ts';
import { type CommandResult, EXIT } from './command.ts';
import { jsonDocument } from './output.ts';

export function version(json: boolean): CommandResult {
  const found = packageVersion();
  return { exit: EXIT.ok, out: json ? jsonDocument({ version: found }) : `hookline ${found}\n` };
}

export function packageVersion(): string {
  return findPackage(new URL('.', import.meta.url))?.version ?? 'unknown';
}

/** Returns the folder of the installed package; undefined if it cannot be found. */
export function packageFolder(): string | undefined {
  return findPackage(new URL('.', import.meta.url))?.folder;
}

/** Finds the manifest some folders above the bundle. Manifests in between that contain only `type` are skipped. */
function findPackage(folder: URL): { readonly version: string; readonly folder: string } | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(fileURLToPath(new URL('package.json', folder)), 'utf8'));
    const version = isObject(manifest) && manifest['name'] === 'hookline' ? textOf(manifest['version']) : undefined;
    if (version !== undefined) return { version, folder: fileURLToPath(folder) };
  } catch {
    // No manifest here, so look one folder up.
  }
  const parent = new URL('..', folder);
  return parent.href === folder.href ? undefined : findPackage(parent);
}
