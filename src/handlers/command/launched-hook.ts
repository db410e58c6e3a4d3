/** The life of one hook process that the launcher starts: the same as that of one which this process starts, told by the launcher's messages. */
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import { type CallLimits, type Deadline, startDeadline } from '../kit/deadline.ts';
import { closeStdinFile, openStdinFile } from './channels.ts';
import { endAtOnce, endGroup, unwatchGroup, watchGroup } from './kill-group.ts';
import { spawnFault } from './launch.ts';
import { type NamedCapture, openNamedCapture } from './output.ts';
import { type ProcessSpec, runProcess } from './run-process.ts';

/** How long the launcher may take to report the start or the end of a hook that was given up. */
const MARGIN_MS = 3_000;

export interface Keeper {
  /** The launcher does not report any more. */
  hangs(): void;
}

export class LaunchedHook {
  readonly answer: Promise<Reply | Fault>;
  readonly #spec: ProcessSpec;
  readonly #patience: CallLimits;
  readonly #keeper: Keeper;
  readonly #capture: NamedCapture;
  readonly #stdin: number | undefined;
  readonly #deadline: Deadline;
  #resolve: (answer: Reply | Fault | Promise<Reply | Fault>) => void = () => {};
  #pid: number | undefined;
  #error: number | undefined;
  /** Why it was given up. */
  #why: Fault | undefined;
  #overdue: NodeJS.Timeout | undefined;
  #lookAtGroup: (() => void) | undefined;

  /** Undefined if there are no files by which another process can open its streams. */
  static open(spec: ProcessSpec, patience: CallLimits, keeper: Keeper): LaunchedHook | undefined {
    const capture = openNamedCapture(spec.capture, spec.outputBytes);
    if (capture === undefined) return undefined;
    try {
      return new LaunchedHook(spec, patience, keeper, capture, spec.stdin === undefined ? undefined : openStdinFile(spec.stdin));
    } catch {
      void capture.finish();
      return undefined;
    }
  }

  private constructor(spec: ProcessSpec, patience: CallLimits, keeper: Keeper, capture: NamedCapture, stdin: number | undefined) {
    this.#spec = spec;
    this.#patience = patience;
    this.#keeper = keeper;
    this.#capture = capture;
    this.#stdin = stdin;
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#deadline = startDeadline(patience, this.#giveUp);
  }

  /** The names of its stdin, stdout and stderr. They stand for other files once this hook has been released. */
  get files(): readonly string[] {
    const stdin = this.#stdin === undefined ? '/dev/null' : `/proc/${process.pid}/fd/${this.#stdin}`;
    return [stdin, ...this.#capture.paths];
  }

  runs(pid: number): void {
    this.#pid = pid;
    watchGroup(pid, 'helper');
    if (this.#why === undefined) this.#capture.readAhead();
    else this.#endGroup(pid, this.#why);
  }

  failed(errno: number): void {
    this.#error = errno;
  }

  /** `status` is that of the system: a signal in the lower seven bits, an exit code above the first byte. */
  ended(status: number): void {
    clearTimeout(this.#overdue);
    this.release();
    if (this.#lookAtGroup === undefined) {
      if (this.#pid !== undefined) unwatchGroup(this.#pid);
      this.#resolve(this.#why ?? this.#replyTo(status));
    } else this.#lookAtGroup();
  }

  /** It was not started, so it can be started here. */
  untried(): void {
    this.release();
    this.#resolve(runProcess(this.#spec, this.#patience));
  }

  /** The launcher is gone. Its process could still open the files, so their descriptors must not become those of others: they stay open. */
  lost(how: string): void {
    clearTimeout(this.#overdue);
    this.#deadline.cancel();
    if (this.#pid !== undefined) {
      endAtOnce(this.#pid);
      unwatchGroup(this.#pid);
    }
    this.#resolve(this.#why ?? fault('spawn', `the process that starts hooks for this one is gone: ${how}`));
  }

  /** Once no process of the launcher can open the files any more. */
  release(): void {
    this.#deadline.cancel();
    void this.#capture.finish();
    if (this.#stdin !== undefined) closeStdinFile(this.#stdin, this.#spec.stdin);
  }

  readonly #giveUp = (why: Fault): void => {
    this.#why = why;
    this.#overdue = setTimeout(() => this.#keeper.hangs(), MARGIN_MS);
    // Otherwise its number is about to be reported.
    if (this.#pid !== undefined) this.#endGroup(this.#pid, why);
  };

  #endGroup(pid: number, why: Fault): void {
    this.#lookAtGroup = endGroup(pid, () => {
      unwatchGroup(pid);
      this.#overdue?.unref();
      this.#resolve(why);
    });
  }

  #replyTo(status: number): Reply | Fault | Promise<Reply | Fault> {
    const { launch, cwd, stdin } = this.#spec;
    if (this.#error === undefined) {
      const signal = status & 0x7f;
      return signal === 0 ? this.#capture.reply(status >> 8) : fault('signal', `was ended by ${nameOfSignal(signal)}`);
    }
    // The system could not read its first line. The direct way knows what to do.
    if (this.#error === constants.errno.ENOEXEC) return runProcess(this.#spec, this.#patience);
    const code = getSystemErrorName(-this.#error);
    return spawnFault(Object.assign(new Error(`spawn ${launch.file} ${code}`), { code }), launch, cwd, stdin === undefined);
  }
}

function nameOfSignal(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
}
