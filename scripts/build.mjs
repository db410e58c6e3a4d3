// Builds `dist`: the program (CommonJS, because it starts on every tool call), the library (ESM) and the library's types.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
// Built next to the old one and moved into place at the end, so that a program that runs meanwhile is not disturbed.
const fresh = path.join(root, `dist.${process.pid}`);
const dist = path.join(root, 'dist');
const named = new Map();
const closures = new Map();
const placed = new Map();
const define = { __HOOKLINE_BUILD__: JSON.stringify(digestOfSources()) };
const common = { cwd: root, platform: 'node', transform: { target: 'node20', define }, checks: { ineffectiveDynamicImport: false } };

/** The chunks of an event, as static closures of modules: many small files take longer to load than a few large ones. */
const CHUNKS = [
  ['main', (within) => within('cli/main.ts')],
  // Needed by every event of an agent and also by the guard, whose command does not load the rest of `hot`.
  ['base', (within) => within('cli/run/hook.ts') && (within('guard/judge-event.ts') || within('cli/guard/guard.ts'))],
  ['hot', (within) => within('cli/run/hook.ts')],
  // Needed by every event that is recorded or held.
  ['record', (within) => within('api/sealed-log.ts') || within('stores/sqlite/index.ts')],
  ['guard', (within) => within('guard/judge-event.ts')],
  ['audit', (within) => within('guard/index.ts')],
  ['fire', (within) => within('cli/run/fire.ts') && !within('cli/guard/guard.ts')],
];

// The program is CommonJS, because Node's ESM loader costs more than all of Hookline's code.
await build({
  ...common,
  preserveEntrySignatures: 'allow-extension',
  input: { main: 'src/cli/main.ts', 'helper-main': 'src/handlers/command/helper-main.ts' },
  external: ['chokidar', 'pg', 'better-sqlite3', 'graphile-worker'],
  // Prefers the ESM build of a package, so that unused parts are left out. The browser build of `yaml` is the same parser.
  resolve: { mainFields: ['module', 'main'], alias: { yaml: path.join(root, 'node_modules/yaml/browser/index.js') } },
  output: {
    ...{ dir: path.join(fresh, 'cli'), format: 'cjs', minify: true, comments: false, dynamicImportInCjs: false },
    ...{ entryFileNames: '[name].js', chunkFileNames: chunkName },
    codeSplitting: {
      groups: [
        { name: chunkOfEvent, debugName: 'event', priority: 2, includeDependenciesRecursively: false },
        ...[chunk('kit', /agents[\\/]kit[\\/]|contracts[\\/]switch/, 1), chunk('json', /formats[\\/]json\.ts$/, 1)],
      ],
    },
  },
});
writeFileSync(path.join(fresh, 'cli/package.json'), '{ "type": "commonjs" }\n');

await build({
  ...common,
  input: { index: 'src/index.ts', guard: 'src/guard.ts', 'claude-agent': 'src/claude-agent.ts', testing: 'src/api/testing/index.ts' },
  external: /^[a-z]/,
  output: {
    ...{ dir: fresh, format: 'esm', comments: { annotation: false }, entryFileNames: '[name].js', chunkFileNames: chunkName },
    codeSplitting: {
      groups: [
        ...[chunk('core', /src[\\/]core[\\/]/, 4), chunk('judge', /src[\\/]guard\.ts$/, 3), chunk('engine', /src[\\/]index\.ts$/, 2)],
        ...[chunk('loaders', /agents[\\/].+[\\/]load\.ts$/, 1), chunk('quirks', /agents[\\/].+[\\/]quirks\.ts$/, 1)],
      ],
    },
  },
});
const tsc = [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', path.join(fresh, 'types')];
execFileSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' });
keepReachable(path.join(fresh, 'types'), ['index', 'guard', 'claude-agent', 'api/testing/index']);

const old = path.join(root, `dist.${process.pid}.old`);
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });

function chunkOfEvent(id, graph) {
  const [name = null] = CHUNKS.find(([, holds]) => holds((file) => closureOf(path.join(root, 'src', file), graph).has(id))) ?? [];
  placed.set(id, name);
  return name;
}

function closureOf(file, graph) {
  if (!closures.has(file)) {
    if (!graph.getModuleInfo(file)) throw new Error(`The build puts ${file} into a chunk, but the program does not import it.`);
    const closure = new Set([file]);
    for (const id of closure) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) closure.add(imported);
    closures.set(file, closure);
  }
  return closures.get(file);
}

function chunk(name, test, priority) {
  named.set(name, test);
  return { name, test, priority };
}

/** Returns the name of a chunk, from the path of its module or from its package: `agents-codex-load.js`, `jsonc-parser.js`. */
function chunkName({ name, facadeModuleId, moduleIds }) {
  const id = (facadeModuleId ?? moduleIds.at(-1) ?? '').split(path.sep).join('/');
  const known = /.*\/node_modules\/([^/]+)/.exec(id) ?? /\/src\/(.+)\.ts$/.exec(id);
  const isNamed = moduleIds.some((module) => placed.get(module) === name || named.get(name)?.test(module));
  return `${isNamed || !known ? name : known[1].replaceAll('/', '-')}.js`;
}

/** Deletes the declarations that no public entry imports. */
function keepReachable(types, entries) {
  const reached = new Set(entries.map((entry) => path.join(types, `${entry}.d.ts`)));
  for (const file of reached)
    for (const [, found] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.ts['"]/g))
      reached.add(path.resolve(path.dirname(file), `${found}.d.ts`));
  for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !reached.has(file)) rmSync(file);
  }
}

/** Identifies the sources. An audit that passed under another version is not remembered, because that version may have other rules. */
function digestOfSources() {
  const sources = path.join(root, 'src');
  const digest = createHash('sha256');
  for (const file of readdirSync(sources, { recursive: true }).sort())
    if (/\.(ts|yaml)$/.test(file)) digest.update(file).update(readFileSync(path.join(sources, file)));
  return digest.digest('hex').slice(0, 32);
}
