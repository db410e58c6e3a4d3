/** Installs packages from npm into a temporary folder, once for each set of versions; nothing of it is kept in the project. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the `node_modules` they are in. */
export function installFromNpm(packages: Readonly<Record<string, string>>, below: string, flags: readonly string[] = []): string {
  const name = Object.entries(packages).map(([id, version]) => `${id.replace(/^@/, '').replaceAll('/', '-')}-${version}`);
  const folder = path.join(below, name.join('_'));
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    try {
      writeFileSync(path.join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...flags], { cwd: unfinished, stdio: 'inherit' });
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return path.join(folder, 'node_modules');
}
