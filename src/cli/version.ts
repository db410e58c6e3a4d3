/** `hookline version`: the version in the manifest of the package this program was installed with. */
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
  return findVersion(new URL('.', import.meta.url));
}

/** The bundle lies some folders below the manifest; manifests on the way that only say `type` are passed by. */
function findVersion(folder: URL): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(fileURLToPath(new URL('package.json', folder)), 'utf8'));
    const found = isObject(manifest) && manifest['name'] === 'hookline' ? textOf(manifest['version']) : undefined;
    if (found !== undefined) return found;
  } catch {
    // None here: look further up.
  }
  const parent = new URL('..', folder);
  return parent.href === folder.href ? 'unknown' : findVersion(parent);
}
