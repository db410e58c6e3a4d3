/**
 * `hookline hook`: the hook command of an agent. It prints nothing except the answer. On any failure it denies the event if it can be
 * denied.
 */
import { existsSync } from 'node:fs';
import { openHookline } from '../../api/create-hookline.ts';
import { HOSTS } from '../../builtins.ts';
import { createHostAnswerer, denyHost, type HostAnswer, passHost } from '../../engine/answer-host.ts';
import { resolveHome } from '../../load/find/home.ts';
import { projectRoot } from '../../load/find/project-root.ts';
import { type Arguments, hasFlag, type UsageProblem, usageError } from '../arguments.ts';
import type { CommandResult, CommandSpec } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { problemOf } from '../failure.ts';
import { isTyped, readStdinText } from '../input/payload.ts';
import { PROJECT_VARIABLES } from '../input/started-by.ts';
import { HELP_OPTION, LOAD_OPTIONS } from '../options.ts';
import { collectDetached } from './background.ts';

export { hookSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [host = '', event] = args.positionals;
  if (await isTyped())
    throw usageError('`hookline hook` is run by an agent, with the event on stdin.', 'To try it, pipe an event into it.');
  endWithCaller();
  const text = await readCall();
  const detached = collectDetached();
  const ownHooks = hasFlag(args, 'own-hooks');
  const options = engineOptions(args, projectRoot(process.cwd(), process.env, PROJECT_VARIABLES));
  const { hookline, engine, answerContext } = await openHookline({ ...options, background: detached.background });
  const answer = createHostAnswerer(engine, { ownHooks, ...answerContext });
  return {
    ...answerOf(await answer(host, text, event, process.env)),
    after: async () => {
      await detached.handOver();
      await hookline.close(TELL_MS);
    },
  };
}

/** Denies in the agent's format if there is no answer, with the event as far as it was read. */
export async function failed(args: Arguments, error: unknown): Promise<CommandResult | undefined> {
  if (await isTyped()) return undefined;
  const [host = '', event] = args.positionals;
  const { message, hint } = problemOf(error);
  return denied(host, event, hint === undefined ? message : `${message} ${hint}`);
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

async function denied(host: string, event: string | undefined, why: string): Promise<CommandResult> {
  const text = await readCall().catch(() => '');
  const pause = await currentPause();
  if (pause !== undefined) return answerOf(passHost(host, text, event, process.env, `${pause} ${why}`, HOSTS));
  const reason = why.startsWith('Hookline') ? why : `Hookline could not run the hooks: ${why}`;
  return answerOf(denyHost(host, text, event, process.env, reason, HOSTS));
}

/** Only a pause opens an agent that a failure of Hookline has locked. On a machine with a policy it does not. */
async function currentPause(): Promise<string | undefined> {
  const { pauseDiagnostic, readPause } = await import('../../stores/pause.ts');
  const { systemPolicyFile } = await import('../../load/settings/policy.ts');
  const pause = readPause(resolveHome({}, process.env).stateFolder, Date.now());
  return pause && !existsSync(systemPolicyFile()) ? pauseDiagnostic(pause).message : undefined;
}

function answerOf({ stdout, stderr, exit }: HostAnswer): CommandResult {
  return { exit, out: stdout, err: stderr };
}

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
