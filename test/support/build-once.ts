/** Builds the program before the tests of the whole, if `dist` is missing or older than its sources. A failed build fails the run at once. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export function setup(): void {
  if (isFresh()) return;
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** `dist` is swapped in whole, so if this file is there and newer than every source and the build script, the whole build is. */
function isFresh(): boolean {
  const built = statSync(path.join(root, 'dist/cli/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (statSync(path.join(root, 'scripts/build.mjs')).mtimeMs >= built) return false;
  const sources = ['src', 'web/src', 'web/style'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }),
  );
  return sources.every((entry) => !isSource(entry.name) || statSync(path.join(entry.parentPath, entry.name)).mtimeMs < built);
}

function isSource(name: string): boolean {
  return /\.(?:tsx?|css)$/.test(name) && !name.endsWith('.test.ts');
}
