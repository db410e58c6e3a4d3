/** Everything that a hook leaves behind: files that it wrote in the project or the home, and processes that still run. */
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The files of a folder with their sizes and times; null if there are too many to look at each. */
export type Inventory = ReadonlyMap<string, string> | null;

const MOST_FILES = 50_000;
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export function takeInventory(folder: string): Inventory {
  const files = new Map<string, string>();
  const folders = [folder];
  for (const here of folders)
    for (const entry of readdirSync(here, { withFileTypes: true })) {
      const file = path.join(here, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(file);
        continue;
      }
      const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (stat) files.set(file, `${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`);
      if (files.size > MOST_FILES) return null;
    }
  return files;
}

/** Returns the files that were made, changed or removed. */
export function changedFiles(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const changed = [...after].filter(([file, state]) => before.get(file) !== state).map(([file]) => file);
  const removed = [...before.keys()].filter((file) => !after.has(file));
  return [...changed, ...removed].sort();
}

/** Returns the ids of the processes whose environment leads to the scratch folder; null if this system does not show environments. */
export function processesOf(scratch: string): readonly number[] | null {
  if (process.platform === 'linux') return readdirSync('/proc').flatMap((name) => (hasEnvironment(name, scratch) ? [Number(name)] : []));
  if (process.platform === 'win32') return null;
  const { stdout, status } = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 27 });
  if (status !== 0) return null;
  return stdout
    .split('\n')
    .flatMap((line) => (line.includes(scratch) ? [Number.parseInt(line, 10)] : []))
    .filter((id) => id !== process.pid);
}

function hasEnvironment(id: string, scratch: string): boolean {
  if (!/^\d+$/.test(id) || Number(id) === process.pid) return false;
  try {
    return readFileSync(`/proc/${id}/environ`, 'utf8').includes(scratch);
  } catch {
    return false;
  }
}

/** Waits for processes that are about to end, and ends those that stay. Returns them. */
export async function endProcesses(scratch: string): Promise<readonly number[] | null> {
  let left = processesOf(scratch);
  for (let tries = 0; left !== null && left.length > 0 && tries < TRIES; tries++) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    left = processesOf(scratch);
  }
  for (const id of left ?? []) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  return left;
}

const [TRIES, WAIT_MS] = [20, 50];
