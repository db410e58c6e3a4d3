// Programs that are measured beside Hookline: other versions of Node, and the packages that people would use instead. They come from npm, in a
// temporary folder that later runs find again. One that cannot be had is named on stderr and left out.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const VERSIONS = ['20', '22', '24'];

/** The versions of Node that can be had, by name. The one that runs is always among them. */
export function nodes() {
  const [running] = process.versions.node.split('.');
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const found = { [running]: process.execPath };
  for (const version of VERSIONS.filter((one) => one !== running)) {
    const installed = fromNpm(name, version);
    if (installed) found[version] = installed.file('bin/node');
  }
  return found;
}

/** A package in a folder of its own: its version, the path of one of its files, and its entry for `import`. */
export function fromNpm(name, version = 'latest') {
  const folder = path.join(tmpdir(), 'hookline-bench', `${name.replaceAll('/', '-')}-${version}`);
  const home = path.join(folder, 'node_modules', name);
  if (!existsSync(home) && !install(folder, `${name}@${version}`)) return undefined;
  return {
    version: JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')).version,
    file: (place) => path.join(home, place),
    entry: () => createRequire(path.join(folder, 'x.js')).resolve(name),
  };
}

function install(folder, wanted) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  process.stderr.write(`installing ${wanted} …\n`);
  try {
    const line = ['install', '--ignore-scripts', '--no-audit', '--no-fund', wanted];
    execFileSync('npm', line, { cwd: folder, stdio: 'ignore', timeout: 300_000 });
    return true;
  } catch {
    process.stderr.write(`${wanted} cannot be had from npm, so it is not measured\n`);
    return false;
  }
}
