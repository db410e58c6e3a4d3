/**
 * Remembers the processes that asked Hookline's hooks: an agent asks, and a person does not. So an agent that no list names is recognised by
 * what it does. Each is an empty file with the process id as its name. The time of the file tells it from a later process with the same id.
 */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baseOf, isInteractiveShell, isShell, type Process, processesFrom, runsText } from './processes.ts';

/** Returns a function that notes the process that started a hook. It is called for every event, so it does almost nothing for a known one. */
export function createAskers(stateFolder: string): (pid: number) => void {
  const folder = folderIn(stateFolder);
  const noted = new Map<number, number>();
  return (pid) => {
    const now = Date.now();
    if (now - (noted.get(pid) ?? 0) < FRESH_MS) return;
    if (noted.size > MOST) noted.clear();
    noted.set(pid, now);
    const asker = askerFrom(pid);
    if (asker !== undefined) touch(folder, asker, now / 1000);
  };
}

/** Whether this very process has asked a hook. */
export function isAsker(stateFolder: string, { pid, startedAt }: Pick<Process, 'pid' | 'startedAt'>): boolean {
  const found = statSync(path.join(folderIn(stateFolder), String(pid)), { throwIfNoEntry: false });
  return found !== undefined && (startedAt === undefined || startedAt <= found.mtimeMs + CLOCK_MS);
}

const FRESH_MS = 1000;
/** The start of a process is known to about a second. */
const CLOCK_MS = 2000;
const MOST = 256;

function folderIn(stateFolder: string): string {
  return path.join(stateFolder, 'hookline', 'askers');
}

/**
 * Agents start a hook by `sh -c`, and Hookline's own client may be one more shell: neither is the one that asks. A shell that a person types
 * into is not an agent either: people try a hook by hand. Elsewhere than on Linux, looking further would cost a process for each event.
 */
function askerFrom(pid: number): number | undefined {
  if (process.platform !== 'linux') return pid;
  for (const found of processesFrom(pid)) {
    if (isInteractiveShell(found) && found.isTerminal(0)) return undefined;
    if (!isBetween(found)) return found.pid;
  }
  return undefined;
}

const RUNNERS = ['timeout', 'npm', 'npx', 'pnpm', 'yarn', 'bunx'];

function isBetween(found: Process): boolean {
  if (isShell(found)) return runsText(found) || runsClient(found);
  return found.words.slice(0, 2).some((word) => RUNNERS.includes(baseOf(word.split(' ')[0])));
}

function runsClient({ words }: Process): boolean {
  return baseOf(words[words[1] === '-p' ? 2 : 1]) === 'hookline-hook';
}

function touch(folder: string, pid: number, seconds: number): void {
  const file = path.join(folder, String(pid));
  try {
    utimesSync(file, seconds, seconds);
  } catch {
    add(folder, file);
  }
}

/** An event is answered even if this cannot be written: the log reports a state folder that cannot. */
function add(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(folder);
    if (names.length >= MOST) for (const name of names) if (!isAlive(Number(name))) rmSync(path.join(folder, name), { force: true });
    writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // An event is answered even if the asker cannot be noted.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
