/**
 * Starts hooks through a small process of its own, the launcher. Node copies its page tables for every process that it starts; the launcher has few
 * of them. It serves this process alone, ends with it, and never keeps it alive. A process that starts few hooks has none.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, readFileSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { resolve as absolute } from 'node:path';
import type { Fault, Reply } from '../../core/decision/reply.ts';
import type { CallLimits } from '../kit/deadline.ts';
import { openEnd, takeFifo } from './channels.ts';
import { LaunchedHook } from './launched-hook.ts';
import { LAUNCHER_SCRIPT } from './launcher-script.ts';
import type { ProcessSpec, Starter } from './run-process.ts';

export interface LauncherOptions {
  /** Default: the system's, if there is one. Another one, of a package manager, may not be there tomorrow. */
  readonly perl?: string | undefined;
  /** How many hooks this process starts itself before it has a launcher started. */
  readonly after?: number;
}

/** Starting it costs as much as two hooks, so a process that answers one event does without. */
export const PAYS_AFTER = 3;

export function createLauncher({ perl = systemPerl(), after = PAYS_AFTER }: LauncherOptions = {}): Starter {
  let current: Launcher | undefined;
  let asked = 0;
  let failed = 0;
  return {
    run(spec, patience) {
      asked++;
      if (perl === undefined || asked <= after || failed >= MOST_FAILURES) return undefined;
      if (current && !current.alive) {
        if (current.broken) failed++;
        current = undefined;
      }
      current ??= startLauncher(perl);
      if (current === undefined) failed++;
      return current?.run(spec, patience);
    },
    close() {
      current?.close();
      current = undefined;
    },
  };
}

/** A launcher that fails again and again is not started once more. */
const MOST_FAILURES = 3;

/** Only Linux has files by which the launcher can open the streams of a hook. */
function systemPerl(): string | undefined {
  return process.platform === 'linux' && existsSync(PERL) ? PERL : undefined;
}

const PERL = '/usr/bin/perl';

function startLauncher(perl: string): Launcher | undefined {
  const fifo = takeFifo();
  if (fifo === undefined) return undefined;
  let writer: number | undefined;
  try {
    writer = openEnd(fifo, 'writer');
    // Detached: Ctrl-C at a terminal is for whoever is in the foreground to deal with. It needs no variable, and none may change what Perl runs.
    const child = spawn(perl, ['-e', LAUNCHER_SCRIPT, 'hookline-launcher'], {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['pipe', writer, 'ignore'],
    });
    if (child.pid !== undefined) return new Launcher(child, fifo);
    child.on('error', () => {});
  } catch {
    // No descriptor left, or not permitted.
  } finally {
    if (writer !== undefined) closeSync(writer);
  }
  closeSync(fifo);
  return undefined;
}

/** It exits after this idle time. */
const IDLE_MS = 300_000;

class Launcher {
  readonly #child: ChildProcess;
  readonly #requests: Socket;
  readonly #reports: Socket;
  readonly #owner = identity();
  readonly #hooks = new Map<string, LaunchedHook>();
  #idle: NodeJS.Timeout | undefined;
  #next = 0;
  #unread = '';
  #ready = false;
  alive = true;
  /** Whether it ended by itself, or could not open the streams. */
  broken = false;

