/** Installs agents from npm into a temporary folder, once for each version; nothing of it is kept in the project. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The `node_modules` they are in. */
export function installAgent(packages: Readonly<Record<string, string>>): string {
  const name = Object.entries(packages).map(([id, version]) => `${id.replace(/^@/, '').replaceAll('/', '-')}-${version}`);
  const folder = path.join(process.env['HOOKLINE_AGENTS'] ?? path.join(tmpdir(), 'hookline-agents'), name.join('_'));
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    try {
      writeFileSync(path.join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: unfinished, stdio: 'inherit' });
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return path.join(folder, 'node_modules');
}
