// Builds the library (ESM, by tsc) and the CLI (small CommonJS bundles, because start-up is latency) into dist/.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { keepCompiledCode } from './errands.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// Built aside and swapped in at the end: whoever runs the old build meanwhile is not disturbed.
const fresh = path.join(root, `dist.${process.pid}`);
const cli = path.join(fresh, 'cli');

execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', fresh], {
  cwd: root,
  stdio: 'inherit',
});
mkdirSync(cli, { recursive: true });
writeFileSync(path.join(cli, 'package.json'), '{ "type": "commonjs" }\n');

// What the code imports dynamically becomes a bundle of its own, loaded only when it is needed.
const entries = [path.join(root, 'src/cli/main.ts'), path.join(root, 'node_modules/re2js/build/index.js')];
const done = new Set();
while (entries.length > 0) {
  const entry = entries.shift();
  if (done.has(entry)) continue;
  done.add(entry);
  await bundle(entry);
}

copyFileSync(path.join(root, 'scripts/start.cjs'), path.join(cli, 'start.js'));
const dist = path.join(root, 'dist');
const old = path.join(root, `dist.${process.pid}.old`);
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });
keepCompiledCode(path.join(dist, 'cli'));

async function bundle(entry) {
  await build({
    entryPoints: [entry],
    outfile: path.join(cli, chunkName(entry)),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // A real import() would start Node's ESM loader, which costs more than the whole command.
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    minifyIdentifiers: true,
    legalComments: 'none',
    logLevel: 'warning',
    mainFields: ['module', 'main'],
    // yaml's Node build requires 'process' dynamically; its browser build is the same parser without that.
    alias: {
      yaml: path.join(root, 'node_modules/yaml/browser/index.js'),
      'node:module': path.join(root, 'scripts/bundled-require.cjs'),
    },
    external: ['chokidar', './re2js.js', 'pg', 'better-sqlite3', 'graphile-worker'],
    define: { 'import.meta': 'importMeta' },
    // The function that start.js calls. To put it around the text there would copy the whole text at every start.
    banner: {
      js: `(function (exports, require, module, __filename) {
const importMeta = { get url() { return require('node:url').pathToFileURL(__filename).href; } };`,
    },
    footer: { js: '})' },
    plugins: [
      { name: 'chunks', setup: splitDynamicImports },
      { name: 'one-path', setup: sharePath },
    ],
  });
}

function splitDynamicImports(plugin) {
  plugin.onResolve({ filter: /^\./ }, ({ path: request, kind, resolveDir }) => {
    if (kind !== 'dynamic-import') return undefined;
    const target = path.resolve(resolveDir, request);
    entries.push(target);
    return { path: `./${chunkName(target)}`, external: true };
  });
}

/** As CommonJS, `node:path` would be copied name by name for each file that imports it whole: for dozens of files, at every start. */
function sharePath(plugin) {
  const names = Object.keys(path).filter((name) => /^\w+$/.test(name));
  const contents = `const path = require('node:path'); export default path; export const { ${names.join(', ')} } = path;`;
  plugin.onResolve({ filter: /^node:path$/ }, ({ kind }) =>
    kind === 'import-statement' ? { path: 'path', namespace: 'shared' } : undefined,
  );
  plugin.onLoad({ filter: /^path$/, namespace: 'shared' }, () => ({ contents }));
}

function chunkName(file) {
  if (file.includes('node_modules')) return 're2js.js';
  const name = path
    .relative(path.join(root, 'src'), file)
    .replace(/\.ts$/, '')
    .replace(/\/index$/, '');
  return `${name === 'cli/main' ? 'main' : name.replaceAll('/', '-')}.js`;
}
