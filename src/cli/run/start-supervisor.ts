/**
 * Starts the process that runs background hooks. It has its own session and inherits no pipe, so no caller waits for it. Its work is in a
 * file that is unlinked before it is read.
 */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SupervisedWork } from './background.ts';
import { ownNodeEnvironment } from './own-node.ts';

export function startSupervisor(work: SupervisedWork): void {
  const complain = (error: unknown): void => {
    const names = work.calls.map(({ hook }) => hook.name).join(', ');
    process.stderr.write(`hookline: background hooks were not started (${names}): ${error instanceof Error ? error.message : error}\n`);
  };
  try {
    const stdin = openNamelessFile(JSON.stringify(work));
    try {
      const child = spawn(process.execPath, [process.argv[1] as string, '__supervise'], {
        cwd: '/',
        env: ownNodeEnvironment(process.env),
        detached: true,
        stdio: [stdin, 'ignore', 'ignore'],
      });
      child.once('error', complain);
      child.unref();
    } finally {
      closeSync(stdin);
    }
  } catch (error) {
    complain(error);
  }
}

/** Returns a descriptor open for reading at the start. Only the owner could read the file while it had a name. */
function openNamelessFile(text: string): number {
  const file = path.join(tmpdir(), `hookline-${process.pid}-${randomBytes(8).toString('hex')}`);
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return openSync(file, 'r');
  } finally {
    unlinkSync(file);
  }
}
