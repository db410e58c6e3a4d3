/** Bundles the agent, moves the output away from every package, removes the project that it came from, and runs it there. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { installFromNpm } from '../support/from-npm.ts';
import { createWorkspace } from '../support/workspace.ts';
import { type Bundler, OPTIONAL, PROJECT } from './bundlers.ts';
import { HOOK_FILES, type Report, requestFor, type Scene } from './scene.ts';

export interface Ran {
  readonly report: Report;
  /** Lines of the bundler that look like a warning or an error. */
  readonly warnings: readonly string[];
  /** The names of all files in the output, without those of packages. */
  readonly files: readonly string[];
}

/**
 * Must be called within a test.
 * @param beside The packages that are installed next to the output.
 */
export async function runBundled(bundler: Bundler, beside: readonly string[] = []): Promise<Ran> {
  const scene = createWorkspace(HOOK_FILES);
  const away = path.join(path.dirname(scene.root), 'away');
  const warnings = build(bundler, away);
  link(beside, away);
  const files = readdirSync(away, { recursive: true, encoding: 'utf8' }).filter((file) => !file.includes('node_modules'));
  const starts = files.find((file) => path.basename(file) === bundler.starts) ?? bundler.starts;
  const report = await (bundler.isServer ? askServer : runScript)(path.join(away, starts), scene);
  return { report, warnings, files: files.map((file) => path.basename(file)) };
}

/** Runs the agent as it is, with the package next to it. Must be called within a test. */
export function runPlain(): Report {
  const scene = createWorkspace(HOOK_FILES);
  const away = path.join(path.dirname(scene.root), 'away');
  layOut(away, {});
  return runScript(path.join(away, 'main.mjs'), scene);
}

function build({ packages, files, command: [program, ...line], output, isExternal }: Bundler, away: string): string[] {
  // Below the packages from npm, if there are any: a bundler finds them as it finds those of a project.
  const modules = packages && installFromNpm(packages, path.join(tmpdir(), 'hookline-bundlers'), ['--ignore-scripts']);
  const project = mkdtempSync(path.join(modules === undefined ? tmpdir() : path.dirname(modules), 'project-'));
  try {
    layOut(project, files);
    if (modules === undefined) link(OPTIONAL, project);
    const { status, stdout, stderr } = spawnSync(path.join(modules ?? path.join(PROJECT, 'node_modules'), '.bin', program), line, {
      ...{ cwd: project, encoding: 'utf8' },
      // Only the variables that a bundler needs: the test itself sets others, such as `NODE_ENV`.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
    });
    if (status !== 0) throw new Error(`${program} exited with ${status}:\n${stdout}${stderr}`);
    cpSync(path.join(project, output), away, { recursive: true, verbatimSymlinks: true });
    if (isExternal) layOutPackage(away);
    else for (const copy of copiesOfHookline(away)) rmSync(copy, { recursive: true });
    // esbuild puts the sign behind the size of a large file, which asks for nothing.
    return `${stdout}${stderr}`.split('\n').filter((text) => /warn|error|^\s*⚠/i.test(text));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function layOut(project: string, files: Readonly<Record<string, string>>): void {
  cpSync(path.join(import.meta.dirname, 'agent'), project, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
  layOutPackage(project);
}

/** The package as npm installs it. */
function layOutPackage(folder: string): void {
  const home = path.join(folder, 'node_modules/hookline');
  if (existsSync(home)) return;
  for (const item of ['package.json', 'bin', 'dist']) cpSync(path.join(PROJECT, item), path.join(home, item), { recursive: true });
}

/** Links packages of this project. */
function link(names: readonly string[], folder: string): void {
  for (const name of names) {
    mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
    symlinkSync(path.join(PROJECT, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
}

/** A tracer may copy the package next to a bundle that contains it. */
function copiesOfHookline(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('node_modules/hookline'));
  return found.map((file) => path.join(folder, file));
}

function runScript(file: string, scene: Scene): Report {
  return JSON.parse(execFileSync(process.execPath, [file, requestFor(scene)], { cwd: scene.root, encoding: 'utf8', env: environment() }));
}

async function askServer(file: string, scene: Scene): Promise<Report> {
  const port = await freePort();
  const env = { ...environment(), PORT: String(port), HOSTNAME: '127.0.0.1' };
  const server = spawn(process.execPath, [file], { cwd: path.dirname(file), env, stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void server.kill());
  const ended = new Promise<never>((_, reject) => server.once('exit', (code) => reject(new Error(`The server exited with ${code}.`))));
  const answered = (async (): Promise<Report> => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/report`, { method: 'POST', body: requestFor(scene) }).catch(() => undefined);
      if (answer?.ok) return (await answer.json()) as Report;
      if (answer) throw new Error(`The server answered ${answer.status}: ${await answer.text()}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return Promise.race([answered, ended]);
}

/** Nothing leads back to the packages of this project. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'] };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });
}
