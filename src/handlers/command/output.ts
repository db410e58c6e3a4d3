/** The output of a process: reads its two streams, bounds them, and makes a reply of them. */

import type { ChildProcess } from 'node:child_process';
import { closeSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Reply } from '../../core/decision/reply.ts';
import { giveBack, openEnd, takeFifo } from './channels.ts';

/**
 * One stream a process writes to, from before it starts until no process can write to it any more. The answer never waits for the end of the
 * stream: a background child may hold it open for hours. Everything that the process itself wrote before it exited is read.
 */
export interface Outlet {
  /** The process's end, in the form that `spawn` takes. */
  readonly stdio: number | 'pipe';
  /** Once the process was started. */
  read(stream: Readable | null): void;
  /** Once the process has exited, or could not be started: reads the written bytes, and no more. */
  finish(): Promise<void> | undefined;
}

function openOutlet(collector: OutputCollector): Outlet {
  const fifo = takeFifo();
  if (fifo === undefined) return new PipeOutlet(collector);
  try {
    return new FifoOutlet(fifo, collector).open();
  } catch {
    giveBack(fifo);
    return new PipeOutlet(collector);
  }
}

/** All readers share it: bytes are copied out before the next read. */
const buffer = Buffer.allocUnsafe(64 * 1024);

/** The most a pipe can hold for an ordinary user: the bytes from before the exit are within that size. */
const PIPE_BYTES = 1024 * 1024;

/** A hook that ends sooner is read once, at its end: a reader of its own would cost more than the reading. A pipe holds the output until then. */
const READ_AFTER_MS = 5;

