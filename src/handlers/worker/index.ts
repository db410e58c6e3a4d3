/**
 * Hooks that a worker runs: modules in TypeScript or JavaScript, and programs in other languages that speak the same protocol. The modules of a project
 * and scope share a worker; every other program is a worker of its own. A worker is kept until the engine is closed.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isModule } from '../../core/contracts/agent.ts';
import type { Call, Handler } from '../../core/contracts/handler.ts';
import { nestingVariables, tooDeep } from '../../core/contracts/nesting.ts';
import { type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import type { SessionState } from '../../core/record/session-state.ts';
import { isObject, textOf } from '../../core/values/json.ts';
import { environmentOf, type Launch, launchOf, visibleTo } from '../command/launch.ts';
import { cancelled } from '../kit/deadline.ts';
import { WORKER } from '../kit/describe.ts';
import { encodePayload } from '../kit/payload.ts';
import { type Kept, moduleReader } from './modules.ts';
import { WorkerPool } from './pool.ts';
import type { RunMessage, SentModule } from './protocol.ts';
import { answerQuestion, type JudgeCommand } from './questions.ts';
import type { WorkerProcess, WorkerProgram } from './worker-process.ts';

export interface WorkerPorts {
  /** The project, in which workers run. */
  readonly root: string;
  readonly state: SessionState;
  readonly judge: JudgeCommand;
  /** Keeps modules without types for the next process; undefined: nothing is kept. */
  readonly kept: Kept | undefined;
}

/** @param program the built file of worker-main.ts */
export function createWorkerHandler(ports: WorkerPorts | undefined, program: string | undefined = builtWorker()): Handler {
  const pool = new WorkerPool();
  const modulesOf = moduleReader(ports?.kept);
  const root = ports?.root;
  let next = 0;

  const ask = async (call: Call): Promise<Reply | Fault> => {
    const file = textOf(call.hook.handler.config['script']);
    if (file === undefined) return fault('spawn', 'the hook has no program to run');
    const event = encodePayload(call.payload, call.limits.payloadBytes);
    if (typeof event !== 'string') return event;
    const inModules = isModule(file);
    if (!inModules && !existsSync(file)) return missing(file);
    if (inModules && program === undefined) return fault('unavailable', 'the program of the worker is not part of this bundle');
    const alike = inModules ? modulePrograms(program as string, call, root) : ownProgram(file, call, root);
    if ('fault' in alike) return alike;
    const { started, key } = alike;
    if (!pool.hasIdle(key)) {
      // A worker that is kept is asked at once; a missing file shows when it is read.
      if (!existsSync(file)) return missing(file);
      pool.prepare(key, started);
    }
    const modules = inModules ? await modulesOf(file) : [];
    if (typeof modules === 'string') return existsSync(file) ? fault('malformed', modules) : missing(file);
    return run(call, { file, event, modules, started, key });
  };

  const run = async (call: Call, job: Job, again = true): Promise<Reply | Fault> => {
    const begun = performance.now();
    const { key } = job;
    const suits = (worker: WorkerProcess): boolean =>
      job.modules.every((one) => (worker.loaded.get(one.file) ?? one.digest) === one.digest);
    const worker = await pool.take(key, job.started, suits, call);
    if ('kind' in worker) return worker;
    next += 1;
    const line = lineOf(next, call, job, worker);
    const { signal, limits } = call;
    const patience = { signal, limits, timeoutMs: Math.max(1, call.timeoutMs - (performance.now() - begun)) };
    const asking = { session: sessionOf(call), owner: call.hook.id, cwd: call.cwd };
    const result = await worker.run(next, line, patience, (question) => answerQuestion(question, asking, ports?.state, ports?.judge));
    pool.giveBack(key, worker);
    if (result !== 'ended') return result.kind === 'fault' && result.fault === 'timeout' ? { ...result, detail: timedOut(call) } : result;
    return again ? run(call, job, false) : fault('exit', 'its worker ends before it answers', { exit: 0 });
  };

  return {
    ...WORKER,
    handle(call) {
      if (call.signal?.aborted) return cancelled();
      return tooDeep(call.nesting) ?? ask(call).catch((error: unknown) => fault('unavailable', `the worker failed: ${String(error)}`));
    },
    close: () => pool.close(),
  };
}

interface Job {
  readonly file: string;
  /** As JSON. */
  readonly event: string;
  readonly modules: readonly SentModule[];
  readonly started: WorkerProgram;
  /** Workers of one key are alike. */
  readonly key: string;
}

