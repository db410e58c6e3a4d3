/**
 * One stream a process writes to, from before it starts until nobody can write to it any more. The answer never waits for the end of the
 * stream: a background child may hold it open for hours. What the process itself wrote before it exited is always read.
 */
import { closeSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';
import { type Fifo, giveBack, takeFifo } from './fifo-pool.ts';
import type { OutputCollector } from './output-collector.ts';

export interface Outlet {
  /** What the process gets, in the form `spawn` takes it. */
  readonly stdio: number | 'pipe';
  /** Once the process was started. */
  read(stream: Readable | null): void;
  /** Once the process has exited, or could not be started: takes in what it has written, and no more. */
  finish(): Promise<void> | undefined;
}

export function openOutlet(collector: OutputCollector): Outlet {
  const fifo = takeFifo();
  return fifo === undefined ? new PipeOutlet(collector) : new FifoOutlet(fifo, collector);
}

/** All readers share it: bytes are copied out before the next read. */
const buffer = Buffer.allocUnsafe(64 * 1024);

/** The most a pipe can hold for an ordinary user: what was written before the exit is within the first of it. */
const PIPE_BYTES = 1024 * 1024;

class FifoOutlet implements Outlet {
  readonly #fifo: Fifo;
  #collector: OutputCollector | undefined;
  #socket: Socket | undefined;

  constructor(fifo: Fifo, collector: OutputCollector) {
    this.#fifo = fifo;
    this.#collector = collector;
  }

  get stdio(): number {
    return this.#fifo.writer;
  }

  read(): void {
    const take = (size: number, bytes: Uint8Array) => {
      this.#collector?.add(bytes.subarray(0, size));
      return true;
    };
    const options: SocketConstructorOpts & ConnectOpts = {
      fd: this.#fifo.reader,
      readable: true,
      writable: false,
      onread: { buffer, callback: take },
    };
    this.#socket = new Socket(options);
    this.#socket.on('error', () => {});
    closeSync(this.#fifo.writer);
  }

  finish(): undefined {
    if (this.#socket === undefined) this.read();
    if (this.#drain() === 'ended') this.#recycle();
    else this.#outlive();
  }

  #drain(): 'ended' | 'open' {
    for (let total = 0; total < PIPE_BYTES; ) {
      let size: number;
      try {
        size = readSync(this.#fifo.hold, buffer);
      } catch {
        // Nothing to read now, but somebody could still write.
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
    this.#socket?.unref();
    this.#socket?.once('end', () => this.#recycle());
  }
}

/**
 * Node's own pipes, where FIFOs can't be had: there, hooks on Linux can't open /dev/stdout and /dev/stderr by name. These can't be
 * drained by hand, so what the process wrote is waited for, shortly.
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
