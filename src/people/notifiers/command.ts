/**
 * Notifies people by a command. The notice is its stdin; exit code 0 means success. The command runs in its own process group, which is
 * killed at the timeout or when the caller cancels. Its output is discarded.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandNotifierConfig, Notice, Notifier } from '../../core/contracts/notifier.ts';
import { shellOf } from '../../core/values/platform.ts';
import { runToEnd } from './run-to-end.ts';

export function commandNotifier({ command, timeoutMs = 10_000 }: CommandNotifierConfig): Notifier {
  return {
    type: 'command',
    notify: (notice, signal) => runToEnd(() => start(command, notice), timeoutMs, signal),
  };
}

/** Throws the errors of `spawn` and of the stdin file. */
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

/**
 * Opens an unlinked file instead of a pipe. The command can reopen it as `/dev/stdin`, and a command that does not read it causes no error.
 */
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
