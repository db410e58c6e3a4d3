/** The process of a guarded server: it is started without a shell, in a process group of its own, and ends with the proxy. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { endGroup, unwatchGroup, watchGroup } from '../../handlers/command/kill-group.ts';
import { readLines } from './json-rpc.ts';

export interface ServerProcess {
  /** Writes one message as a line. Does nothing once the server is gone. */
  send(text: string): void;
  /** Closes its input, waits for its end, and ends its whole group if it does not end by itself. */
  stop(): Promise<void>;
  /** Resolves with a sentence about its end. Never rejects. */
  readonly ended: Promise<string>;
}

export interface StartedBy {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly take: (line: string) => void;
}

/** Resolves when the server runs. Rejects if it cannot be started. */
export function startServer({ command, cwd, take }: StartedBy): Promise<ServerProcess> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: process.env, stdio: ['pipe', 'pipe', 'inherit'], detached: process.platform !== 'win32' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      resolve(running(child, take));
    });
  });
}

function running(child: ChildProcessByStdio<Writable, Readable, null>, take: (line: string) => void): ServerProcess {
  const pid = child.pid as number;
  watchGroup(pid);
  let why: string | undefined;
  const ended = new Promise<string>((resolve) => {
    // Both: the process is gone, and everything that it wrote was read.
    child.once('close', (code, signal) => {
      unwatchGroup(pid);
      resolve(why ?? (signal === null ? `The server ended with exit code ${code}.` : `The server was ended by ${signal}.`));
    });
    child.on('error', () => {});
  });
  const kill = (): Promise<void> => new Promise((gone) => void endGroup(pid, gone));
  // A server that no longer reads ends soon, and its end is reported.
  child.stdin.on('error', () => {});
  readLines(child.stdout, take, () => {
    why = 'The server sent a message over 32 MiB, so it was ended.';
    void kill();
  });
  return {
    send: (text) => void (child.stdin.writable && child.stdin.write(`${text}\n`)),
    async stop() {
      child.stdin.end();
      const patience = new AbortController();
      const late = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LEAVES_MS);
        patience.signal.addEventListener('abort', () => clearTimeout(timer));
      });
      await Promise.race([ended, late]);
      patience.abort();
      await kill();
      child.stdout.destroy();
      await ended;
    },
    ended,
  };
}

/** How long a server may take to end after its input was closed. */
const LEAVES_MS = 2000;
