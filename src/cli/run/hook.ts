/** `hookline hook`: an agent's own hook command. Says nothing but the answer, and blocks whatever goes wrong where something can be blocked. */
import { openHookline } from '../../api/create-hookline.ts';
import { HOSTS } from '../../builtins.ts';
import { createHostAnswerer, type HostAnswer, refuseHost } from '../../engine/answer-host.ts';
import { hostRoot } from '../../load/find/project-root.ts';
import { type Arguments, hasFlag, type UsageProblem, usageError } from '../arguments.ts';
import type { Answer, CommandSpec } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { problemOf } from '../failure.ts';
import { isTyped, readStdinText } from '../input/payload.ts';
import { HELP_OPTION, LOAD_OPTIONS } from '../options.ts';
import { collectDetached } from './background.ts';

export { hookSpec as spec };

export async function run(args: Arguments): Promise<Answer> {
  const [host = '', event] = args.positionals;
  if (await isTyped())
    throw usageError('`hookline hook` is started by an agent, with its event on stdin.', 'To try it, pipe an event into it.');
  const text = await readCall();
  const detached = collectDetached();
  const ownHooks = hasFlag(args, 'own-hooks');
  const options = engineOptions(args, hostRoot(process.cwd(), process.env));
  const { hookline, engine, surroundings } = await openHookline({ ...options, background: detached.background });
  const answer = createHostAnswerer(engine, { ownHooks, ...surroundings });
  return {
    ...answerOf(await answer(host, text, event, process.env)),
    after: async () => {
      await detached.handOver();
      await hookline.close(TELL_MS);
    },
  };
}

/** What has no answer is refused in the agent's words, with the event as far as it was read. */
export async function failed(args: Arguments, error: unknown): Promise<Answer | undefined> {
  if (await isTyped()) return undefined;
  const [host = '', event] = args.positionals;
  const { message, hint } = problemOf(error);
  return refused(host, event, hint === undefined ? message : `${message} ${hint}`);
}

/** An entry that can't be read is no consent either. */
export async function misused(argv: readonly string[], { message, hint }: UsageProblem): Promise<Answer | undefined> {
  if (await isTyped()) return undefined;
  const [host = ''] = argv.filter((word) => !word.startsWith('-'));
  return refused(host, undefined, `${message} ${hint}`);
}

/** How long a command that has answered stays to tell people that an action waits for them. */
const TELL_MS = 5_000;

let read: Promise<string> | undefined;

/** Stdin can be read once, and a failure wants to know as well what it was about. */
function readCall(): Promise<string> {
  read ??= readStdinText();
  return read;
}

async function refused(host: string, event: string | undefined, why: string): Promise<Answer> {
  const text = await readCall().catch(() => '');
  const reason = why.startsWith('Hookline') ? why : `Hookline could not ask the hooks: ${why}`;
  return answerOf(refuseHost(host, text, event, process.env, reason, HOSTS));
}

function answerOf({ stdout, stderr, exit }: HostAnswer): Answer {
  return { exit, out: stdout, err: stderr };
}

/** `hookline hook` as data. */

export const hookSpec: CommandSpec = {
  name: 'hook',
  summary: "Be an agent's hook command: its event on stdin, its answer on stdout, stderr and in the exit code.",
  takes: '<host> [event]',
  words: { min: 1, max: 2, missing: 'Which agent calls? For instance `hookline hook claude-code`.' },
  options: [
    ...LOAD_OPTIONS,
    {
      name: 'own-hooks',
      help: "Also ask the hooks in the agent's own format. Without it they are left to the agent, which runs them itself.",
    },
    HELP_OPTION,
  ],
  notes: [
    'The event is what the agent writes to the hooks it starts. All hooks that are found are asked, in whatever format they are written; what the agent has no words for is denied where that is safer, and said on stderr and in the log.',
    'The project is the folder that the agent names in its environment, else the repository around the working directory, else that directory.',
    'Whatever goes wrong denies in the agent’s own words where the event can be denied. Exit codes are those of the agent. An agent that does not exist: 2 where the event may be one that can be denied, else 64.',
  ],
  examples: [
    { does: 'As an entry in the settings of Claude Code', line: 'hookline hook claude-code' },
    { does: 'By hand, with the event in a file', line: 'hookline hook claude-code PreToolUse < event.json' },
  ],
};
