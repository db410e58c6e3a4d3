/**
 * `hookline hook`: the hook command of an agent. It prints nothing except the answer. On any failure it denies the event if it can be
 * denied.
 */
import { existsSync } from 'node:fs';
import { openHookline } from '../../api/create-hookline.ts';
import { HOSTS } from '../../builtins.ts';
import type { Environment } from '../../core/values/environment.ts';
import { createHostAnswerer, denyHost, type HostAnswer, passHost } from '../../engine/answer-host.ts';
import { resolveHome } from '../../load/find/home.ts';
import { projectRoot } from '../../load/find/project-root.ts';
import { createAskers } from '../../people/askers.ts';
import { type Arguments, hasFlag, optionValue, type UsageProblem, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { problemOf } from '../failure.ts';
import { isTyped, readStdinText } from '../input/payload.ts';
import { projectVariablesOf } from '../input/started-by.ts';
import { HELP_OPTION, LOAD_OPTIONS } from '../options.ts';
import { collectDetached } from './background.ts';

export { hookSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [host = '', event] = args.positionals;
  if (await isTyped())
    throw usageError('`hookline hook` is run by an agent, with the event on stdin.', 'To try it, pipe an event into it.');
  endWithCaller();
  const text = await readCall();
  const folders = await installedFolders(optionValue(args, 'installed'));
  const detached = collectDetached();
  const ownHooks = hasFlag(args, 'own-hooks');
  const options = engineOptions(args, projectRoot(process.cwd(), process.env, projectVariablesOf(host)));
  const { hookline, engine, answerContext } = await openHookline({ ...options, background: detached.background }, folders);
  createAskers(resolveHome({ home: options.home }, folders).stateFolder)(process.ppid);
  const answer = createHostAnswerer(engine, { ownHooks, ...answerContext });
  return {
    ...(await answerOf(await answer(host, text, event, process.env, undefined, { process: process.ppid }))),
    after: async () => {
      await detached.handOver({ options, ...(folders !== process.env && { folders }) });
      await hookline.close(TELL_MS);
    },
  };
}

/** Denies in the agent's format if there is no answer, with the event as far as it was read. */
export async function failed(args: Arguments, error: unknown): Promise<CommandResult | undefined> {
  if (await isTyped()) return undefined;
  const [host = '', event] = args.positionals;
  const { message, hint } = problemOf(error);
  const record = optionValue(args, 'installed');
  return denied(host, event, hint === undefined ? message : `${message} ${hint}`, record);
}

/** An invalid entry in the agent's settings is not consent either. */
export async function misused(argv: readonly string[], { message, hint }: UsageProblem): Promise<CommandResult | undefined> {
  if (await isTyped()) return undefined;
  const [host = ''] = argv.filter((word) => !word.startsWith('-'));
  return denied(host, undefined, `${message} ${hint}`);
}

/** How long the command keeps running after its answer to notify people of a held action. */
const TELL_MS = 5_000;

/** The shell client starts this command, and a killed shell cannot pass the signal on. Without a caller, no program reads the answer. */
function endWithCaller(): void {
  const caller = process.ppid;
  setInterval(() => process.ppid !== caller && process.kill(process.pid, 'SIGHUP'), CALLER_MS).unref();
}

const CALLER_MS = 200;

let read: Promise<string> | undefined;

/** Stdin can be read only once, and the failure handler needs the payload too. */
function readCall(): Promise<string> {
  read ??= readStdinText();
  return read;
}

async function denied(host: string, event: string | undefined, why: string, record?: string): Promise<CommandResult> {
  const text = await readCall().catch(() => '');
  const pause = await currentPause(record);
  if (pause !== undefined) return answerOf(passHost(host, text, event, process.env, `${pause} ${why}`, HOSTS));
  const reason = why.startsWith('Hookline') ? why : `Hookline could not run the hooks: ${why}`;
  return answerOf(denyHost(host, text, event, process.env, reason, HOSTS));
}

/** The variables that lead to the user's folders. An installed entry names its record; without a record the environment counts. */
async function installedFolders(record: string | undefined): Promise<Environment> {
  if (record === undefined) return process.env;
  const { foldersOf, readInstallation } = await import('../../load/find/installation.ts');
  const installation = readInstallation(record, process.env);
  return installation === undefined ? process.env : foldersOf(installation);
}

/** Only a pause opens an agent that a failure of Hookline has locked. On a machine with a policy it does not. */
async function currentPause(record: string | undefined): Promise<string | undefined> {
  const { pauseDiagnostic, readPause } = await import('../../stores/pause.ts');
  const { systemPolicyFile } = await import('../../load/settings/policy.ts');
  const folders = await installedFolders(record).catch(() => undefined);
  const pause = folders && readPause(resolveHome({}, folders).stateFolder, Date.now());
  return pause && !existsSync(systemPolicyFile()) ? pauseDiagnostic(pause).message : undefined;
}

/** For the shell client, which passes on nothing but a whole answer, the answer is one frame that ends in the proof that the client chose. */
async function answerOf(answer: HostAnswer): Promise<CommandResult> {
  const { stdout, stderr, exit } = answer;
  const [proof] = process.argv.flatMap((word) => (word.startsWith(PROOF) ? [word.slice(PROOF.length)] : []));
  if (proof === undefined) return { exit, out: stdout, err: stderr, verbatim: true };
  return { exit: EXIT.ok, out: (await import('../../server/frame.ts')).encodeFrame(answer, proof), verbatim: true };
}

const PROOF = '--proof=';

/** The specification of `hookline hook`. */
export const hookSpec: CommandSpec = {
  name: 'hook',
  summary: "Run as an agent's hook command: event on stdin, answer on stdout, stderr and in the exit code.",
  takes: '<host> [event]',
  words: { min: 1, max: 2, missing: 'The agent is missing. Write, for example, `hookline hook claude-code`.' },
  options: [
    ...LOAD_OPTIONS,
    {
      name: 'own-hooks',
      help: "Also run the hooks in the agent's own format. Default: the agent runs those itself.",
    },
    {
      name: 'installed',
      value: 'RECORD',
      help: 'Written by `hookline install`: the record that names the home to protect, or `account` for that of the account.',
    },
    { name: 'proof', value: 'TEXT', help: 'Used by `hookline-hook`: print the answer as one frame that ends in this text.' },
    HELP_OPTION,
  ],
  notes: [
    'The event is the one that the agent writes to its hooks. All hooks that are found run, in every format. An effect that the agent does not support becomes a denial where that is safer, and is reported on stderr and in the log.',
    'The project is the folder that the agent names in its environment, else the repository around the working directory, else that directory.',
    'A failure denies in the agent’s own format if the event can be denied. Exit codes are those of the agent. For an unknown agent: 2 if the event might be one that can be denied, else 64.',
  ],
  examples: [
    { does: 'As an entry in the settings of Claude Code', line: 'hookline hook claude-code' },
    { does: 'By hand, with the event in a file', line: 'hookline hook claude-code PreToolUse < event.json' },
  ],
};
