// What the guard costs in the process, over the examples of all its rules, and on texts made to keep it busy. Nothing is run.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseShell } from 'unbash';
import { parse } from 'yaml';
import { guardCommand } from '../../dist/guard.js';
import { median, row } from './measure.mjs';

const ROUNDS = 5;
const folder = path.join(import.meta.dirname, '../../src/guard/rules');

export async function guard() {
  const commands = examples();
  // Once unmeasured: an agent's process is warm by the second command.
  for (const command of commands) guardCommand(command);
  // The median of each command's rounds: what is left out is the machine's noise, not a slow command.
  const times = commands.map((command) => median(rounds(() => guardCommand(command)))).sort((a, b) => a - b);
  const parsed = commands.map((command) => median(rounds(() => parseShell(command))));
  return [
    row(`guard, ${commands.length} commands, median`, median(times), 'ms', 0.3),
    row('guard, at 99 %', times[Math.floor(times.length * 0.99)], 'ms', 3),
    row('  the parser alone, median', median(parsed), 'ms'),
    row(
      'guard, 128 KB of commands',
      timed(() => guardCommand('echo "$(date)" | tee -a log.txt; '.repeat(3900))),
      'ms',
      2000,
    ),
    row(
      'guard, 10,000 nested parentheses',
      timed(() => guardCommand(`${'('.repeat(10_000)}rm -rf /${')'.repeat(10_000)}`)),
      'ms',
      2000,
    ),
  ];
}

function examples() {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parse(readFileSync(path.join(folder, file), 'utf8')).rules)
    .flatMap(({ tests }) => [...tests.block, ...tests.allow]);
}

function rounds(run) {
  return Array.from({ length: ROUNDS }, () => timed(run));
}

function timed(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}
