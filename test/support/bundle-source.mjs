// Bundles sources for programs that cannot load TypeScript: child processes of tests, and benches.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'rolldown';

const root = path.join(import.meta.dirname, '../..');
let made;

/** Writes one ES module with everything that `entry` imports except packages, and returns its path. */
export async function bundleSource(entry, file = path.join(folder(), `${path.basename(entry).replace(/\.\w+$/, '')}.mjs`)) {
  await build({
    ...{ cwd: root, input: entry, platform: 'node', external: /^[a-z@]/i, logLevel: 'warn' },
    ...{ checks: { ineffectiveDynamicImport: false } },
    output: { file, format: 'esm', codeSplitting: false },
  });
  return file;
}

/** A temporary folder from which the project's packages are found. */
function folder() {
  if (made !== undefined) return made;
  made = mkdtempSync(path.join(tmpdir(), 'hookline-bundled-'));
  symlinkSync(path.join(root, 'node_modules'), path.join(made, 'node_modules'), 'junction');
  process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
