/** The stdout and stderr of a worker, read for one event after the other. */
import type { ChildProcess } from 'node:child_process';
import { closeSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { giveBack, openEnd, takeFifo } from '../command/channels.ts';
import { OutputCollector } from '../command/output.ts';

export interface Written {
  readonly stdout: string;
  readonly stderr: string;
  readonly cut?: readonly ('stdout' | 'stderr')[];
}

/**
 * Real pipes if they can be had, so that a process of the hook can open `/dev/stderr` by name. Otherwise those of Node. The first event of a worker
 * looks at its pipes once it has answered. From the second one on the system reports bytes in them: most hooks write nothing, and to look at an empty
 * pipe costs more than to be told.
 */
export class WorkerOutput {
  readonly #fifos: readonly [number | undefined, number | undefined] = [takeFifo(), takeFifo()];
  readonly #writers = this.#fifos.map((fifo) => (fifo === undefined ? undefined : openEnd(fifo, 'writer')));
  #collectors: readonly [OutputCollector, OutputCollector] = NOBODY;
  #timer: NodeJS.Timeout | undefined;
  #readers: Socket[] = [];
  /** Whether bytes are reported, and need not be looked for. */
  #isTold = this.#fifos.every((fifo) => fifo === undefined);

  /** The ends of the process, in the form that `spawn` takes. */
  get stdio(): readonly [number | 'pipe', number | 'pipe'] {
    return [this.#writers[0] ?? 'pipe', this.#writers[1] ?? 'pipe'];
  }

  /** Once the process was started, or could not be. */
  started(child: ChildProcess | undefined): void {
    for (const writer of this.#writers) if (writer !== undefined) closeSync(writer);
    [child?.stdout, child?.stderr].forEach((stream, at) => {
      stream?.on('data', (bytes: Buffer) => this.#collectors[at]?.add(bytes));
      stream?.on('error', () => {});
    });
  }

  /** Reads from now on for one event. A process that writes more than a pipe holds must not wait for its end. */
  begin(limitBytes: number): void {
    this.#collectors = collectors(limitBytes);
    if (!this.#isTold) this.#timer = setInterval(() => this.#drain(), DRAIN_MS);
  }

  /**
   * Calls back once everything is read that was written before the answer arrived. The answer is written last, so the system reports the bytes
   * before it in the same turn of the loop at the latest.
   */
  whenAnswered(take: (written: Written) => void): void {
    if (this.#isTold) {
      setImmediate(() => take(this.#written()));
      return;
    }
    take(this.end());
    this.#listen();
  }

  /** Returns what was written since `begin`. */
  end(): Written {
    clearInterval(this.#timer);
    this.#drain();
    return this.#written();
  }

  #written(): Written {
    const [stdout, stderr] = this.#collectors;
    this.#collectors = NOBODY;
    const cut = [...(stdout.cut ? ['stdout' as const] : []), ...(stderr.cut ? ['stderr' as const] : [])];
    return { stdout: stdout.text(), stderr: stderr.text(), ...(cut.length > 0 && { cut }) };
  }

  /** Once the process is gone. A pipe that another process may still write to is not used again. */
  release(): void {
    clearInterval(this.#timer);
    for (const reader of this.#readers) reader.destroy();
    for (const [at, fifo] of this.#fifos.entries()) {
      if (fifo === undefined) continue;
      if (this.#read(fifo, this.#collectors[at]) === 'ended') giveBack(fifo);
      else closeSync(fifo);
    }
  }

  /** If there is no descriptor left, the pipes are looked at as before. Bytes between two events belong to neither of them. */
  #listen(): void {
    try {
      for (const [at, fifo] of this.#fifos.entries()) if (fifo !== undefined) this.#readers.push(this.#reader(fifo, at));
      this.#isTold = true;
    } catch {
      for (const reader of this.#readers) reader.destroy();
      this.#readers = [];
    }
  }

  #reader(fifo: number, at: number): Socket {
    const callback = (size: number, bytes: Uint8Array) => {
      this.#collectors[at]?.add(bytes.subarray(0, size));
      return true;
    };
    const options: SocketConstructorOpts & ConnectOpts = {
      ...{ fd: openEnd(fifo, 'reader'), readable: true, writable: false },
      onread: { buffer, callback },
    };
    const reader = new Socket(options).unref();
    reader.on('error', () => {});
    return reader;
  }

  #drain(): void {
    for (const [at, fifo] of this.#fifos.entries()) if (fifo !== undefined) this.#read(fifo, this.#collectors[at]);
  }

  #read(fifo: number, collector: OutputCollector | undefined): 'ended' | 'open' {
    // An empty pipe is an error for Node, and the trace would cost more than the read.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return this.#readAll(fifo, collector);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  #readAll(fifo: number, collector: OutputCollector | undefined): 'ended' | 'open' {
    for (let total = 0; total < MOST_BYTES; ) {
      let size: number;
      try {
        size = readSync(fifo, buffer);
      } catch {
        // Nothing to read now, but a process could still write.
        return 'open';
      }
      if (size === 0) return 'ended';
      collector?.add(buffer.subarray(0, size));
      total += size;
    }
    return 'open';
  }
}

const DRAIN_MS = 10;
/** A pipe holds this much. A process that never stops writing is read on later. */
const MOST_BYTES = 64 * 1024;
const buffer = Buffer.alloc(MOST_BYTES);

/** Keeps nothing: for bytes that belong to no event. */
const NOBODY = collectors(0);

function collectors(limitBytes: number): readonly [OutputCollector, OutputCollector] {
  return [new OutputCollector(limitBytes), new OutputCollector(limitBytes)];
}
