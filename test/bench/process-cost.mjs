// What a process costs: CPU time of it and of those it waited for, where the system tells it, else the time on the wall.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const RUNS = 8;

export const program = path.join(import.meta.dirname, '../../bin/hookline.js');

/** Milliseconds per run of this Node with these arguments, with this on stdin and these additional variables. `prepare` precedes each run. */
export async function cost(args, input = '', env = {}, node = process.execPath, prepare = () => {}) {
  const before = clock();
  for (let i = 0; i < RUNS; i++) {
    prepare();
    run(args, input, env, node);
  }
  return (clock() - before) / RUNS;
}

/** Runs `node` and returns its output. Any other exit code than these is an error. */
export function run(args, input = '', more = {}, node = process.execPath, exits = [0]) {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(node, args, { env: { ...env, ...more }, encoding: 'utf8', input });
  if (!exits.includes(status)) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Fields 16 and 17 of /proc/self/stat, user and system time of children that were waited for, in ticks of 10 ms. */
export function clock() {
  if (!existsSync('/proc/self/stat')) return performance.now();
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
