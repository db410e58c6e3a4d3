/**
 * One worker: a process in a group of its own that answers one event at a time, in lines on file descriptor 3. A worker that does not answer in time,
 * that ends, or that breaks the protocol is ended with everything it started, and its event gets a fault.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Call } from '../../core/contracts/handler.ts';
import { type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import { type Json, type JsonObject, objectIn, textOf } from '../../core/values/json.ts';
import { endAtOnce, endGroup, unwatchGroup, watchGroup } from '../command/kill-group.ts';
import { type Launch, spawnFault } from '../command/launch.ts';
import { Alarm } from '../kit/alarm.ts';
import { type Deadline, startDeadline } from '../kit/deadline.ts';
import { lineReader } from '../kit/lines.ts';
import type { ReplyMessage } from './protocol.ts';
import { WorkerOutput, type Written } from './worker-output.ts';

export interface WorkerProgram {
  readonly launch: Launch;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Answers a question of the hook. A rejection is reported to the hook. */
export type AnswerQuestion = (question: JsonObject) => Promise<ReplyMessage>;

/** `ended`: the worker had ended after an earlier event, so this one never reached it. */
export type RunResult = Reply | Fault | 'ended';

interface Run {
  readonly id: number;
  /** Whether the worker has written anything about this event. */
  heard: boolean;
  readonly answerQuestion: AnswerQuestion;
  readonly deadline: Deadline;
  settle(result: RunResult): void;
}

/** A line holds more than the answer. */
const ROOM_BYTES = 64 * 1024;
/** The answer of a worker that has exited may still be on its way. */
const LAST_WORDS_MS = 200;
const MOST_SHOWN = 500;

export class WorkerProcess {
  /** The digest of each module that it has loaded. */
  readonly loaded = new Map<string, string>();
  runs = 0;
  /** In bytes, as it reported it last. */
  memory = 0;
  isGone = false;
  readonly #output = new WorkerOutput();
  readonly #alarm = new Alarm();
  #child: ChildProcess | undefined;
  #channel: Socket | undefined;
  #failure: Fault | undefined;
  #current: Run | undefined;
  #ending = false;
  #take: (bytes: Uint8Array) => boolean = () => true;

