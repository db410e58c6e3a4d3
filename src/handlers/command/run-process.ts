/**
 * The life of one hook process: started in a group of its own, settled when it exits, ended together with everything it started when its time is
 * over or the caller gives up. Settles once, never throws, and leaves nothing that keeps this process alive.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import { type CallLimits, startDeadline } from '../kit/deadline.ts';
import { openStdinFile } from './channels.ts';
import { endGroup, unwatchGroup, watchGroup } from './kill-group.ts';
import { byShell, codeOf, type Launch, spawnFault } from './launch.ts';
import type { LongText } from './long-text.ts';
import { type Capture, openCapture } from './output.ts';

export interface ProcessSpec {
  readonly launch: Launch;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The text on stdin; undefined: nothing, because the payload is in `env`. */
  readonly stdin: string | LongText | undefined;
  readonly capture: 'split' | 'joined';
  readonly outputBytes: number;
}

/** Starts hooks in another process. */
export interface Starter {
  /** Undefined if there is no such process to be had: the caller starts the hook itself. */
  run(spec: ProcessSpec, patience: CallLimits): Promise<Reply | Fault> | undefined;
  close(): void;
}

/** `onStart` is told the number of the process, which is that of its group. */
export function runProcess(spec: ProcessSpec, patience: CallLimits, onStart?: (pid: number) => void): Promise<Reply | Fault> {
  return new Promise((resolve) => {
    const capture = openCapture(spec.capture, spec.outputBytes);
    let child: ChildProcess;
    try {
      child = start(spec, capture);
    } catch (error) {
      void capture.finish();
      resolve(spawnFault(error, spec.launch, spec.cwd, spec.stdin === undefined));
      return;
    }
    child.once('error', (error) => {
      // Without a process there is no exit to wait for. With one, this is not about its life.
      if (child.pid !== undefined) return;
      void capture.finish();
      resolve(spawnFault(error, spec.launch, spec.cwd, spec.stdin === undefined));
    });
    if (child.pid === undefined) return;
    onStart?.(child.pid);
    capture.read(child);
    follow(child, child.pid, capture, patience, resolve);
  });
}

/** Throws the errors of `spawn` and of the file for stdin. */
function start(spec: ProcessSpec, capture: Capture): ChildProcess {
  const stdin = spec.stdin === undefined ? 'ignore' : openStdinFile(spec.stdin);
  const begin = ({ file, args }: Launch) =>
    spawn(file, args, { cwd: spec.cwd, env: spec.env, detached: true, stdio: [stdin, ...capture.stdio] });
  try {
    return begin(spec.launch);
  } catch (error) {
    const { file, script } = spec.launch;
    if (codeOf(error) !== 'ENOEXEC' || script === undefined || file !== script) throw error;
    return begin(byShell(script));
  } finally {
    if (stdin !== 'ignore') closeSync(stdin);
  }
}

function follow(child: ChildProcess, pid: number, capture: Capture, patience: CallLimits, resolve: (answer: Reply | Fault) => void): void {
  let lookAtGroup: (() => void) | undefined;
  watchGroup(pid);
  const deadline = startDeadline(patience, (why) => {
    lookAtGroup = endGroup(pid, () => {
      unwatchGroup(pid);
      child.unref();
      void capture.finish();
      resolve(why);
    });
  });
  child.once('exit', (code, signal) => {
    if (lookAtGroup !== undefined) {
      lookAtGroup();
      return;
    }
    deadline.cancel();
    unwatchGroup(pid);
    const answer = () => (code === null ? fault('signal', `was ended by ${signal}`) : capture.reply(code));
    const written = capture.finish();
    if (written === undefined) resolve(answer());
    else void written.then(() => resolve(answer()));
  });
}