function missing(file: string): Fault {
  return fault('spawn', `its file '${file}' does not exist`);
}

function timedOut({ timeoutMs }: Call): string {
  return `did not answer within ${timeoutMs} ms`;
}

function lineOf(run: number, { hook, timeoutMs, nesting }: Call, { file, event, modules }: Job, worker: WorkerProcess): string {
  const unloaded = modules.filter((one) => worker.loaded.get(one.file) !== one.digest);
  for (const one of unloaded) worker.loaded.set(one.file, one.digest);
  const message: Omit<RunMessage, 'event'> = {
    ...{ run, hook: hook.name, file, timeoutMs, variables: nestingVariables(nesting) },
    ...(unloaded.length > 0 && { modules: unloaded }),
  };
  // The event is the largest part, and JSON already.
  return `${JSON.stringify(message).slice(0, -1)},"event":${event}}`;
}

function sessionOf({ event, payload }: Call): string {
  const { session } = payload;
  return event?.session.id ?? (isObject(session) ? textOf(session['id']) : undefined) ?? '';
}

interface Alike {
  readonly started: WorkerProgram;
  readonly key: string;
}

const knownPrograms = new WeakMap<object, Map<string, Alike>>();

/** Returns the program and its key. They are made once for an environment, which is large and the same for most events. */
function modulePrograms(program: string, call: Call, root: string | undefined): Alike {
  const visible = visibleTo(call);
  const known = knownPrograms.get(visible) ?? new Map<string, Alike>();
  knownPrograms.set(visible, known);
  const { env, source } = call.hook;
  const short = JSON.stringify([source.scope, program, root ?? call.cwd, env, call.variables]);
  const before = known.get(short);
  if (before) return before;
  const started = moduleWorker(program, call, root);
  const made = { started, key: keyOf(call, started) };
  if (known.size < MOST_KNOWN) known.set(short, made);
  return made;
}

const MOST_KNOWN = 100;

function ownProgram(file: string, call: Call, root: string | undefined): Alike | Fault {
  const started = ownWorker(file, call, root);
  return 'fault' in started ? started : { started, key: keyOf(call, started) };
}

function keyOf({ hook }: Call, started: WorkerProgram): string {
  return JSON.stringify([hook.source.scope, started]);
}

/** The variables that say how deep a process is nested come with each event, because hooks share the worker. */
function moduleWorker(program: string, call: Call, root = call.cwd): WorkerProgram {
  const { HOOKLINE_DEPTH: _, HOOKLINE_HOOKS: __, ...env } = environmentOf(call, {});
  // In Electron the program is no Node unless it is told so.
  const launch = { file: process.execPath, args: [...FLAGS, program] };
  return { launch, cwd: root, env: { ...env, PWD: root, ...(process.versions['electron'] && { ELECTRON_RUN_AS_NODE: '1' }) } };
}

/** The modules of hooks are not found by Node, but given to it as texts. */
const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** The programs that run a file without a first line for it. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.bash': 'bash',
  '.rb': 'ruby',
  '.pl': 'perl',
  '.php': 'php',
  '.lua': 'lua',
};

function ownWorker(file: string, call: Call, root = call.cwd): WorkerProgram | Fault {
  const interpreter = INTERPRETERS[/\.[^.]*$/.exec(file)?.[0] ?? ''];
  const launch: Launch | Fault =
    interpreter !== undefined && !hasFirstLine(file)
      ? { file: interpreter, args: [file] }
      : launchOf({ script: file, viaShebang: true }, 'script', { cwd: root, variable: () => undefined });
  return 'fault' in launch ? launch : { launch, cwd: root, env: { ...environmentOf(call, {}), PWD: root } };
}

function hasFirstLine(file: string): boolean {
  const bytes = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes);
  closeSync(descriptor);
  return bytes.toString('latin1') === '#!';
}

/** Set by tests of the sources, which have no program next to them. */
declare const __HOOKLINE_WORKER__: string | undefined;

/** Next to this chunk in the program; the library's chunks are one folder above those of the program. */
function builtWorker(): string | undefined {
  if (typeof __HOOKLINE_WORKER__ === 'string') return __HOOKLINE_WORKER__;
  const folder: string | undefined = import.meta.dirname;
  if (folder === undefined) return undefined;
  return ['worker-main.js', 'cli/worker-main.js'].map((place) => join(folder, place)).find((place) => existsSync(place));
}
