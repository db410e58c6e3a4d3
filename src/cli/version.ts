/** `hookline version`: prints the version in the manifest of the installed package. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isObject, textOf } from '../core/values/json.ts';
import { type Answer, EXIT } from './command.ts';
import { jsonDocument } from './output.ts';

export function version(json: boolean): Answer {
  const found = packageVersion();
  return { exit: EXIT.ok, out: json ? jsonDocument({ version: found }) : `hookline ${found}\n` };
}

export function packageVersion(): string {
  return findVersion(new URL('.', import.meta.url));
}

/** Finds the manifest some folders above the bundle. Manifests in between that contain only `type` are skipped. */
function findVersion(folder: URL): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(fileURLToPath(new URL('package.json', folder)), 'utf8'));
    const found = isObject(manifest) && manifest['name'] === 'hookline' ? textOf(manifest['version']) : undefined;
    if (found !== undefined) return found;
  } catch {
    // No manifest here, so look one folder up.
  }
  const parent = new URL('..', folder);
  return parent.href === folder.href ? 'unknown' : findVersion(parent);
}
