/** `hookline hook`: an agent's own hook command. Says nothing but the answer, and blocks whatever goes wrong where something can be blocked. */
import { createHookline } from '../../api/create-hookline.ts';
import { createHostAnswerer, type HostAnswer, refuseHost } from '../../api/host-answer.ts';
import { hostSurroundings } from '../../api/host-surroundings.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag, type UsageProblem, usageError } from '../arguments.ts';
import { collectDetached } from '../background/collect.ts';
import { engineOptions } from '../engine-options.ts';
import { problemOf } from '../failure.ts';
import { hostRoot } from '../host-root.ts';
import { readStdinText } from '../payload.ts';
import { isTyped } from '../typed-stdin.ts';

export { hookSpec as spec } from '../specs/hook.ts';

export async function run(args: Arguments): Promise<Answer> {
  const [host = '', event] = args.positionals;
  if (await isTyped())
    throw usageError('`hookline hook` is started by an agent, with its event on stdin.', 'To try it, pipe an event into it.');
  const text = await readCall();
  const detached = collectDetached();
  const options = engineOptions(args, hostRoot(process.cwd(), process.env));
  const hookline = await createHookline({ ...options, background: detached.background });
  const answer = createHostAnswerer(hookline, { ownHooks: hasFlag(args, 'own-hooks'), ...hostSurroundings(options) });
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
  return answerOf(refuseHost(host, text, event, process.env, reason));
}

function answerOf({ stdout, stderr, exit }: HostAnswer): Answer {
  return { exit, out: stdout, err: stderr };
}