class FifoOutlet implements Outlet {
  readonly #fifo: number;
  #collector: OutputCollector | undefined;
  #writer: number | undefined;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(fifo: number, collector: OutputCollector) {
    this.#fifo = fifo;
    this.#collector = collector;
  }

  /** Opens the end for writing. Throws if there is no descriptor left. */
  open(): this {
    this.#writer ??= openEnd(this.#fifo, 'writer');
    return this;
  }

  get stdio(): number {
    return this.#writer as number;
  }

  /** The name by which a process that this one did not start can open the stream. */
  get path(): string {
    return `/proc/${process.pid}/fd/${this.#fifo}`;
  }

  read(): void {
    this.#closeWriter();
    this.#timer = setTimeout(this.#listen, READ_AFTER_MS);
  }

  /** Reads before it is known that the process has opened the stream: until the end, a writer of its own takes its place. */
  readAhead = (): void => {
    try {
      this.open();
      this.#listen();
    } catch {
      this.#timer = setTimeout(this.readAhead, READ_AFTER_MS);
    }
  };

  finish(): undefined {
    clearTimeout(this.#timer);
    this.#closeWriter();
    if (this.#drain() === 'ended') this.#recycle();
    else this.#outlive();
  }

  #closeWriter(): void {
    if (this.#writer !== undefined) closeSync(this.#writer);
    this.#writer = undefined;
  }

  /** Tries again later if there is no descriptor left. */
  readonly #listen = (): void => {
    const take = (size: number, bytes: Uint8Array) => {
      this.#collector?.add(bytes.subarray(0, size));
      return true;
    };
    try {
      const options: SocketConstructorOpts & ConnectOpts = {
        fd: openEnd(this.#fifo, 'reader'),
        readable: true,
        writable: false,
        onread: { buffer, callback: take },
      };
      this.#socket = new Socket(options);
      this.#socket.on('error', () => {});
      if (this.#collector === undefined) this.#releaseAtEnd(this.#socket);
    } catch {
      this.#timer = setTimeout(this.#listen, READ_AFTER_MS);
      if (this.#collector === undefined) this.#timer.unref();
    }
  };

  #drain(): 'ended' | 'open' {
    for (let total = 0; total < PIPE_BYTES; ) {
      let size: number;
      try {
        size = readSync(this.#fifo, buffer);
      } catch {
        // Nothing to read now, but a process could still write.
        return 'open';
      }
      if (size === 0) return 'ended';
      this.#collector?.add(buffer.subarray(0, size));
      total += size;
    }
    return 'open';
  }

  /** Closing is immediate: this reader is gone before another hook can get the FIFO. */
  #recycle(): void {
    this.#socket?.destroy();
    giveBack(this.#fifo);
  }

  /** A child in the background may go on writing, into the void, without being ended for it and without keeping us alive. */
  #outlive(): void {
    this.#collector = undefined;
    if (this.#socket === undefined) this.#listen();
    else this.#releaseAtEnd(this.#socket);
  }

  #releaseAtEnd(socket: Socket): void {
    socket.unref();
    socket.once('end', () => this.#recycle());
  }
}

/**
 * Node's own pipes, if FIFOs are not available. Hooks on Linux cannot open /dev/stdout and /dev/stderr by name then. These pipes cannot be
 * drained by hand, so the written bytes are awaited for a short time.
 */
class PipeOutlet implements Outlet {
  readonly stdio = 'pipe';
  #collector: OutputCollector | undefined;
  #stream: Readable | null = null;

  constructor(collector: OutputCollector) {
    this.#collector = collector;
  }

  read(stream: Readable | null): void {
    this.#stream = stream;
    stream?.on('data', (bytes: Buffer) => this.#collector?.add(bytes));
    stream?.on('error', () => {});
  }

  finish(): Promise<void> | undefined {
    const stream = this.#stream;
    if (stream === null || stream.closed) return undefined;
    return new Promise<void>((resolve) => {
      const timer = setTimeout(() => resolve(), DRAIN_MS);
      stream.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    }).then(() => {
      this.#collector = undefined;
      if (stream instanceof Socket) stream.unref();
    });
  }
}

const DRAIN_MS = 100;

/** The output of a process on one stream, bounded while it is read: beyond the limit bytes are counted as cut and dropped. */
export class OutputCollector {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #cut = false;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get cut(): boolean {
    return this.#cut;
  }

  /** Copies what it keeps: the buffer belongs to the reader, who will fill it again. */
  add(bytes: Uint8Array): void {
    const room = this.#limit - this.#size;
    if (bytes.length > room) this.#cut = true;
    if (room <= 0) return;
    const kept = Buffer.from(bytes.length > room ? bytes.subarray(0, room) : bytes);
    this.#chunks.push(kept);
    this.#size += kept.length;
  }

  /** Decoded in one go, so no character is torn where two reads met; one that the cut went through is left out. */
  text(): string {
    if (this.#size === 0) return '';
    const bytes = Buffer.concat(this.#chunks, this.#size);
    return this.#cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
  }
}

/** Both streams of one process, kept apart or in the order they were written, and the reply they make. */
export class Capture<O extends Outlet = Outlet> {
  readonly #joined: boolean;
  readonly #stdout: OutputCollector;
  readonly #stderr: OutputCollector;
  protected readonly outlets: readonly [O, O];

  constructor(mode: 'split' | 'joined', limitBytes: number, open: (collector: OutputCollector) => O) {
    this.#joined = mode === 'joined';
    this.#stdout = new OutputCollector(limitBytes);
    this.#stderr = this.#joined ? this.#stdout : new OutputCollector(limitBytes);
    const stdout = open(this.#stdout);
    // Written to one FIFO, the order is kept by the system. Node's own pipes cannot be shared: there it is the order of arrival.
    const shared = this.#joined && stdout.stdio !== 'pipe';
    this.outlets = [stdout, shared ? stdout : open(this.#stderr)];
  }

  get stdio(): readonly [number | 'pipe', number | 'pipe'] {
    return [this.outlets[0].stdio, this.outlets[1].stdio];
  }

  read(child: ChildProcess): void {
    const [stdout, stderr] = this.outlets;
    stdout.read(child.stdout);
    if (stderr !== stdout) stderr.read(child.stderr);
  }

  /** Reads the written bytes and releases both streams. */
  finish(): Promise<unknown> | undefined {
    const [stdout, stderr] = this.outlets;
    const first = stdout.finish();
    const second = stderr === stdout ? undefined : stderr.finish();
    return first === undefined && second === undefined ? undefined : Promise.all([first, second]);
  }

  reply(exit: number): Reply {
    const stdout = this.#stdout.text();
    if (this.#joined)
      return { kind: 'process', exit, stdout, stderr: '', output: stdout, ...(this.#stdout.cut ? { cut: ['stdout'] } : {}) };
    const cut = [...(this.#stdout.cut ? ['stdout' as const] : []), ...(this.#stderr.cut ? ['stderr' as const] : [])];
    return { kind: 'process', exit, stdout, stderr: this.#stderr.text(), ...(cut.length > 0 ? { cut } : {}) };
  }
}

/** The output of a process that this one starts. */
export function openCapture(mode: 'split' | 'joined', limitBytes: number): Capture {
  return new Capture(mode, limitBytes, openOutlet);
}

/** The output of a process that another one starts: it opens the streams by their names. */
export class NamedCapture extends Capture<FifoOutlet> {
  get paths(): readonly [string, string] {
    return [this.outlets[0].path, this.outlets[1].path];
  }

  /** For a process that runs for a while. */
  readAhead(): void {
    for (const outlet of new Set(this.outlets)) outlet.readAhead();
  }
}

/** Undefined if FIFOs are not available. */
export function openNamedCapture(mode: 'split' | 'joined', limitBytes: number): NamedCapture | undefined {
  const fifos = [takeFifo(), mode === 'joined' ? undefined : takeFifo()].filter((fifo) => fifo !== undefined);
  if (fifos.length === (mode === 'joined' ? 1 : 2))
    return new NamedCapture(mode, limitBytes, (collector) => new FifoOutlet(fifos.pop() as number, collector));
  fifos.forEach(giveBack);
  return undefined;
}
