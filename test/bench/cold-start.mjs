// What `hookline fire` costs when an agent starts it for every tool call: CPU time, against a Node that does nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inTurns, row } from './measure.mjs';
import { folder, hookFolder } from './sample-project.mjs';

const RUNS = 8;

export async function coldStart() {
  const program = path.join(import.meta.dirname, '../../bin/hookline.js');
  const places = ['--root', folder('root-cold'), '--home', folder('home-cold')];
  const fire = (first) => {
    const call = ['fire', 'tool.before', '--tool', 'Glob', '--input', '{"pattern":"**/*.ts"}', '--json'];
    const args = [program, ...call, ...places, '--hooks', hookFolder(10, first)];
    const { unmatched, hooks } = JSON.parse(run(args));
    if (unmatched !== 10 || hooks.length > 0) throw new Error('ten hooks must be loaded, and none may match');
    return () => cost(args);
  };
  // The first ten are plain; the ten from the third on have two regular expressions among them.
  const { medians, ratio } = await inTurns(15, { plain: fire(0), regular: fire(2), node: () => cost(['-e', '0']) });
  return [
    row('cold `hookline fire`, ten hooks, none matching (CPU)', medians.plain, 'ms'),
    row('  `node -e 0` (CPU)', medians.node, 'ms'),
    row('cold `hookline fire`, against `node -e 0`', ratio('plain', 'node'), '×', 2),
    row('  the same with two real regular expressions', ratio('regular', 'node'), '×'),
  ];
}

/** Milliseconds per run: CPU time of the children where the system tells it, else the time on the wall. */
async function cost(args) {
  const before = clock();
  for (let i = 0; i < RUNS; i++) run(args);
  return (clock() - before) / RUNS;
}

function run(args) {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Fields 16 and 17 of /proc/self/stat, user and system time of children that were waited for, in ticks of 10 ms. */
function clock() {
  if (!existsSync('/proc/self/stat')) return performance.now();
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
