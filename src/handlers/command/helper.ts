/**
 * Runs hooks through a small process. Starting one blocks a process in proportion to its memory: the system copies the tables of all its
 * pages. The helper is started when it is first needed, once more after it died, and is ended when it was not needed for a while; it never
 * keeps this process alive.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import { type CallLimits, startDeadline, timedOut } from '../kit/deadline.ts';
import { encodeFrame, type FromHelper, frameReader } from './helper-frames.ts';
import { endAtOnce, unwatchGroup, watchGroup } from './kill-group.ts';
import type { ProcessSpec, Starter } from './run-process.ts';

/** `file`: the built program of helper-main.ts; found by itself in the package. */
export function createHelper(file: string | undefined = builtHelper()): Starter {
  let current: HelperProcess | undefined;
  return {
    run(spec, patience) {
      if (file === undefined) return undefined;
      if (!current?.alive) current = startHelper(file);
      return current?.run(spec, patience);
    },
    close() {
      current?.close();
      current = undefined;
    },
  };
}

/**
 * Next to this chunk in the program; the library's chunks are one folder above those of the program. A bundle has no such file, or does not
 * know its own place: then this process starts its hooks itself.
 */
function builtHelper(): string | undefined {
  const folder: string | undefined = import.meta.dirname;
  if (folder === undefined) return undefined;
  return ['helper-main.js', 'cli/helper-main.js'].map((place) => join(folder, place)).find((place) => existsSync(place));
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

function startHelper(file: string): HelperProcess | undefined {
  const { PATH, HOME, TMPDIR } = process.env;
  // Options of Node itself are for this process; in Electron the program is no Node unless it is told so.
  const env = { PATH, HOME, TMPDIR, ELECTRON_RUN_AS_NODE: '1' };
  try {
    // Detached: Ctrl-C at a terminal is for whoever is in the foreground to deal with.
    const child = spawn(process.execPath, [file], { cwd: '/', env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    if (child.pid !== undefined) return new HelperProcess(child);
    child.on('error', () => {});
    return undefined;
  } catch {
    return undefined;
  }
}

/** The helper exits after this idle time. Not sooner, because a hook's background process may still write to pipes that the helper holds. */
const IDLE_MS = 300_000;
/** Time to end a group on a busy machine. */
const MARGIN_MS = 3_000;

interface Waiting {
  settle(answer: Reply | Fault): void;
  pid?: number;
}

class HelperProcess {
  readonly #child: Child;
  readonly #waiting = new Map<number, Waiting>();
  #idle: NodeJS.Timeout | undefined;
  #next = 0;
  alive = true;

  constructor(child: Child) {
    this.#child = child;
    child.stdout.on('data', frameReader<FromHelper>(this.#take));
    for (const stream of [child.stdin, child.stdout]) stream.on('error', () => {});
    child.once('error', () => this.#died('it could not be started'));
    child.once('exit', (code, signal) => this.#died(signal === null ? `it exited with ${code}` : `it was ended by ${signal}`));
    this.#hold(false);
  }

  run(spec: ProcessSpec, patience: CallLimits): Promise<Reply | Fault> {
    const id = this.#next++;
    const { timeoutMs } = patience;
    return new Promise((resolve) => {
      let overdue: NodeJS.Timeout | undefined;
      // The helper keeps the timeout; this is for a helper that hangs itself.
      const deadline = startDeadline({ ...patience, timeoutMs: timeoutMs + MARGIN_MS }, (why) => {
        if (why.fault !== 'cancelled') return this.#hangs(id, timedOut(timeoutMs));
        this.#child.stdin.write(encodeFrame({ id, cancel: true }));
        overdue = setTimeout(() => this.#hangs(id, why), MARGIN_MS);
      });
      this.#waiting.set(id, {
        settle: (answer) => {
          deadline.cancel();
          clearTimeout(overdue);
          resolve(answer.kind === 'process' || answer.kind === 'fault' ? { ...answer, started: 'helper' } : answer);
        },
      });
      this.#hold(true);
      this.#child.stdin.write(encodeFrame({ id, run: spec, timeoutMs }));
    });
  }

  /** Ends the hooks that it still runs. */
  close(): void {
    this.alive = false;
    clearTimeout(this.#idle);
    this.#child.stdin.end();
  }

  readonly #take = (message: FromHelper): void => {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if ('pid' in message) {
      waiting.pid = message.pid;
      watchGroup(message.pid, 'helper');
    } else this.#settle(message.id, waiting, message.answer);
  };

  #settle(id: number, waiting: Waiting, answer: Reply | Fault): void {
    this.#waiting.delete(id);
    if (waiting.pid !== undefined) unwatchGroup(waiting.pid);
    waiting.settle(answer);
    if (this.#waiting.size === 0) this.#hold(false);
  }

  /** No other process can end the hooks that it started. */
  #died(how: string): void {
    this.alive = false;
    clearTimeout(this.#idle);
    for (const [id, waiting] of [...this.#waiting]) {
      if (waiting.pid !== undefined) endAtOnce(waiting.pid);
      this.#settle(id, waiting, fault('spawn', `the process that starts hooks for this one is gone: ${how}`));
    }
  }

  #hangs(id: number, why: Fault): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (waiting.pid !== undefined) endAtOnce(waiting.pid);
    this.alive = false;
    this.#settle(id, waiting, why);
    this.#child.kill('SIGKILL');
  }

  /** Whether it keeps this process alive: as long as a call waits. */
  #hold(wanted: boolean): void {
    clearTimeout(this.#idle);
    for (const part of [this.#child, this.#child.stdin, this.#child.stdout]) {
      if (part === this.#child || part instanceof Socket) (part as Child | Socket)[wanted ? 'ref' : 'unref']();
    }
    if (!wanted && this.alive) this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }
}
