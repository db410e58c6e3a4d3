/** Runs the examples of a page, in order, in a new project: writes the files, runs the programs and the `hookline` lines. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import { type Block, type Page, repository } from './pages.ts';

/** The packages that the programs of a page import, in addition to Hookline. */
export function packagesOf({ blocks }: Page): readonly string[] {
  const programs = blocks.filter(({ language }) => language === 'js').map(({ text }) => text);
  const imported = programs.flatMap((text) => [...text.matchAll(/^import [^;]*?\bfrom '((?:@[^/']+\/)?[^./'][^/']*)[^']*';/gms)]);
  return [...new Set(imported.map(([, name = '']) => name))].filter((name) => name !== 'hookline' && !name.startsWith('node:'));
}

/** Where the programs of a page find packages, and the Node that runs them. */
export interface PageHost {
  readonly modules: string;
  readonly node: string;
}

const HERE: PageHost = { modules: path.join(repository, 'node_modules'), node: process.execPath };

/** Returns the problems, each with its place. */
export async function runPage(page: Page, host: PageHost = HERE): Promise<string[]> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-docs-')));
  try {
    const scene = createScene(base, host, packagesOf(page));
    const problems: string[] = [];
    for (const block of page.blocks) {
      for (const problem of await runBlock(block, scene)) problems.push(`${page.name}:${block.line}: ${problem}`);
    }
    const check = await scene.run('hookline check --json');
    if (check.exit !== 0) problems.push(`${page.name}: its hook files have errors: ${check.stdout}${check.stderr}`);
    return problems;
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Ran {
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

interface Scene {
  /** Returns the path of a file of the page: below the home with `~/`, below the project without. */
  at(file: string): string;
  run(line: string): Promise<Ran>;
}

function createScene(base: string, { modules, node }: PageHost, packages: readonly string[]): Scene {
  const [project, home, bin] = ['project', 'home', 'bin'].map((name) => path.join(base, name)) as [string, string, string];
  for (const folder of [path.join(project, 'node_modules'), home, bin]) mkdirSync(folder, { recursive: true });
  // The examples run as a script, and some of them settle or trust.
  write(path.join(home, '.config/hookline/settings.json'), '{"approvals": {"unattended": true}}');
  const own = path.join(modules, 'hookline');
  symlinkSync(existsSync(own) ? own : repository, path.join(project, 'node_modules/hookline'));
  for (const name of packages) {
    const link = path.join(project, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(modules, name), link);
  }
  writeFileSync(path.join(bin, 'hookline'), `#!/bin/sh\nexec '${process.execPath}' '${path.join(repository, 'bin/hookline.js')}' "$@"\n`);
  chmodSync(path.join(bin, 'hookline'), 0o755);
  const { PATH, LANG } = process.env;
  const env = { PATH: `${bin}:${path.dirname(node)}:${PATH}`, LANG, HOME: home, HOOKLINE_HOME: home };
  return {
    at: (file) => (file.startsWith('~/') ? path.join(home, file.slice(2)) : path.join(project, file)),
    run: (line) =>
      new Promise((resolve) => {
        const child = execFile('sh', ['-c', line], { cwd: project, env, timeout: 60_000 }, (error, stdout, stderr) =>
          resolve({ exit: error ? (error.code ?? String(error)) : 0, stdout, stderr }),
        );
        child.stdin?.end();
      }),
  };
}

async function runBlock({ language, file, text }: Block, scene: Scene): Promise<string[]> {
  if (file !== undefined) {
    write(scene.at(file), text);
    return language === 'js' ? runProgram(file, scene) : [];
  }
  switch (language) {
    case 'sh':
      return runLines(text, scene);
    case 'js':
      return ['a program needs a name, as in `js example.mjs`, to be run'];
    case 'json':
      return syntaxProblem(() => JSON.parse(text));
    case 'toml':
      return syntaxProblem(() => parseToml(text));
    case 'yaml':
      return parseDocument(text).errors.map(({ message }) => message);
    // The compiler checks it.
    case 'ts':
    case 'text':
    case 'console':
      return [];
    default:
      return [`a block of ${JSON.stringify(language)} cannot be checked`];
  }
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (text.startsWith('#!')) chmodSync(file, 0o755);
}

/** A failed `console.assert` prints on stderr and changes no exit code. */
async function runProgram(file: string, scene: Scene): Promise<string[]> {
  const { exit, stderr } = await scene.run(`node '${file}'`);
  return exit === 0 && stderr === '' ? [] : [`${file} ended with ${exit}: ${stderr}`];
}

async function runLines(text: string, scene: Scene): Promise<string[]> {
  const problems: string[] = [];
  for (const line of text.split('\n').filter((candidate) => candidate.trim() !== '')) {
    if (line.startsWith('hookline ')) problems.push(...(await runLine(line, scene)));
    else if (!line.startsWith('#')) problems.push(...npmProblems(line));
  }
  return problems;
}

async function runLine(line: string, scene: Scene): Promise<string[]> {
  const wanted = Number(/#.*\bexit (\d+)/.exec(line)?.[1] ?? 0);
  const { exit, stdout, stderr } = await scene.run(line);
  return exit === wanted ? [] : [`\`${line}\` ended with ${exit}, not ${wanted}:\n${stdout}${stderr}`];
}

/** Other lines are not run, but the npm scripts they call must exist. */
function npmProblems(line: string): string[] {
  const calls = line.replace(/#.*/, '').split('&&');
  return calls.flatMap((call) => {
    const [program, command = '', script = ''] = call.trim().split(/\s+/);
    if (program !== 'npm') return [`\`${call.trim()}\` is neither a line of hookline nor of npm`];
    if (command === 'ci' || command === 'install') return [];
    const name = command === 'run' ? script : command;
    return Object.hasOwn(npmScripts(), name) ? [] : [`there is no npm script \`${name}\``];
  });
}

function npmScripts(): Record<string, string> {
  return JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')).scripts;
}

function syntaxProblem(parse: () => unknown): string[] {
  try {
    parse();
    return [];
  } catch (error) {
    return [String(error)];
  }
}
