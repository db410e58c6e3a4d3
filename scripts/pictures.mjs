// Draws the pictures of the documentation from what the built program prints: `npm run pictures`. `--check` only says whether they are up to date.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { svgOf } from './ansi-svg.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const COLUMNS = 96;
const PICTURES = {
  'docs/pictures/guard-denied.svg': ['guard', 'explain', `sudo env LANG=C bash -c 'cd build && rm -rf "$HOME"/ && make'`],
};

const stale = [];
for (const [file, argv] of Object.entries(PICTURES)) {
  const picture = draw(argv);
  const target = path.join(root, file);
  if (existsSync(target) && readFileSync(target, 'utf8') === picture) continue;
  stale.push(file);
  if (process.argv.includes('--check')) continue;
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, picture);
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`${stale.join(', ')}: not what the program prints. Run \`npm run build && npm run pictures\`.`);
  process.exit(1);
}

function draw(argv) {
  const home = mkdtempSync(path.join(tmpdir(), 'hookline-picture-'));
  try {
    const env = { PATH: process.env.PATH, HOME: home, HOOKLINE_HOME: home, FORCE_COLOR: '1', COLUMNS: String(COLUMNS) };
    const { stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'bin/hookline.js'), ...argv], {
      cwd: home,
      env,
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(`${argv.join(' ')}: ${stderr}`);
    const line = `$ hookline ${argv.map((word) => (/^[\w-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')}`;
    return svgOf(`${line}\n\n${stdout}`, { title: `hookline ${argv.slice(0, 2).join(' ')}`, columns: COLUMNS });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