  constructor({ launch, cwd, env }: WorkerProgram) {
    try {
      const child = spawn(launch.file, launch.args, { cwd, env, detached: true, stdio: ['ignore', ...this.#output.stdio, 'pipe'] });
      this.#child = child;
      child.once('error', (error) => this.#fail(spawnFault(error, launch, cwd, false)));
      child.once('exit', (code, signal) => this.#exited(code, signal));
      this.#output.started(child);
      this.#listen(child);
    } catch (error) {
      this.#output.started(undefined);
      this.#fail(spawnFault(error, launch, cwd, false));
    }
  }

  /** Sends an event. `line` is the message as JSON. */
  run(id: number, line: string, call: Pick<Call, 'timeoutMs' | 'signal' | 'limits'>, answerQuestion: AnswerQuestion): Promise<RunResult> {
    return new Promise((resolve) => {
      if (this.#failure) return resolve(this.#failure);
      if (this.isGone) return resolve('ended');
      const deadline = startDeadline(call, (why) => this.#fail(why), this.#alarm);
      this.#output.begin(call.limits.outputBytes);
      this.#take = lineReader(call.limits.outputBytes + ROOM_BYTES, (text) => this.#hear(text));
      this.#child?.ref();
      this.#channel?.ref();
      const settle = (result: RunResult): void => {
        this.#current = undefined;
        deadline.cancel();
        this.#child?.unref();
        this.#channel?.unref();
        resolve(result);
      };
      this.#current = { id, heard: false, answerQuestion, deadline, settle };
      this.runs += 1;
      this.#channel?.write(`${line}\n`);
    });
  }

  /** Ends it and everything it started: at once if it has no event. */
  end(): void {
    const { pid } = this.#child ?? {};
    if (!this.#current && !this.#ending && pid !== undefined) endAtOnce(pid);
    this.#fail(fault('cancelled', 'its worker was ended'));
  }

  #listen(child: ChildProcess): void {
    if (child.pid !== undefined) watchGroup(child.pid);
    const channel = child.stdio[3];
    if (!(channel instanceof Socket)) return;
    this.#channel = channel;
    // A worker that ends while it is written to is reported by its exit.
    channel.on('error', () => {});
    channel.on('data', (bytes: Buffer) => {
      if (!this.#take(bytes)) this.#fail(fault('oversize', 'wrote a line that is longer than permitted to descriptor 3'));
    });
  }

  #hear(text: string): void {
    const run = this.#current;
    const message = objectIn(text);
    if (!run || !message) {
      if (run)
        this.#fail(fault('malformed', `wrote a line to descriptor 3 that is no JSON object: ${JSON.stringify(text.slice(0, MOST_SHOWN))}`));
      return;
    }
    // A line about an earlier event: that event has its answer already.
    if (message['run'] !== undefined && message['run'] !== run.id) return;
    run.heard = true;
    if (typeof message['memory'] === 'number') this.memory = message['memory'];
    if (message['answer'] !== undefined) this.#answered(run, message['answer']);
    else if (typeof message['error'] === 'string') this.#threw(run, message['error'], textOf(message['stack']));
    else if (typeof message['ask'] === 'string') this.#asked(run, message);
    else
      this.#fail(fault('malformed', `wrote a line to descriptor 3 without \`answer\`, \`error\` or \`ask\`: ${text.slice(0, MOST_SHOWN)}`));
  }

  #answered(run: Run, value: Json): void {
    this.#settled(run, (output) => ({ kind: 'value', value, ...((output.stdout !== '' || output.stderr !== '') && { output }) }));
  }

  #threw(run: Run, message: string, stack: string | undefined): void {
    this.#settled(run, () => fault('threw', stack === undefined ? message : `${message} (${stack})`));
  }

  /** From here on nothing else can settle the event: the worker has, in time. */
  #settled(run: Run, result: (output: Written) => Reply | Fault): void {
    this.#current = undefined;
    run.deadline.cancel();
    this.#output.whenAnswered((output) => run.settle(result(output)));
  }

  #asked(run: Run, question: JsonObject): void {
    const reply = (message: object): void => {
      const n = question['n'];
      if (this.#current === run) this.#channel?.write(`${JSON.stringify({ ...(n !== undefined && { n }), ...message })}\n`);
    };
    run.answerQuestion(question).then(reply, (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }));
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    // It was ended from here, so nothing more is waited for.
    if (this.#ending) return;
    const over = (): void => {
      clearTimeout(timer);
      const isAfterAnswer = this.runs > 1 && this.#current?.heard === false && code === 0;
      if (this.#current && isAfterAnswer && !this.#ending) {
        this.isGone = true;
        this.#current.settle('ended');
      }
      const written = this.#current ? this.#output.end() : undefined;
      const tail = lastWords(written);
      const words = tail === '' ? '' : `: ${tail}`;
      this.#fail(
        code === null
          ? fault('signal', `its worker was ended by ${signal} before it answered${words}`)
          : fault('exit', `its worker ended with exit code ${code} before it answered${words}`, { exit: code }),
      );
    };
    const timer = setTimeout(over, LAST_WORDS_MS);
    if (!this.#channel || this.#channel.readableEnded) over();
    else this.#channel.once('end', over);
  }

  /** Ends the group, and reports the failure once it has ended. */
  #fail(why: Fault): void {
    this.#failure ??= why;
    this.isGone = true;
    if (this.#ending) return;
    this.#ending = true;
    const { pid } = this.#child ?? {};
    const gone = (): void => {
      if (pid !== undefined) unwatchGroup(pid);
      this.#alarm.close();
      const run = this.#current;
      if (run) this.#output.end();
      this.#output.release();
      for (const stream of this.#child?.stdio ?? []) stream?.destroy();
      this.#child?.unref();
      run?.settle(why);
    };
    if (pid === undefined) gone();
    else this.#child?.once('exit', endGroup(pid, gone));
  }
}

/** Node prints where it was in its own code after the reason of a fatal error, which says nothing to the author of a hook. */
function lastWords(written: Written | undefined): string {
  const fatal = /^FATAL ERROR: .*$/m.exec(written?.stderr ?? '')?.[0];
  return fatal ?? (written?.stderr.trim() || written?.stdout.trim() || '').slice(-MOST_SHOWN);
}
