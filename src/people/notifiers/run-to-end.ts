/** Runs a process that notifies people: in its own process group, which is killed at the timeout or when the caller cancels. */

import type { ChildProcess } from 'node:child_process';
import type { NotifyFailure } from '../../core/contracts/notifier.ts';
import { groupTarget } from '../../core/values/platform.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';

const GIVEN_UP: NotifyFailure = { failed: 'was stopped because the delivery was cancelled', retry: true };
/** A process that waits for a device ignores even SIGKILL. The result does not wait for such a process. */
const DYING_MS = 1000;

/** @param start starts the process in a group of its own; it may throw */
export async function runToEnd(start: () => ChildProcess, timeoutMs: number, signal: AbortSignal): Promise<'sent' | NotifyFailure> {
  if (signal.aborted) return GIVEN_UP;
  let child: ChildProcess;
  try {
    child = start();
  } catch (error) {
    return couldNotStart(error);
  }
  return follow(child, timeoutMs, signal);
}

function follow(child: ChildProcess, timeoutMs: number, signal: AbortSignal): Promise<'sent' | NotifyFailure> {
  return new Promise((resolve) => {
    let ended: NotifyFailure | undefined;
    let dying: NodeJS.Timeout | undefined;
    const settle = (answer: 'sent' | NotifyFailure) => {
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
    // In a busy process the timer and the exit can be due in the same turn. `setImmediate` lets the exit be handled first.
    const due = () => setImmediate(() => end({ failed: `did not exit within ${timeoutMs} ms`, retry: true }));
    const timer = setTimeout(due, Math.min(timeoutMs, LONGEST_TIMER_MS));
    signal.addEventListener('abort', giveUp);
    child.once('error', (error) => {
      // Without a process there is no exit event to wait for. With a process, this error does not mean that it has ended.
      if (child.pid === undefined) settle(couldNotStart(error));
    });
    child.once('exit', (code, by) => {
      const failed = code === null ? `was killed by ${by}` : `exited with ${code}`;
      const answer = ended ?? (code === 0 ? 'sent' : { failed, retry: true });
      // If the timer has already fired, its callback must find this settled.
      ended ??= { failed, retry: true };
      settle(answer);
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(groupTarget(process.platform, pid), 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

function couldNotStart(error: unknown): NotifyFailure {
  return { failed: `could not be started: ${error instanceof Error && 'code' in error ? error.code : 'unknown error'}`, retry: true };
}
