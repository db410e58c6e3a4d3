/**
 * Ends everything a hook started, not just its first process: TERM to the process group, KILL to what is left of it. Done when the group
 * is empty, whatever its first process does. Only groups that were started detached are ever signalled.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { groupTarget } from '../../core/values/platform.ts';
import { addToWatchdog, removeFromWatchdog, WATCHED_AFTER_MS } from './watchdog.ts';

/** How long a hook may take to end itself after TERM. */
export const GRACE_MS = 500;

/** Calls `gone` once. The result looks at the group at once, for when its first process is known to have exited. */
export function endGroup(pid: number, gone: () => void): () => void {
  const started = performance.now();
  let pauseMs = FIRST_LOOK_MS;
  let timer: NodeJS.Timeout;
  let killed = false;
  let over = false;
  const look = () => {
    if (over) return;
    clearTimeout(timer);
    const elapsedMs = performance.now() - started;
    if (!killed && elapsedMs >= GRACE_MS) {
      killed = true;
      pauseMs = FIRST_LOOK_MS;
      signalGroup(pid, 'SIGKILL');
    }
    over = !hasLiving(pid) || elapsedMs >= GRACE_MS + DYING_MS;
    if (over) return gone();
    timer = setTimeout(look, killed ? pauseMs : Math.min(pauseMs, GRACE_MS - elapsedMs));
    pauseMs *= 2;
  };
  signalGroup(pid, 'SIGTERM');
  timer = setTimeout(look, pauseMs);
  return look;
}

/** Ends the group at once, because no caller waits any more. The watchdog need not learn of it. */
export function endAtOnce(pid: number): void {
  signalGroup(pid, 'SIGKILL');
  const state = running.get(pid);
  if (state !== 'told') clearTimeout(state);
}

/**
 * From its start until its exit: should this process end in between, no process would enforce the hook's timeout.
 * @param startedBy `helper`: the helper started the group, and ends it if this process is killed
 */
export function watchGroup(pid: number, startedBy: 'self' | 'helper' = 'self'): void {
  if (!listening) process.once('exit', endAll);
  listening = true;
  running.set(pid, startedBy === 'self' ? setTimeout(tellWatchdog, WATCHED_AFTER_MS, pid).unref() : undefined);
}

export function unwatchGroup(pid: number): void {
  const state = running.get(pid);
  running.delete(pid);
  if (state === 'told') removeFromWatchdog(pid);
  else clearTimeout(state);
}

function tellWatchdog(pid: number): void {
  if (addToWatchdog(pid)) running.set(pid, 'told');
}

/** The watchdog, which follows up with KILL, gives its groups time to end themselves. */
function endAll(): void {
  for (const [group, state] of running) signalGroup(group, state === 'told' ? 'SIGTERM' : 'SIGKILL');
}

const FIRST_LOOK_MS = 5;
/** Not even KILL ends a process that waits for a device: it dies when it wakes, and the answer does not wait for that. */
const DYING_MS = 200;
/** Each group, with the timer after which the watchdog is told of it; undefined if the helper ends it. */
const running = new Map<number, NodeJS.Timeout | 'told' | undefined>();
let listening = false;

/** Returns false if there is no process to signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(groupTarget(process.platform, pid), signal);
  } catch {
    return false;
  }
}

/**
 * A dead process stays in its group until it is reaped, which in a container may be late or never: only /proc tells it from a living one.
 * Without /proc it counts as living, and is waited for as long as a process that does not end.
 */
export function hasLiving(group: number, processes = '/proc'): boolean {
  if (!signalGroup(group, 0)) return false;
  try {
    return readdirSync(processes).some((name) => /^\d/.test(name) && isLivingMember(name, group));
  } catch {
    return true;
  }
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // "pid (name) state parent group …": the name may hold anything, also brackets and spaces.
    const [state = '', , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(memberOf) === group && state !== 'Z' && state !== 'X';
  } catch {
    // It ended while it was looked at.
    return false;
  }
}