  constructor(child: ChildProcess, reports: number) {
    this.#child = child;
    this.#requests = child.stdin as Socket;
    // Into one buffer, because a stream of Node takes 64 KB for every line that it reads.
    const buffer = Buffer.allocUnsafe(4096);
    const callback = (size: number): true => {
      this.#read(buffer.toString('latin1', 0, size));
      return true;
    };
    const options: SocketConstructorOpts & ConnectOpts = { fd: reports, readable: true, writable: false, onread: { buffer, callback } };
    this.#reports = new Socket(options);
    for (const stream of [this.#requests, this.#reports]) stream.on('error', () => {});
    child.once('error', () => this.#died('it could not be started'));
    child.once('exit', (code, signal) => this.#died(signal === null ? `it exited with ${code}` : `it was ended by ${signal}`));
    this.#hold(false);
  }

  /** Undefined if it cannot start this hook, or not yet. */
  run(spec: ProcessSpec, patience: CallLimits): Promise<Reply | Fault> | undefined {
    if (!this.#ready) return undefined;
    // A process that gave up its rights must not keep them by way of the launcher.
    if (identity() !== this.#owner) {
      this.close();
      return undefined;
    }
    const hook = LaunchedHook.open(spec, patience, { hangs: () => this.#hangs() });
    if (hook === undefined) return undefined;
    const id = String(this.#next++);
    const request = encodeRequest(id, spec, hook.files);
    if (request === undefined) {
      hook.release();
      return undefined;
    }
    this.#hooks.set(id, hook);
    this.#hold(true);
    this.#requests.write(request);
    return hook.answer;
  }

  /** Ends the hooks that it still runs. */
  close(): void {
    this.alive = false;
    clearTimeout(this.#idle);
    this.#requests.end();
  }

  readonly #read = (text: string): void => {
    const lines = (this.#unread + text).split('\n');
    this.#unread = lines.pop() as string;
    for (const line of lines) this.#take(line);
  };

  #take(line: string): void {
    if (line === 'ready') {
      this.#ready = true;
      return;
    }
    const [kind, id = '', number] = line.split(' ');
    const hook = this.#hooks.get(id);
    if (hook === undefined) return;
    if (kind === '+') hook.runs(Number(number));
    else if (kind === '!') hook.failed(Number(number));
    else {
      this.#hooks.delete(id);
      if (kind === '-') hook.ended(Number(number));
      else {
        this.#retire();
        hook.untried();
      }
      if (this.#hooks.size === 0) this.#hold(false);
    }
  }

  /** It cannot open the streams here: the hooks that run may end, and no further one is started. */
  #retire(): void {
    this.alive = false;
    this.broken = true;
  }

  #died(how: string): void {
    this.broken ||= this.alive;
    this.alive = false;
    clearTimeout(this.#idle);
    for (const hook of this.#hooks.values()) hook.lost(how);
    this.#hooks.clear();
  }

  #hangs(): void {
    this.#child.kill('SIGKILL');
  }

  /** Whether it keeps this process alive: as long as a call waits. */
  #hold(wanted: boolean): void {
    for (const part of [this.#child, this.#requests, this.#reports]) wanted ? part.ref() : part.unref();
    if (wanted || !this.alive) {
      clearTimeout(this.#idle);
      this.#idle = undefined;
      if (!wanted) this.#requests.end();
    } else this.#idle ??= setTimeout(() => this.close(), IDLE_MS).unref();
  }
}

function identity(): string {
  return `${process.getuid?.()} ${process.geteuid?.()} ${process.getgid?.()} ${process.getegid?.()}`;
}

/** The system's word for it, because asking Node sets it for a moment, for all threads. It is not asked every time: it hardly ever changes. */
function currentUmask(): string {
  const now = performance.now();
  if (now - lookedAt >= LOOK_MS) {
    const [, octal = '0077'] = /^Umask:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
    umask = String(Number.parseInt(octal, 8));
    lookedAt = now;
  }
  return umask;
}

const LOOK_MS = 1000;
let lookedAt = Number.NEGATIVE_INFINITY;
let umask = '';

/** See launcher-script.ts. Undefined if a field has a zero byte, which the direct way reports, or a variable has no name. */
function encodeRequest(id: string, { launch, cwd, env }: ProcessSpec, files: readonly string[]): Buffer | undefined {
  const { file, args } = launch;
  const fields = [id, absolute(cwd), currentUmask(), ...files, String(args.length + 1), file, ...args];
  for (const name in env) if (env[name] !== undefined) fields.push(`${name}=${env[name]}`);
  const text = fields.join('\0');
  if (text.split('\0').length !== fields.length || Object.hasOwn(env, '')) return undefined;
  const length = Buffer.byteLength(text) + 1;
  const request = Buffer.allocUnsafe(LENGTH_BYTES + length);
  request.writeUInt32BE(length);
  request.write(text, LENGTH_BYTES);
  request[LENGTH_BYTES + length - 1] = 0;
  return request;
}

const LENGTH_BYTES = 4;
