// Builds `dist`: the program (CommonJS, because it starts on every tool call), the library (ESM), the library's types, and the pages.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { buildWeb } from './build-web.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// Built next to the old one and moved into place at the end, so that a program that runs meanwhile is not disturbed.
const fresh = path.join(root, `dist.${process.pid}`);
const dist = path.join(root, 'dist');
/** The source of each public entry, by the name of its built file: `index`, `guard`, … */
const entries = publicEntries();
/** The packages that a user installs, and their subpaths. */
const peers = Object.keys(manifest().peerDependencies).map((name) => new RegExp(`^${name}(/|$)`));
const named = new Map();
/** Stands for `import` in the program until it is written. */
const REAL_IMPORT = 'globalThis.__hooklineImport';
/** Seen from `dist/cli`. Code in the code cache cannot import, so another file does. */
const REAL_IMPORT_FILE = 'require("../../bin/import-file.js")';
/** The readers of code in other languages, which an event without such code does not load. */
const CODE_READERS = 'guard-code';
/** The rules of the guard, one JSON text on each line. As text, because V8 would read all of them into every process with its code cache. */
const RULES = 'guard-rules.txt';
const rules = [];
const closures = new Map();
const placed = new Map();
const define = { __HOOKLINE_BUILD__: JSON.stringify(digestOfSources()) };
const common = {
  ...{ cwd: root, platform: 'node', transform: { target: 'node20', define }, checks: { ineffectiveDynamicImport: false } },
  // Chunks without the modules that they import need it.
  preserveEntrySignatures: 'allow-extension',
  // Prefers the ESM build of a package, so that unused parts are left out. The browser build of `yaml` is the same parser.
  resolve: { mainFields: ['module', 'main'], alias: { yaml: path.join(root, 'node_modules/yaml/browser/index.js') } },
};

/** The chunks of an event, as static closures of modules: many small files take longer to load than a few large ones. */
const CHUNKS = [
  ['main', (within) => within('cli/main.ts') || within('cli/run/quiet-call.ts')],
  // Needed by every other event of an agent and also by the guard, whose command does not load the rest of `hot`.
  ['base', (within) => within('cli/run/hook.ts') && (within('guard/judge-event.ts') || within('cli/guard/guard.ts'))],
  ['hot', (within) => within('cli/run/hook.ts')],
  // Needed by every event that is recorded or held.
  ['record', (within) => within('api/sealed-log.ts') || within('stores/sqlite/index.ts')],
  ['guard', (within) => within('guard/judge-event.ts')],
  ['audit', (within) => within('guard/index.ts')],
  ['fire', (within) => within('cli/run/fire.ts') && !within('cli/guard/guard.ts')],
];

/** Small modules that are rarely needed, and then often together: a package of many files is slow to install. */
const SHARED = [
  alone('schemas', /agents[\\/].+[\\/]schema(?:[\\/]parts)?\.ts$/),
  alone('scaffolds', /agents[\\/].+[\\/]scaffold/),
  alone('limits', /host-limits\.ts$/),
  alone(
    'process',
    /src[\\/]handlers[\\/]command[\\/](?:launch|output|channels|not-there|kill-group|watchdog|run-process|helper-frames)\.ts$/,
  ),
  alone('seldom', /src[\\/](?:load[\\/](?:misspelt-hooks|tool-servers)|trust[\\/](?:still-trusted|lost-hooks))\.ts$/),
  alone('authored', /load[\\/]settings[\\/](?:authored|project|examples)\.ts$/),
  alone('http', /src[\\/]handlers[\\/]http[\\/]/),
  ...[
    alone('worker', /src[\\/](?:handlers[\\/](?:worker[\\/]|kit[\\/]alarm)|stores[\\/]session-state)/),
    alone('syntax', /src[\\/](?:syntax[\\/]|load[\\/]formats[\\/]hook-program|agents[\\/]hookline[\\/]load)|@babel[\\/]parser/),
  ],
  ...[alone('people', /src[\\/]people[\\/]/), alone('judges', /src[\\/](?:judges[\\/]|stores[\\/](?:judge-spending|verdict-files))/)],
];

