/** How a hook's command becomes a program with its arguments and environment, and the message for its author if it cannot be started. */

import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import type { Call, Permits } from '../../core/contracts/handler.ts';
import { nestingVariables } from '../../core/contracts/nesting.ts';
import { type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import type { Ask } from '../../core/meaning/profile.ts';
import { type Environment, visibleEnvironment } from '../../core/values/environment.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { shellOf } from '../../core/values/platform.ts';
import { isOnPath, type Lookup, type NotThere, notThere } from './not-there.ts';

/**
 * Returns the environment of a hook's process: the permitted variables of this process or of the caller, then the hook's own, then the nesting
 * depth. `variables` precede the hook's own; undefined takes a variable away.
 */
export function environmentOf(call: Call, variables: Environment): NodeJS.ProcessEnv {
  return { ...visibleTo(call), ...call.hook.env, ...call.variables, ...variables, ...nestingVariables(call.nesting) };
}

/** Sorted out once for an environment, an engine and a format: it costs more than a comparison, and a hook starts often. */
export function visibleTo({ environment = process.env, permits, ask: { command } }: Call): Environment {
  const byEngine = known.get(environment) ?? new WeakMap<Permits, WeakMap<Ask['command'], Environment>>();
  const byFormat = byEngine.get(permits) ?? new WeakMap<Ask['command'], Environment>();
  const visible = byFormat.get(command) ?? visibleEnvironment(environment, permits.environment, command.environment);
  known.set(environment, byEngine.set(permits, byFormat.set(command, visible)));
  return visible;
}

const known = new WeakMap<Environment, WeakMap<Permits, WeakMap<Ask['command'], Environment>>>();

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** The script that is run, if it is one. */
  readonly script?: string;
  /** The file or program of a shell line that was not there before the start. */
  readonly absent?: NotThere;
}

/** The folder and the variables that the command will have. */
export interface LaunchPlace {
  readonly cwd: string;
  readonly variable: Lookup;
}

/** `command` is run by the shell; `script` by its first line, which `viaShebang` reads for it where it may not be executed itself. */
export function launchOf(config: JsonObject, launch: Ask['command']['launch'], { cwd, variable }: LaunchPlace): Launch | Fault {
  const command = textOf(config['command']);
  if (command !== undefined) {
    const shell = launch === 'own-shell' ? ownShell(variable('SHELL')) : launch === 'bash' ? 'bash' : SHELL;
    return { file: shell, args: ['-c', command], absent: notThere(command, cwd, variable) };
  }
  const script = textOf(config['script']);
  if (script === undefined) return fault('spawn', 'the hook has neither a command nor a script to run');
  if (!existsSync(script)) return fault('spawn', `the script '${script}' does not exist`);
  const [file = script, ...args] = config['viaShebang'] === true ? [...interpreterOf(script), script] : [script];
  return { file, args, script };
}

/** Reads the first line of a script as the system does: a program and at most one argument. */
function interpreterOf(script: string): string[] {
  const named = /^#![ \t]*(\S+)(?:[ \t]+(.*\S))?[ \t\r]*$/.exec(firstLine(script));
  if (named) return [named[1] as string, ...(named[2] === undefined ? [] : [named[2]])];
  return [script.endsWith('.py') ? 'python3' : SHELL];
}

function firstLine(file: string): string {
  const bytes = Buffer.alloc(256);
  try {
    const descriptor = openSync(file, 'r');
    const size = readSync(descriptor, bytes);
    closeSync(descriptor);
    return bytes.toString('utf8', 0, size).split('\n', 1)[0] ?? '';
  } catch {
    // A script that cannot be read cannot be run either; the start reports why.
    return '';
  }
}

/** A script without a first line that names its interpreter is the shell's, as it is when typed at a prompt. */
export function byShell(script: string): Launch {
  return { file: SHELL, args: [script], script };
}

/** Input that is too large for the system is fault `oversize` if it may be the payload. */
export function spawnFault(error: unknown, launch: Launch, cwd: string, payloadInEnv: boolean): Fault {
  const kind = payloadInEnv && codeOf(error) === 'E2BIG' ? 'oversize' : 'spawn';
  return fault(kind, whyNotFolder(cwd) ?? whyNotFile(codeOf(error), launch) ?? `could not be started: ${String(error)}`);
}

/**
 * Returns the fault of a command that could not be started, although the shell that should start it was. A line that names a missing file counts
 * if it fails, because its program need not be the interpreter that it looks like. The shell, and `env` in the first line of a script, report by
 * the exit codes 126 and 127 that they could not start a program.
 */
export function notStarted(reply: Reply, { script, absent }: Launch, { variable }: LaunchPlace): Fault | undefined {
  if (reply.kind !== 'process' || reply.exit === 0 || reply.exit === null) return undefined;
  const { exit } = reply;
  if (absent?.file !== undefined) return fault('spawn', `'${absent.file}' does not exist`, { exit });
  if (exit !== 126 && exit !== 127) return undefined;
  if (script !== undefined) {
    const [program = '', name] = interpreterOf(script);
    const isGone = program.endsWith('/env') && name !== undefined && !isOnPath(name, variable('PATH') ?? '');
    return isGone
      ? fault('spawn', `the interpreter '${name}' that the first line of '${script}' names cannot be found`, { exit })
      : undefined;
  }
  if (absent?.program !== undefined) return fault('spawn', `the program '${absent.program}' cannot be found`, { exit });
  if (reply.output === undefined && reply.stdout.trim() !== '') return undefined;
  const said = (reply.output ?? reply.stderr).trim().replace(/\s+/g, ' ').slice(0, 200);
  return fault('spawn', `the shell could not start a command, exit code ${exit}${said === '' ? '' : `: ${said}`}`, { exit });
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? textOf(error.code) : undefined;
}

const SHELL = shellOf(process.platform);

/** Only a full path counts: a name would be looked for along whatever `PATH` there is. */
function ownShell(own: string | undefined): string {
  return own?.startsWith('/') ? own : SHELL;
}

/** The system reports a missing folder as if the program were missing. */
function whyNotFolder(cwd: string): string | undefined {
  try {
    if (!statSync(cwd).isDirectory()) return `its working directory '${cwd}' is not a directory`;
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT'
      ? `its working directory '${cwd}' does not exist`
      : `its working directory '${cwd}' cannot be entered`;
  }
}

function whyNotFile(code: string | undefined, { file, script }: Launch): string | undefined {
  if (script !== undefined && !existsSync(script)) return `the script '${script}' does not exist`;
  switch (code) {
    case 'ENOENT':
      return file === script ? `the interpreter that the first line of '${script}' names cannot be found` : `'${file}' cannot be found`;
    case 'EACCES':
      return `'${file}' may not be executed; chmod +x makes it executable`;
    case 'E2BIG':
      return 'its command line and environment are larger than the system permits';
    default:
      return undefined;
  }
}
