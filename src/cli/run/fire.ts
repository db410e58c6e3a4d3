/** `hookline fire`: one event, put to the hooks that are found. On an event that can be denied, a failure of ours denies. */
import { createHookline } from '../../api/create-hookline.ts';
import type { Hookline } from '../../api/hookline.ts';
import { isDeniable } from '../../builtins.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { EventPayloads } from '../../core/event/payloads.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT, type ExitCode } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { problemOf } from '../failure.ts';
import { type Request, readEvent, readRequest } from '../input/fire-request.ts';
import { EVENT_OPTIONS, HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { harmless } from '../print/text.ts';
import { collectDetached } from './background.ts';
import { renderOutcome } from './print-outcome.ts';

export { fireSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const wait = readWait(optionValue(args, 'wait'));
  const request = await readRequest(args, readEvent(args));
  const detached = collectDetached();
  const hookline = await createHookline({ ...engineOptions(args), background: detached.background });
  const fired = await fire(hookline, request, wait);
  // What is wrong with the files belongs to the answer: a hook that could not be loaded was not asked.
  const outcome: Outcome = { ...fired, diagnostics: [...hookline.diagnostics, ...fired.diagnostics] };
  return {
    ...answerWith(outcome, request, args),
    after: async () => {
      await detached.handOver();
      await hookline.close(TELL_MS);
    },
  };
}

/** Usage is the caller's; everything else that goes wrong before there is an outcome is ours, and must not read as consent. */
export function failed(args: Arguments, error: unknown): CommandResult | undefined {
  const problem = problemOf(error);
  if (problem.exit === EXIT.usage || problem.code === 'store-unavailable') return undefined;
  const { kinds } = readEvent(args);
  const [kind] = kinds;
  if (kind === undefined || !kinds.some(isDeniable)) return undefined;
  const message = problem.message.startsWith('Hookline') ? problem.message : `Hookline could not ask the hooks: ${problem.message}`;
  const outcome: Outcome = {
    id: `failed-${Date.now().toString(36)}-${process.pid}`,
    kind,
    decision: 'deny',
    reason: message,
    context: [],
    contextSources: [],
    notices: [],
    quiet: false,
    unmatched: 0,
    hooks: [],
    diagnostics: [
      { severity: 'error', code: problem.code, message: problem.message, ...(problem.hint !== undefined && { hint: problem.hint }) },
    ],
  };
  const help = problem.hint === undefined ? '' : `  help: ${harmless(problem.hint)}\n`;
  return { exit: EXIT.blocked, ...(hasFlag(args, 'json') && { out: jsonDocument(outcome) }), err: `${harmless(message)}\n${help}` };
}

/** How long a command that has answered stays to tell people that an action waits for them. */
const TELL_MS = 5_000;

function fire(hookline: Hookline, { kind, data, native, context: given }: Request, wait: number | undefined): Promise<Outcome> {
  const context = { ...given, ...(wait !== undefined && { wait }) };
  // A payload from outside is only known to be an object; wires and facets take it as that.
  return native ? hookline.fire(native, context) : hookline.fire(kind, data as unknown as EventPayloads[EventKind], context);
}

function answerWith(outcome: Outcome, request: Request, args: Arguments): CommandResult {
  const exit = exitOf(outcome);
  const err = exit === EXIT.blocked ? `${harmless(outcome.reason ?? 'Denied.')}\n` : '';
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument(outcome), err };
  return { exit, out: renderOutcome(outcome, request, terminalStyle()), err };
}

function exitOf({ decision }: Outcome): ExitCode {
  switch (decision) {
    case 'pass':
    case 'allow':
      return EXIT.ok;
    case 'ask':
    case 'hold':
      return EXIT.held;
    case 'deny':
      return EXIT.blocked;
  }
}

function readWait(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(seconds)) return Number(seconds) * 1000;
  throw usageError(`\`--wait\` must be a number of seconds, not \`${seconds}\`.`, 'Write `--wait 30`.');
}

/** `hookline fire` as data. */

export const fireSpec: CommandSpec = {
  name: 'fire',
  summary: 'Fire one event at the hooks that are found and print what came of it.',
  takes: '<event>',
  words: { min: 1, max: 1, missing: 'Which event should be fired? For instance `hookline fire tool.before --tool Bash`.' },
  options: [
    ...EVENT_OPTIONS,
    ...LOAD_OPTIONS,
    { name: 'wait', value: 'SECONDS', help: 'If the action is held, wait so long for somebody to settle it.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Without --as, <event> is a canonical kind such as `tool.before`, `prompt.submit` or `session.start`.',
    'Exit codes: 0 may proceed, 2 denied (the reason is on stderr), 3 held. 64 wrong usage, 70 a bug of ours, 78 unusable configuration. On an event that can be denied, a failure of ours denies.',
  ],
  examples: [
    { does: 'May this command run?', line: `hookline fire tool.before --tool Bash --input '{"command":"ls"}'` },
    {
      does: "The same in a dialect's own words, the payload on stdin",
      line: 'hookline fire PreToolUse --as claude-agent --payload - --json',
    },
    { does: 'In CI, with the hooks of the checkout', line: 'hookline fire session.start --trust-all --strict' },
  ],
};
