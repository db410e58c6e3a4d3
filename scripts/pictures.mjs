// Draws the pictures of the documentation from the output of the built program: `npm run pictures`. `--check` only reports whether they are up to date.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { svgOf } from './ansi-svg.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const COLUMNS = 96;
/** Each picture: the command line, and the files of the home folder (`~/`) and of the project that it needs. */
const PICTURES = {
  'docs/pictures/guard-denied.svg': {
    argv: ['guard', 'explain', `sudo env LANG=C bash -c 'cd build && rm -rf "$HOME"/ && make'`],
    files: {},
  },
  'docs/pictures/list.svg': {
    argv: ['list'],
    files: {
      '~/.claude/settings.json': nested('PreToolUse', 'Bash', 'hookline guard'),
      '~/.codex/hooks.json': nested('PreToolUse', 'Bash', 'no-reset.sh'),
      '~/.config/agents/hooks/tests-first/HOOK.md':
        '---\nname: tests-first\ndescription: The tests pass before the agent stops.\ntrigger: before_stop\n---\n',
      '~/.config/agents/hooks/tests-first/scripts/run': '#!/bin/sh\ntest -e .tests-passed || exit 2\n',
      '~/.cursor/hooks.json': JSON.stringify({ version: 1, hooks: { beforeShellExecution: [{ command: './no-force.sh' }] } }),
      '~/.cursor/no-force.sh': '#!/bin/sh\nexit 0\n',
    },
  },
};

const stale = [];
for (const [file, scene] of Object.entries(PICTURES)) {
  const picture = draw(scene);
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

function draw({ argv, files }) {
  const home = mkdtempSync(path.join(tmpdir(), 'hookline-picture-'));
  const project = path.join(home, 'project');
  try {
    mkdirSync(project);
    for (const [name, text] of Object.entries(files))
      write(name.startsWith('~/') ? path.join(home, name.slice(2)) : path.join(project, name), text);
    const env = { PATH: process.env.PATH, HOME: home, HOOKLINE_HOME: home, FORCE_COLOR: '1', COLUMNS: String(COLUMNS) };
    const { stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'bin/hookline.js'), ...argv], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(`${argv.join(' ')}: ${stderr}`);
    const line = `$ hookline ${argv.map((word) => (/^[\w-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')}`;
    // The path of the home folder differs from run to run.
    return svgOf(`${line}\n\n${stdout.replaceAll(home, '~')}`, { title: `hookline ${argv.slice(0, 2).join(' ')}`, columns: COLUMNS });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
}

function nested(event, matcher, command) {
  return JSON.stringify({ hooks: { [event]: [{ matcher, hooks: [{ type: 'command', command }] }] } });
}
