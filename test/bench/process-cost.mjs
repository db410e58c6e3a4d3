// What a process costs: CPU time of it and of those it waited for, where the system tells it, else the time on the wall.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const RUNS = 8;

export const program = path.join(import.meta.dirname, '../../bin/hookline.js');

/** Milliseconds per run of `node` with these arguments, with this on stdin and these additional variables. */
export async function cost(args, input = '', env = {}) {
  const before = clock();
  for (let i = 0; i < RUNS; i++) run(args, input, env);
  return (clock() - before) / RUNS;
}

export function run(args, input = '', more = {}) {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: { ...env, ...more }, encoding: 'utf8', input });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Fields 16 and 17 of /proc/self/stat, user and system time of children that were waited for, in ticks of 10 ms. */
export function clock() {
  if (!existsSync('/proc/self/stat')) return performance.now();
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
