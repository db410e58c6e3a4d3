// Builds the library (ESM, by tsc) and the CLI (small CommonJS bundles, because start-up is latency) into dist/.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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
const entries = [path.join(root, 'src/cli/main.ts')];
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
keepCompiledCode();

/** Runs the program once on each of its most common errands and keeps what V8 compiled for it. */
function keepCompiledCode() {
  const project = mkdtempSync(path.join(tmpdir(), 'hookline-build-'));
  const hook = path.join(project, '.agents/hooks/gate');
  mkdirSync(hook, { recursive: true });
  writeFileSync(
    path.join(hook, 'HOOK.md'),
    '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: "Shell|Write"\n---\n',
  );
  const places = ['--root', project, '--home', project];
  const event = { hook_event_name: 'PreToolUse', session_id: 's', cwd: project, tool_name: 'X', tool_input: {}, tool_use_id: 'u' };
  keep(['fire', 'tool.before', '--tool', 'X', ...places]);
  keep(['hook', 'claude-code', ...places], JSON.stringify(event));
  keep(['guard', '--home', project], '{"tool":"Bash","input":{"command":"ls -l | grep a > b.txt && git status"}}');
  rmSync(project, { recursive: true });
}

/** What an earlier errand has kept stays. */
function keep(errand, input = '') {
  const code = `
    const { load, scripts } = require(${JSON.stringify(path.join(dist, 'cli/start.js'))});
    const { existsSync, writeFileSync } = require('node:fs');
    process.argv = [process.execPath, 'hookline', ...${JSON.stringify(errand)}];
    process.on('exit', () => {
      for (const [file, script] of scripts) if (!existsSync(file + '.cache')) writeFileSync(file + '.cache', script.createCachedData());
    });
    load('main.js');`;
  execFileSync(process.execPath, ['-e', code], { input, stdio: ['pipe', 'ignore', 'inherit'] });
}

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
    alias: { yaml: path.join(root, 'node_modules/yaml/browser/index.js') },
    external: ['chokidar', 're2js', 'pg', 'better-sqlite3', 'graphile-worker'],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [{ name: 'chunks', setup: splitDynamicImports }],
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

function chunkName(file) {
  const name = path
    .relative(path.join(root, 'src'), file)
    .replace(/\.ts$/, '')
    .replace(/\/index$/, '');
  return `${name === 'cli/main' ? 'main' : name.replaceAll('/', '-')}.js`;
}