// The program is CommonJS, because Node's ESM loader costs more than all of Hookline's code.
const program = await build({
  ...common,
  input: {
    ...{ main: 'src/cli/main.ts', 'helper-main': 'src/handlers/command/helper-main.ts', re2js: 're2js' },
    ...{ 'judging-thread-main': 'src/cli/serve/judging-thread-main.ts', [CODE_READERS]: 'src/guard/shell/languages.ts' },
  },
  plugins: [regexEngine("createRequire(import.meta.url)('./re2js.js')"), codeReaders(), ruleTexts(), realImport(), plainExports()],
  output: {
    ...{ dir: path.join(fresh, 'cli'), format: 'cjs', minify: true, comments: false, dynamicImportInCjs: false },
    ...{ entryFileNames: '[name].js', chunkFileNames: chunkName },
    codeSplitting: {
      groups: [
        { name: chunkOfEvent, debugName: 'event', priority: 2, includeDependenciesRecursively: false },
        ...[chunk('kit', /agents[\\/]kit[\\/](?!schema)|contracts[\\/]switch/, 1), chunk('json', /formats[\\/]json\.ts$/, 1)],
        ...SHARED,
        ...[
          alone('terminal', /src[\\/]cli[\\/](?:print[\\/](?!style)|input[\\/]|decisions[\\/](?:print-)?tickets)/),
          alone('server', /src[\\/]server[\\/]/),
        ],
        ...[alone('mcp', /src[\\/](?:cli[\\/])?mcp[\\/]/), alone('views', /src[\\/](?:cli[\\/])?views[\\/]/)],
        ...[alone('install', /src[\\/](?:cli[\\/])?install[\\/]/), alone('ui', /src[\\/](?:cli[\\/])?ui[\\/]/)],
        alone('trust', /src[\\/]cli[\\/]hooks[\\/](?:print-)?trust/),
        alone('doctor', /src[\\/]cli[\\/]doctor[\\/]/),
        alone('hooktest', /src[\\/](?:cli[\\/](?:test|init|hooks[\\/](?:new|editor-files))|hooktest)/),
      ],
    },
  },
});
refuseCycles(program.output);
writeFileSync(path.join(fresh, 'cli', RULES), inAscii(rules.join('\n')));
writeFileSync(path.join(fresh, 'cli/package.json'), '{ "type": "commonjs" }\n');
for (const { fileName, code } of program.output)
  if (code !== undefined) writeFileSync(path.join(fresh, 'cli', fileName), inAscii(code.replace(REAL_IMPORT, REAL_IMPORT_FILE)));

// A file of its own, because a worker starts with nothing else of Hookline.
const worker = await build({
  ...common,
  input: { 'worker-main': 'src/hook/worker-main.ts' },
  output: {
    dir: path.join(fresh, 'cli'),
    format: 'cjs',
    minify: true,
    comments: false,
    dynamicImportInCjs: false,
    entryFileNames: '[name].js',
  },
});

const library = await build({
  ...common,
  input: entries,
  // A user's project has the SDK of an adapter.
  external: peers,
  // Part of the module, so that bundlers see it; its code runs at the first call.
  plugins: [regexEngine("require('re2js')")],
  output: {
    ...{ dir: fresh, format: 'esm', entryFileNames: '[name].js', chunkFileNames: chunkName },
    codeSplitting: {
      groups: [
        // Loaded by every program that imports the library, so it holds nothing else.
        { name: chunkOfImport, debugName: 'import', priority: 5 },
        ...[chunk('core', /src[\\/]core[\\/]/, 4), chunk('judge', /src[\\/]guard\.ts$/, 3)],
        chunk('re2js', /node_modules[\\/]re2js[\\/]/, 3),
        chunk('engine', /src[\\/]api[\\/]create-hookline\.ts$/, 2),
        alone('sdk', /src[\\/]sdk[\\/]kit[\\/](?:language-model|model-gate|model-parts)\.ts$/),
        ...[chunk('loaders', /agents[\\/].+[\\/]load\.ts$/, 1), chunk('quirks', /agents[\\/].+[\\/]quirks\.ts$/, 1)],
        ...SHARED,
      ],
    },
  },
});
await writeTypes();
writeLicences([...program.output, ...worker.output, ...library.output, ...(await buildWeb(path.join(fresh, 'web')))]);

