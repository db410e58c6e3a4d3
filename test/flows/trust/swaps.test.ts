/** A script that is swapped between the check and the start, and put back afterwards, never decides. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Hookline } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { BASH, gate, SCRIPT, trustAll, trustedProject } from './trusted-project.ts';

const RUNS = 250;
const FOLDER = path.dirname(SCRIPT);
const GOOD = gate('closed')[SCRIPT] as string;

let other: ChildProcess | undefined;
afterEach(() => void other?.kill('SIGKILL'));

/** Another process, which repeats these statements until it is ended. */
function meanwhile(at: string, statements: string): void {
  const program = `
    const { renameSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
    // A file that is being started cannot be written.
    const write = (file, text) => { for (;;) try { return writeFileSync(file, text); } catch (error) { if (error.code !== 'ETXTBSY') throw error; } };
    const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    for (let n = 0; ; n++) { ${statements} }`;
  other = spawn(process.execPath, ['-e', program], { cwd: at, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Long enough for a file to be old before the check, and short enough for a swap during most runs. */
const WAIT = 'pause(14 + (n % 9));';
const BAD_FOR = 'pause(1 + (n % 5));';

const SWAPS: Readonly<Record<string, { prepare?(at: string): void; statements: string }>> = {
  'a rename of the script': {
    statements: `${WAIT} renameSync('run.sh', 'kept'); renameSync('bad.sh', 'run.sh'); ${BAD_FOR} renameSync('run.sh', 'bad.sh'); renameSync('kept', 'run.sh');`,
  },
  'a write into the script': {
    statements: `${WAIT} write('run.sh', BAD); ${BAD_FOR} write('run.sh', GOOD);`,
  },
  'a rename of its folder, hidden by a file that is written into it': {
    prepare(at) {
      mkdirSync(path.join(at, '../other'));
      cpSync(path.join(at, 'bad.sh'), path.join(at, '../other/run.sh'));
    },
    statements: `${WAIT} process.chdir('..'); renameSync('scripts', 'kept'); renameSync('other', 'scripts'); ${BAD_FOR}
      renameSync('scripts', 'other'); renameSync('kept', 'scripts'); process.chdir('scripts'); if (n % 2) writeFileSync('note-' + n, '');`,
  },
  'another target of a link to the script': {
    prepare(at) {
      renameSync(path.join(at, 'run.sh'), path.join(at, 'good.sh'));
      symlinkSync('good.sh', path.join(at, 'run.sh'));
    },
    statements: `${WAIT} symlinkSync('bad.sh', 'next'); renameSync('next', 'run.sh'); ${BAD_FOR} symlinkSync('good.sh', 'next'); renameSync('next', 'run.sh');`,
  },
};

async function swapped(workspace: Workspace, hookline: Hookline): Promise<number> {
  const marker = workspace.at('~/bad');
  let ran = 0;
  for (let run = 0; run < RUNS; run++) {
    rmSync(marker, { force: true });
    const { decision, hooks } = await hookline.fire('tool.before', BASH);
    // The trusted script always denies, so anything else was decided by other code.
    expect({ run, decision, hooks }).toMatchObject({ decision: 'deny' });
    if (!existsSync(marker)) continue;
    ran++;
    expect(hooks).toMatchObject([{ status: 'faulted', decision: 'deny', fault: { kind: 'changed' } }]);
  }
  return ran;
}

test.for(Object.entries(SWAPS))('%s never lets other code decide', async ([, { prepare, statements }]) => {
  const workspace = createWorkspace(gate('closed'));
  const folder = workspace.at(FOLDER);
  const bad = `#!/bin/sh\n: > '${workspace.at('~/bad')}'\nexit 0\n`;
  writeFileSync(path.join(folder, 'bad.sh'), bad);
  chmodSync(path.join(folder, 'bad.sh'), 0o755);
  prepare?.(folder);
  await trustAll(workspace);
  const hookline = await workspace.open({ trust: 'ask' });
  meanwhile(folder, statements.replace('BAD', JSON.stringify(bad)).replace('GOOD', JSON.stringify(GOOD)));
  // Without such a run nothing would be tested.
  expect(await swapped(workspace, hookline)).toBeGreaterThan(0);
});

test('a file that another program writes next to the script, or in the project, voids nothing', async () => {
  const workspace = await trustedProject(gate('closed'));
  const hookline = await workspace.open({ trust: 'ask' });
  meanwhile(
    workspace.at(FOLDER),
    `const file = n % 2 ? 'edited.txt' : '${workspace.at('edited.txt')}'; writeFileSync(file + '~', String(n)); renameSync(file + '~', file); pause(n % 3);`,
  );
  for (let run = 0; run < 50; run++)
    expect(await hookline.fire('tool.before', BASH)).toMatchObject({ decision: 'deny', reason: 'closed', hooks: [{ status: 'answered' }] });
});
