// What `check`, `audit` and `trust list` cost on a project whose hooks share many files: CPU time of the whole command, with and without a memory.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { inTurns, row } from './measure.mjs';
import { clock, program, run } from './process-cost.mjs';
import { folder } from './sample-project.mjs';
import { sharedProject } from './shared-project.mjs';

const COMMANDS = { check: ['check'], audit: ['audit'], 'trust list': ['trust', 'list'] };

export async function sharedFiles() {
  const root = sharedProject();
  const home = folder('home-shared');
  const memory = path.join(folder('home-shared/.local/state/hookline'), 'memory');
  const places = ['--root', root, '--home', home];
  const cost = (words, forgotten) => {
    if (forgotten !== undefined) rmSync(forgotten, { recursive: true, force: true });
    const before = clock();
    run([program, ...words, ...places], '', {}, process.execPath, [0, 1]);
    return clock() - before;
  };
  const contestants = Object.entries(COMMANDS).flatMap(([name, words]) => [
    [`cold ${name}`, async () => cost(words, memory)],
    [`warm ${name}`, async () => cost(words)],
  ]);
  for (const words of Object.values(COMMANDS)) cost(words);
  const { medians } = await inTurns(3, Object.fromEntries(contestants));
  return Object.keys(COMMANDS).flatMap((name) => [
    row(`\`hookline ${name}\`, 55 hooks that share 76 files, no memory (CPU)`, medians[`cold ${name}`], 'ms', 1000),
    row('  the same once more', medians[`warm ${name}`], 'ms', 1000),
  ]);
}
