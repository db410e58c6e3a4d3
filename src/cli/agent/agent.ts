/** `hookline agent`: runs an agent in the terminal, behind the hooks of the project and the user. */
import { randomUUID } from 'node:crypto';
import type { Turn, TurnStatus } from '../../runtime/contract.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT, type ExitCode } from '../command.ts';
import { readRoot } from '../engine-options.ts';
import { isInteractive } from '../hooks/trust-task.ts';
import { readStdinText } from '../input/payload.ts';
import { HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { harmless, oneLine } from '../print/text.ts';
import { sameStore } from '../store.ts';
import { askHeld } from './ask-held.ts';
import { chooseModel } from './choose-model.ts';
import { openConsole } from './console.ts';
import { type Opened, openProjectAgent } from './open-agent.ts';
import { createReport } from './report.ts';
import { SCRIPTED_PROMPT, scratchFolder } from './scripted.ts';
import { showEvents } from './show-events.ts';

export { agentSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const model = await chooseModel(args, process.env);
  const task = await readTask(args, model === undefined);
  const scratch = model === undefined && !hasFlag(args, 'root') ? scratchFolder() : undefined;
  try {
    const root = scratch?.folder ?? readRoot(args);
    return await (hasFlag(args, 'json') ? runForPrograms : runForPeople)({ args, root, model, task });
  } finally {
    scratch?.remove();
  }
}

/** The work of the agent: one turn, the rest of a parked turn, or everything that a person types. */
type Task = { readonly does: 'send'; readonly text: string } | { readonly does: 'resume' } | { readonly does: 'converse' };

interface Scene {
  readonly args: Arguments;
  readonly root: string;
  readonly model: string | undefined;
  readonly task: Task;
}

async function readTask(args: Arguments, isScripted: boolean): Promise<Task> {
  const prompt = args.positionals.join(' ').trim();
  if (hasFlag(args, 'resume')) {
    if (prompt !== '' || hasFlag(args, 'session'))
      throw usageError('`--resume` takes neither a prompt nor `--session`.', 'Write `hookline agent --resume SESSION`.');
    return { does: 'resume' };
  }
  if (prompt !== '') return { does: 'send', text: prompt };
  if (isScripted) return { does: 'send', text: SCRIPTED_PROMPT };
  if (isInteractive() && !hasFlag(args, 'json')) return { does: 'converse' };
  const text = process.stdin.isTTY ? '' : (await readStdinText()).trim();
  if (text !== '') return { does: 'send', text };
  throw usageError('The prompt is missing.', 'Write `hookline agent "…"`, or give the prompt on stdin.');
}

function sessionOf(args: Arguments): string {
  return optionValue(args, 'resume') ?? optionValue(args, 'session') ?? `agent-${randomUUID()}`;
}

async function runForPrograms({ args, root, model, task }: Scene): Promise<CommandResult> {
  const report = createReport();
  const opened = await openProjectAgent({ args, root, model, keeps: hasFlag(args, 'session'), onEvent: report.note });
  try {
    const turn = await take(opened, task, { session: sessionOf(args) });
    return { exit: EXIT_OF[turn.status], out: jsonDocument({ ...turn, ...report.made() }) };
  } finally {
    await opened.close();
  }
}

async function runForPeople({ args, root, model, task }: Scene): Promise<CommandResult> {
  const style = terminalStyle();
  const screen = openConsole();
  const session = sessionOf(args);
  let show = showEvents(screen, style, false);
  const opened = await openProjectAgent({
    ...{ args, root, model, keeps: hasFlag(args, 'session'), onEvent: (event) => show(event) },
    ...(isInteractive() && {
      onHold: (held) => {
        show.endLine();
        return askHeld(held, { args, root, style, print: screen.err, question: screen.question });
      },
    }),
  });
  try {
    // An answer that a hook may still change is shown when it leaves the agent, and not before.
    const streams = !(await isSendingWatched(opened, session));
    show = showEvents(screen, style, streams);
    const one = async (given: Task): Promise<Turn> => {
      const turn = await screen.interruptible((signal) => take(opened, given, { session, signal, stream: streams }));
      show.endLine();
      if (!streams && turn.status === 'done' && turn.text !== '') screen.out(`${harmless(turn.text)}\n`);
      screen.err(endLines(turn, args, style));
      return turn;
    };
    if (task.does !== 'converse') return { exit: EXIT_OF[(await one(task)).status] };
    for (;;) {
      const text = await screen.prompt(style.cyan('> '));
      if (text === undefined || /^\s*(?:exit|quit)\s*$/.test(text)) return { exit: EXIT.ok };
      if (text.trim() !== '') await one({ does: 'send', text });
    }
  } finally {
    await opened.close();
    await screen.close();
  }
}

interface Taking {
  readonly session: string;
  readonly signal?: AbortSignal;
  readonly stream?: boolean;
}

function take({ agent }: Opened, task: Task, { session, ...options }: Taking): Promise<Turn> {
  return task.does === 'send' ? agent.send(task.text, { session, channel: 'terminal', ...options }) : agent.resume(session, options);
}

async function isSendingWatched({ hookline }: Opened, session: string): Promise<boolean> {
  const { hooks } = await hookline.plan('message.sending', { channel: 'terminal', content: '' }, { session });
  return hooks.some(({ runs }) => runs);
}

/** A turn that a hook ended is blocked, and one that waits is held. Everything else that is not done is a negative result. */
const EXIT_OF: Readonly<Record<TurnStatus, ExitCode>> = {
  done: EXIT.ok,
  denied: EXIT.blocked,
  cancelled: EXIT.blocked,
  halted: EXIT.blocked,
  parked: EXIT.held,
  aborted: EXIT.negative,
  failed: EXIT.negative,
  limit: EXIT.negative,
};

function endLines({ status, reason, held, session, saved }: Turn, args: Arguments, style: Style): string {
  if (status === 'done') return reason === null ? '' : `${style.yellow('!')} ${oneLine(reason)}\n`;
  if (status !== 'parked') return `${style.red(`✗ ${status}`)}${reason === null ? '' : `: ${oneLine(reason)}`}\n`;
  // Each command is on a line of its own, so that it can be copied.
  const next = saved
    ? [`  settle: hookline approvals review${sameStore(args)}`, `  then: hookline agent --resume ${session}${sameStore(args)}`]
    : [reason ?? ''];
  return [...held.map(({ ticket, reason: why }) => `${style.yellow(`? held`)}: ${oneLine(why)} (ticket ${ticket})`), ...next, ''].join(
    '\n',
  );
}

/** The specification of `hookline agent`. */
export const agentSpec: CommandSpec = {
  name: 'agent',
  summary: 'Run an agent in the terminal, behind the hooks of the project and the user.',
  takes: '[prompt]',
  words: { min: 0, max: 1000, missing: '' },
  options: [
    { name: 'model', value: 'NAME', help: 'Model, as `provider:model`. Default: `agent.model` in your settings.' },
    { name: 'scripted', help: 'Follow a script instead of a model, in a scratch folder: no key and no network.' },
    { name: 'session', value: 'ID', help: 'Name of the conversation. It is kept, and continued by the next run with this name.' },
    { name: 'resume', value: 'SESSION', help: 'Continue the turn of this session that waits for a person.' },
    ...LOAD_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Without a prompt it reads one from stdin; in a terminal it begins a conversation, until `exit`. The answer is on stdout, and what hooks and tools do is on stderr.',
    'The agent can read and write files of the project and run commands in it. The guard and all hooks judge every call. A held action is asked about in place if a person is at the terminal; otherwise the turn is parked.',
    'Exit codes: 0 done, 2 a hook denied or ended it, 3 held, 1 not finished. 64 wrong usage, 70 a bug in Hookline, 78 the model cannot be opened.',
  ],
  examples: [
    { does: 'One task', line: 'hookline agent --model anthropic:claude-sonnet-4-5 "Fix the failing test."' },
    { does: 'See how hooks act, without a key', line: 'hookline agent --scripted' },
    { does: 'In a script', line: 'hookline agent --model openai:gpt-5 --json < task.txt' },
  ],
};
