/**
 * An SDK from npm, with the Hookline of this repository next to it, as a user's project has them. The packages are installed once for each version,
 * in a temporary folder that later runs find again; the project is new in each run.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { AdapterUnderTest } from '../../src/api/testing/index.ts';
import { installAgent } from '../agents/install-agents.ts';
import { inProcesses } from '../support/adapter-process.ts';
import type { SdkVersion } from './versions.ts';

const repository = path.join(import.meta.dirname, '../..');
/** The parts of the package that programs import. */
const PACKAGE = ['package.json', 'dist', 'bin'];
/** Node 20 has no SQLite of its own. It is compiled for the Node that runs the tests. */
const SQLITE = ['better-sqlite3', 'bindings', 'file-uri-to-path'];

export interface SdkProject {
  /** Below it, `import` finds the SDK and Hookline. */
  readonly folder: string;
  /** The program that runs it. */
  readonly node: string;
}

/** Must be called where tests are described. The project is removed after them. */
export function sdkProject({ packages, node }: SdkVersion): SdkProject {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-sdk-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, 'hookline'), { recursive: true });
  for (const part of PACKAGE) cpSync(path.join(repository, part), path.join(modules, 'hookline', part), { recursive: true });
  if (Object.keys(packages).length > 0) linkAll(installAgent(packages), modules);
  if (node === undefined) for (const name of SQLITE) link(path.join(repository, 'node_modules', name), path.join(modules, name));
  return { folder, node: node === undefined ? process.execPath : nodeProgram(node) };
}

/** The parts of `describeAdapter` that perform jobs with this version: `agents/<id>.mjs` runs in its project. */
export function inSdkProject(id: string, version: SdkVersion): Pick<AdapterUnderTest, 'version' | 'perform' | 'newFolder'> {
  const { folder, node } = sdkProject(version);
  cpSync(path.join(import.meta.dirname, 'agents'), path.join(folder, 'agents'), { recursive: true });
  return { version: version.version, ...inProcesses(path.join(folder, 'agents', `${id}.mjs`), node) };
}

function nodeProgram(major: string): string {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return path.join(installAgent({ [name]: major }), name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
}

/** A link leads to the place where a package was installed, so it finds the packages that it needs there. */
function linkAll(from: string, to: string): void {
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith('.'))) {
    if (!name.startsWith('@')) link(path.join(from, name), path.join(to, name));
    else for (const scoped of readdirSync(path.join(from, name))) link(path.join(from, name, scoped), path.join(to, name, scoped));
  }
}

function link(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(from, to, 'junction');
}
