/** Which processes live, for tests that start some and must leave none. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process that has ended and is not yet collected counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return existsSync('/proc/self') ? false : respondsTo(pid);
  }
}

/** The living processes whose numbers a hook has written to a file, one per line. */
export function livingOf(file: string): string[] {
  const pids = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return pids.filter((pid) => isAlive(Number(pid)));
}

/** The living children of this process whose command line has this text. */
export function childrenWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isAlive(pid) && isChildWith(pid, text));
}

function isChildWith(pid: number, text: string): boolean {
  try {
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
  } catch {
    return false;
  }
}

function respondsTo(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
