/** Runs a command of the agent: without a terminal, without secrets, and with a mark that shows that an agent has started it. */
import { spawn } from 'node:child_process';
import { visibleEnvironment } from '../../core/values/environment.ts';

export interface CommandEnd {
  /** Stdout and stderr, in the order in which they arrived. */
  readonly output: string;
  /** How it ended, if not with exit code 0. */
  readonly end: string;
}

const LONGEST_MS = 120_000;
const MOST_BYTES = 4_000_000;

/**
 * Runs a line with the shell. The process has a session of its own, so it cannot reach the person's terminal: it could answer Hookline's questions
 * there. Rejects if the signal ends it.
 */
export function runCommand(command: string, cwd: string, signal?: AbortSignal): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const env = { ...visibleEnvironment(process.env, { policy: 'deny', names: [] }, 'inherits'), AI_AGENT: 'hookline' };
    const child = spawn('/bin/sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    let size = 0;
    let why = '';
    const kill = (): void => {
      try {
        // The whole group: a command may have started others.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const stop = (text: string) => (): void => {
      why = text;
      kill();
    };
    const timer = setTimeout(stop(`(ended: it ran for more than ${LONGEST_MS / 1000} s)`), LONGEST_MS);
    const abort = stop('(ended: the turn was stopped)');
    signal?.addEventListener('abort', abort, { once: true });
    process.once('exit', kill);
    const keep = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MOST_BYTES) chunks.push(chunk);
      else if (why === '') stop(`(ended: it printed more than ${MOST_BYTES} bytes)`)();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      process.off('exit', kill);
    };
    child.once('error', (error) => {
      over();
      reject(error);
    });
    child.once('close', (code, by) => {
      over();
      if (signal?.aborted) return reject(signal.reason);
      const output = Buffer.concat(chunks).toString('utf8');
      resolve({ output, end: why !== '' ? why : by !== null ? `(ended by ${by})` : code === 0 ? '' : `(exit code ${code})` });
    });
    if (signal?.aborted) abort();
  });
}
