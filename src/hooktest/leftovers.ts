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

/** Processes by what their environment shows. */
interface Processes {
  /** It leads to the scratch folder. */
  readonly left: readonly number[];
  /** It shows nothing, as while a process starts a program. */
  readonly hasUnclear: boolean;
}

/** Returns null if this system does not show environments. */
function processesOf(scratch: string): Processes | null {
  if (process.platform === 'linux') return inProc(scratch);
  if (process.platform === 'win32') return null;
  const { stdout, status } = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 27 });
  if (status !== 0) return null;
  const left = stdout
    .split('\n')
    .flatMap((line) => (line.includes(scratch) ? [Number.parseInt(line, 10)] : []))
    .filter((id) => id !== process.pid);
  return { left, hasUnclear: false };
}

function inProc(scratch: string): Processes {
  const left: number[] = [];
  let hasUnclear = false;
  for (const id of readdirSync('/proc')) {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) continue;
    try {
      const environment = readFileSync(`/proc/${id}/environ`, 'utf8');
      if (environment.includes(scratch)) left.push(Number(id));
      else if (environment === '' && runsPrograms(id)) hasUnclear = true;
    } catch {
      // It has ended, or it belongs to another user.
    }
  }
  return { left, hasUnclear };
}

/** Whether it is neither a process that has ended nor a thread of the kernel. Those never have an environment. */
function runsPrograms(id: string): boolean {
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
  const [state = '', , , , , , flags] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return !'ZX'.includes(state) && (Number(flags) & PF_KTHREAD) === 0;
}

const PF_KTHREAD = 0x20_0000;

/** Waits for processes that are about to end, and ends those that stay. Returns them. */
export async function endProcesses(scratch: string): Promise<readonly number[] | null> {
  let seen = processesOf(scratch);
  for (let tries = 0; seen !== null && tries < (seen.left.length > 0 ? TRIES : seen.hasUnclear ? UNCLEAR_TRIES : 0); tries++) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    seen = processesOf(scratch);
  }
  for (const id of seen?.left ?? []) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  return seen?.left ?? null;
}

const [TRIES, WAIT_MS] = [20, 50];
/** A process may also be without any environment for good. */
const UNCLEAR_TRIES = 2;
