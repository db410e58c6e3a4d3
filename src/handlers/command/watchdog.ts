/**
 * Ends the hooks of a process that was killed. A killed process runs no more code, so a shell outlives it: it knows the groups that run, and
 * reads the end of its stdin when the process is gone. It is started for the first hook that takes long, so that quick hooks cost nothing.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { shellOf } from '../../core/values/platform.ts';

/** How long a hook runs before the watchdog learns of it. */
export const WATCHED_AFTER_MS = 100;

/** Returns whether the watchdog will end this group if this process dies. */
export function addToWatchdog(group: number): boolean {
  // Without process groups there is nothing that a shell could end.
  if (process.platform === 'win32') return false;
  if (shell) tell(`+ ${group}`);
  else shell = start(group);
  return shell !== undefined;
}

export function removeFromWatchdog(group: number): void {
  tell(`- ${group}`);
}

/**
 * TERM first, because a hook may have something to clean up, then KILL. The shell ignores signals: it belongs to a session of its own, but
 * an agent may end all processes that it can find.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=" $1 "
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
[ "$groups" = ' ' ] && exit 0
for group in $groups; do kill -TERM "-$group"; done
sleep 0.5 || sleep 1
for group in $groups; do kill -KILL "-$group"; done
`;

let shell: ChildProcess | undefined;

/** The first group is an argument, because this process may be killed before it can write. */
function start(group: number): ChildProcess | undefined {
  try {
    // `PATH` is for `sleep` alone; the rest is built into the shell.
    const child = spawn(shellOf(process.platform), ['-c', SCRIPT, 'hookline-watchdog', String(group)], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const gone = (): void => {
      if (shell === child) shell = undefined;
    };
    child.once('error', gone);
    child.once('exit', gone);
    child.stdin?.on('error', gone);
    // It never keeps this process alive.
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
    return child.pid === undefined ? undefined : child;
  } catch {
    return undefined;
  }
}

function tell(line: string): void {
  shell?.stdin?.write(`${line}\n`);
}
