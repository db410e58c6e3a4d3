// `npm run bench`: the figures that matter, each beside the work it is measured against. A table, or JSON with --json; progress on stderr.
// `npm run bench -- --page` also writes docs/performance.md.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const project = path.join(import.meta.dirname, '../..');
/** Each section: its title on the page, and its file. */
const SECTIONS = {
  alternatives: ['Next to other packages', './alternatives.mjs'],
  matching: ['Matching', './matching.mjs'],
  guard: ['The guard', './guard.mjs'],
  sharedFiles: ['The audit of hooks', './shared-files.mjs'],
  functionHook: ['Function hooks', './function-hook.mjs'],
  commandHook: ['Command hooks', './command-hook.mjs'],
  workerHook: ['Hooks in TypeScript', './worker-hook.mjs'],
  importing: ['The library', './import.mjs'],
  coldEvent: ['A process for each event', './cold-event.mjs'],
  coldStart: ['Other cold commands', './cold-start.mjs'],
  serve: ['The server', './serve.mjs'],
  load: ['The server under load', './load.mjs'],
  largeProcess: ['Large agents', './large-process.mjs'],
  loading: ['Loading hooks', './loading.mjs'],
  storage: ['SQLite', './storage.mjs'],
  settling: ['Postgres', './settling.mjs'],
  entries: ['Entries of the log', './entries.mjs'],
};

let hasFailed = false;
const [option, section] = process.argv.slice(2);
if (option === '--section') {
  const rows = await (await import(SECTIONS[section][1]))[section]();
  console.log(JSON.stringify(rows));
} else {
  buildIfStale();
  const rows = Object.keys(SECTIONS).flatMap(apart);
  if (option === '--page') (await import('./page.mjs')).writePage(rows);
  if (option === '--json') console.log(JSON.stringify({ node: process.version, rows }, null, 2));
  else for (const line of table(rows)) console.log(line);
  process.exitCode = hasFailed || rows.some(({ ok }) => ok === false) ? 1 : 0;
}

/** Each section in a process of its own: what one leaves on the heap must not weigh on the next. One that fails takes no other figure with it. */
function apart(name) {
  process.stderr.write(`${name} …\n`);
  const stdio = ['ignore', 'pipe', 'inherit'];
  const { status, stdout } = spawnSync(process.execPath, [import.meta.filename, '--section', name], { encoding: 'utf8', stdio });
  if (status !== 0) hasFailed = true;
  const rows = status === 0 ? JSON.parse(stdout) : [];
  return rows.map((figures) => ({ section: SECTIONS[name][0], ...figures }));
}

function buildIfStale() {
  const built = statSync(path.join(project, 'dist/cli/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(path.join(project, 'src'), { recursive: true }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  if (sources.every((name) => statSync(path.join(project, 'src', name)).mtimeMs < built)) return;
  process.stderr.write('building …\n');
  execFileSync(process.execPath, [path.join(project, 'scripts/build.mjs')], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
}

function table(list) {
  const cells = list.map(({ name, figure, unit, target, ok }) => [
    name,
    `${figure.toFixed(figure < 10 ? 2 : figure < 100 ? 1 : 0)} ${unit}`,
    target === null ? '' : `≤ ${target} ${unit}`,
    ok === null ? '' : ok ? 'ok' : 'miss',
  ]);
  const widths = [0, 1, 2, 3].map((i) => Math.max(...cells.map((line) => line[i].length)));
  return cells.map((line) =>
    line
      .map((cell, i) => (i === 1 || i === 2 ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd(),
  );
}
