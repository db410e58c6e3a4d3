/** Both streams of one process, kept apart or in the order they were written, and the reply they make. */
import type { ChildProcess } from 'node:child_process';
import type { Reply } from '../../core/reply.ts';
import { type Outlet, openOutlet } from './outlet.ts';
import { OutputCollector } from './output-collector.ts';

export class Capture {
  readonly #joined: boolean;
  readonly #stdout: OutputCollector;
  readonly #stderr: OutputCollector;
  readonly #outlets: readonly [Outlet, Outlet];

  constructor(mode: 'split' | 'joined', limitBytes: number) {
    this.#joined = mode === 'joined';
    this.#stdout = new OutputCollector(limitBytes);
    this.#stderr = this.#joined ? this.#stdout : new OutputCollector(limitBytes);
    const stdout = openOutlet(this.#stdout);
    // Written to one FIFO, the order is kept by the system. Node's own pipes can't be shared: there it is the order of arrival.
    const shared = this.#joined && typeof stdout.stdio === 'number';
    this.#outlets = [stdout, shared ? stdout : openOutlet(this.#stderr)];
  }

  get stdio(): readonly [number | 'pipe', number | 'pipe'] {
    return [this.#outlets[0].stdio, this.#outlets[1].stdio];
  }

  read(child: ChildProcess): void {
    const [stdout, stderr] = this.#outlets;
    stdout.read(child.stdout);
    if (stderr !== stdout) stderr.read(child.stderr);
  }

  /** Takes in what was written and lets go of both streams. */
  finish(): Promise<unknown> | undefined {
    const [stdout, stderr] = this.#outlets;
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
