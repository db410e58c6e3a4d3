/**
 * Tells people by a command: the notice is its stdin, exit 0 means told. It runs in a process group of its own, and the whole group is
 * ended when its time is over or the caller gives up. What it prints is not kept.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandNotifierConfig, Notice, Notifier, NotifyFailure } from '../../core/contracts/notifier.ts';
import { groupTarget, shellOf } from '../../core/values/platform.ts';

export function commandNotifier({ command, timeoutMs = 10_000 }: CommandNotifierConfig): Notifier {
  return {
    type: 'command',
    async tell(notice, signal) {
      if (signal.aborted) return GIVEN_UP;
      let child: ChildProcess;
      try {
        child = start(command, notice);
      } catch (error) {
        return couldNotStart(error);
      }
      return follow(child, timeoutMs, signal);
    },
  };
}

const GIVEN_UP: NotifyFailure = { failed: 'was ended because nobody waits for it any more', retry: true };
/** setTimeout takes a longer one for no time at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Not even KILL ends a process that waits for a device: the answer does not wait for that. */
const DYING_MS = 1000;

/** Throws what `spawn` throws, and what the file for stdin throws. */
function start(command: string, notice: Notice): ChildProcess {
  const stdin = openStdin(`${JSON.stringify(notice)}\n`);
  const env = { ...process.env, HOOKLINE_TICKET: notice.ticket.id, HOOKLINE_STATE: notice.ticket.state };
  try {
    return spawn(shellOf(process.platform), ['-c', command], { detached: true, env, stdio: [stdin, 'ignore', 'ignore'] });
  } finally {
    closeSync(stdin);
  }
}

let count = 0;

/** A file without a name, and no pipe: it can be opened again as /dev/stdin, and a command that does not read it breaks nothing. */
function openStdin(text: string): number {
  count += 1;
  const path = join(tmpdir(), `hookline-notice-${process.pid}-${Math.random().toString(36).slice(2)}-${count}`);
  const writer = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(writer, text);
    return openSync(path, 'r');
  } finally {
    closeSync(writer);
    unlinkSync(path);
  }
}

function follow(child: ChildProcess, timeoutMs: number, signal: AbortSignal): Promise<'told' | NotifyFailure> {
  return new Promise((resolve) => {
    let ended: NotifyFailure | undefined;
    let dying: NodeJS.Timeout | undefined;
    const settle = (answer: 'told' | NotifyFailure) => {
      clearTimeout(timer);
      clearTimeout(dying);
      signal.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    const end = (why: NotifyFailure) => {
      if (ended !== undefined) return;
      ended = why;
      killGroup(child.pid);
      dying = setTimeout(() => {
        child.unref();
        settle(why);
      }, DYING_MS);
    };
    const giveUp = () => end(GIVEN_UP);
    // A loop that was busy elsewhere finds the timer due and the exit waiting at the same time: the exit is heard first.
    const due = () => setImmediate(() => end({ failed: `did not end within ${timeoutMs} ms`, retry: true }));
    const timer = setTimeout(due, Math.min(timeoutMs, LONGEST_TIMER_MS));
    signal.addEventListener('abort', giveUp);
    child.once('error', (error) => {
      // Without a process there is no exit to wait for. With one, this is not about its life.
      if (child.pid === undefined) settle(couldNotStart(error));
    });
    child.once('exit', (code, by) => {
      const failed = code === null ? `was ended by ${by}` : `exited with ${code}`;
      const answer = ended ?? (code === 0 ? 'told' : { failed, retry: true });
      // The timer may have fired already: what it has left to say must find this over.
      ended ??= { failed, retry: true };
      settle(answer);
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(groupTarget(process.platform, pid), 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function couldNotStart(error: unknown): NotifyFailure {
  return { failed: `could not be started: ${error instanceof Error && 'code' in error ? error.code : 'unknown error'}`, retry: true };
}