const old = path.join(root, `dist.${process.pid}.old`);
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });

function manifest() {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
}

/** `exports` of package.json lists the entries: the built file is named after the entry, and its types after its source. */
function publicEntries() {
  const { exports } = manifest();
  const built = Object.values(exports).filter((entry) => typeof entry === 'object');
  return Object.fromEntries(
    built.map((entry) => [path.basename(entry.default, '.js'), entry.types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts')]),
  );
}

function chunkOfEvent(id, graph) {
  const [name = null] = CHUNKS.find(([, holds]) => holds((file) => closureOf(path.join(root, 'src', file), graph).has(id))) ?? [];
  placed.set(id, name);
  return name;
}

function chunkOfImport(id, graph) {
  if (!closureOf(path.join(root, 'src/index.ts'), graph).has(id)) return null;
  placed.set(id, 'on-import');
  return 'on-import';
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

/** A chunk of these modules without those that they import. */
function alone(name, test) {
  return { ...chunk(name, test, 1), includeDependenciesRecursively: false };
}

/** Returns the name of a chunk, from the path of its module or from its package: `agents-codex-load.js`, `jsonc-parser.js`. */
function chunkName({ name, facadeModuleId, moduleIds }) {
  const id = (facadeModuleId ?? moduleIds.at(-1) ?? '').split(path.sep).join('/');
  const known = /.*\/node_modules\/([^/]+)/.exec(id) ?? /\/src\/(.+)\.ts$/.exec(id);
  const isNamed = moduleIds.some((module) => placed.get(module) === name || named.get(name)?.test(module));
  return `${isNamed || !known ? name : known[1].replaceAll('/', '-')}.js`;
}

/** A chunk that imports itself through others sees parts of them that do not exist yet. */
function refuseCycles(chunks) {
  const importsOf = new Map(chunks.map(({ fileName, imports = [] }) => [fileName, imports]));
  const done = new Set();
  const visit = (name, trail) => {
    if (trail.includes(name)) throw new Error(`The chunks import each other: ${[...trail.slice(trail.indexOf(name)), name].join(' → ')}.`);
    if (done.has(name)) return;
    for (const next of importsOf.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of importsOf.keys()) visit(name, []);
}

/** Replaces the import of the engine for regular expressions. */
function regexEngine(instead) {
  return replaceIn('src/engine/select/regex-engine.ts', "createRequire(import.meta.url)('re2js')", instead);
}

/** Hides the one import that must not become a `require`. It is written back into the finished code. */
function realImport() {
  return replaceIn('src/runtime/models/import-file.ts', 'return import(', `return ${REAL_IMPORT}(`);
}

/** Loads the readers when the first code is met. A static import would load them for every event. */
function codeReaders() {
  const file = path.join(root, 'src/guard/shell/code-readers.ts');
  const code = `import { createRequire } from 'node:module';
let readers;
export function codeReaders() {
  readers ??= createRequire(import.meta.url)('./${CODE_READERS}.js');
  return readers;
}`;
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  return { name: 'code-readers', load: (id) => (id === file ? code : undefined) };
}

/** Moves the texts of the rules into a file that is read when the first rule is needed. In the library they stay a part of the guard. */
function ruleTexts() {
  const file = path.join(root, 'src/guard/rules/compiled.ts');
  const reads = `import { readFileSync } from 'node:fs';
let texts;
const textAt = (line) => {
  texts ??= readFileSync(import.meta.dirname + '/${RULES}', 'latin1').split('\\n');
  return texts[line];
};
`;
  const transform = (code, id) => {
    if (id !== file) return undefined;
    const moved = code.replace(/^ {2}("(?:[^"\\]|\\.)*"),$/gm, (_, text) => `  textAt(${rules.push(JSON.parse(text)) - 1}),`);
    if (rules.length < 200) throw new Error(`${file} has only ${rules.length} texts.`);
    return reads + moved;
  };
  return { name: 'rule-texts', transform };
}

/**
 * Exports values instead of getters. A getter takes its time at every start and at every use. A value is enough, because a chunk ends before another
 * one reads from it (`refuseCycles`), and no module changes what it exports.
 */
function plainExports() {
  const getter =
    /^Object\.defineProperty\(exports, "([^"]+)", \{\s+enumerable: true,\s+get: function ?\(\) \{\s+return ([\w$]+);\s+\}\s+\}\);$/gm;
  const renderChunk = (code) => {
    const plain = code.replace(getter, 'exports["$1"] = $2;');
    const [left] = /^Object\.defineProperty\(exports, ".*|__esm\(/m.exec(plain) ?? [];
    if (left !== undefined) throw new Error(`A chunk exports something that may change: ${left}`);
    return { code: plain };
  };
  return { name: 'plain-exports', renderChunk };
}

function replaceIn(source, call, instead) {
  const file = path.join(root, source);
  const transform = (code, id) => {
    if (id !== file) return undefined;
    if (!code.includes(call)) throw new Error(`${file} does not contain \`${call}\`.`);
    return code.replace(call, instead);
  };
  return { name: source, transform };
}

/** Escapes all other characters. Node decodes a file of ASCII faster, and V8 holds it in half the memory. */
function inAscii(code) {
  const escaped = /\\[^\0-\x7F]/.exec(code);
  if (escaped) throw new Error(`The program contains a backslash before ${escaped[0].slice(1)}, so the character cannot be escaped.`);
  return code.replace(/[^\0-\x7F]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Writes the licences of the packages whose code is in `dist`, as these licences demand. */
function writeLicences(chunks) {
  const packages = new Map();
  for (const id of chunks.flatMap(({ moduleIds = [] }) => moduleIds)) {
    const [folder] = /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [];
    if (folder !== undefined && !packages.has(folder)) packages.set(folder, licenceOf(folder));
  }
  writeFileSync(path.join(fresh, 'licences.txt'), [...packages.values()].sort().join(`\n${'-'.repeat(80)}\n\n`));
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file.`);
  return `${name} ${version} (${license})\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
}

/** Writes the declarations of each public entry into one file, and those that several entries share into a few: one per source would be 150 more. */
async function writeTypes() {
  const [types, perSource] = [path.join(fresh, 'types'), path.join(fresh, 'types-per-source')];
  const tsc = [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', perSource];
  execFileSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' });
  const names = Object.values(entries).map((source) => source.slice('src/'.length, -'.ts'.length));
  await build({
    cwd: root,
    input: Object.fromEntries(names.map((name) => [name, path.join(perSource, `${name}.d.ts`)])),
    external: (id) => !/^[./]|^[a-z]:/i.test(id),
    // They are declarations already, so nothing is generated.
    plugins: [dts({ dtsInput: true, generator: 'oxc', tsconfig: false, sourcemap: false })],
    output: { dir: types, format: 'esm', chunkFileNames: 'shared/[name].ts' },
  });
  rmSync(perSource, { recursive: true });
}

/** Identifies the sources. An audit that passed under another version is not remembered, because that version may have other rules. */
function digestOfSources() {
  const sources = path.join(root, 'src');
  const digest = createHash('sha256');
  for (const file of readdirSync(sources, { recursive: true }).sort())
    if (/\.(ts|yaml)$/.test(file)) digest.update(file).update(readFileSync(path.join(sources, file)));
  return digest.digest('hex').slice(0, 32);
}
