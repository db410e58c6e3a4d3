/** `hookline fire`: runs the hooks for one event. If Hookline itself fails on an event that can be denied, the event is denied. */
import { createHookline } from '../../api/create-hookline.ts';
import type { Hookline } from '../../api/hookline.ts';
import { isDeniable } from '../../builtins.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { EventPayloads } from '../../core/event/payloads.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
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
  const options = engineOptions(args);
  const hookline = await createHookline({ ...options, background: { run: detached.background } });
  const fired = await fire(hookline, request, wait);
  return {
    ...answerWith(fired, hookline.diagnostics, request, args),
    after: async () => {
      await detached.handOver({ options });
      await hookline.close(TELL_MS);
    },
  };
}

/** Wrong usage is the caller's error. Every other failure before there is an outcome is Hookline's, and must not look like consent. */
export function failed(args: Arguments, error: unknown): CommandResult | undefined {
  const problem = problemOf(error);
  if (problem.exit === EXIT.usage || problem.code === 'store-unavailable') return undefined;
  const { kinds } = readEvent(args);
  const [kind] = kinds;
  if (kind === undefined || !kinds.some(isDeniable)) return undefined;
  const message = problem.message.startsWith('Hookline') ? problem.message : `Hookline could not run the hooks: ${problem.message}`;
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

/** How long the command keeps running after its answer to notify people of a held action. */
const TELL_MS = 5_000;

function fire(hookline: Hookline, { kind, data, native, context: given }: Request, wait: number | undefined): Promise<Outcome> {
  const context = { ...given, ...(wait !== undefined && { wait }) };
  // A payload from outside is known only to be an object. Wires and facets accept that.
  return native ? hookline.fire(native, context) : hookline.fire(kind, data as unknown as EventPayloads[EventKind], context);
}

/** Includes problems with hook files, because a hook that could not be loaded did not run. */
function answerWith(outcome: Outcome, ofFiles: readonly Diagnostic[], request: Request, args: Arguments): CommandResult {
  const exit = exitOf(outcome);
  const err = exit === EXIT.blocked ? `${harmless(outcome.reason ?? 'Denied.')}\n` : '';
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument({ ...outcome, diagnostics: [...ofFiles, ...outcome.diagnostics] }), err };
  return { exit, out: renderOutcome(outcome, request, terminalStyle(), ofFiles), err };
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

/** The specification of `hookline fire`. */
export const fireSpec: CommandSpec = {
  name: 'fire',
  summary: 'Fire one event at the hooks that are found and print the outcome.',
  takes: '<event>',
  words: { min: 1, max: 1, missing: 'The event is missing. Write, for example, `hookline fire tool.before --tool Bash`.' },
  options: [
    ...EVENT_OPTIONS,
    ...LOAD_OPTIONS,
    { name: 'wait', value: 'SECONDS', help: 'If the action is held, wait this long for a decision.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Without --as, <event> is a canonical kind such as `tool.before`, `prompt.submit` or `session.start`.',
    'Exit codes: 0 may proceed, 2 denied (the reason is on stderr), 3 held. 64 wrong usage, 70 a bug in Hookline, 78 unusable configuration. If Hookline itself fails on an event that can be denied, the event is denied.',
  ],
  examples: [
    { does: 'Check whether a command may run', line: `hookline fire tool.before --tool Bash --input '{"command":"ls"}'` },
    {
      does: "The same in a dialect's own format, with the payload on stdin",
      line: 'hookline fire PreToolUse --as claude-agent --payload - --json',
    },
    { does: 'In CI, with the hooks of the checkout', line: 'hookline fire session.start --trust-all --strict' },
  ],
};
