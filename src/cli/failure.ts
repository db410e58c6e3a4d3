/** Turns a thrown value into a result: an exit code, and a message on stderr or one JSON document on stdout. */
import { type ErrorCode, HooklineError } from '../core/values/errors.ts';
import { CommandError, type CommandResult, EXIT, type ExitCode, type Problem } from './command.ts';
import { jsonDocument } from './output.ts';
import { harmless } from './print/text.ts';

export function problemOf(error: unknown): Problem {
  if (error instanceof CommandError) return error.problem;
  if (error instanceof HooklineError) {
    const { code, message, hint } = error;
    return { exit: EXIT_OF[code], code, message, ...(hint !== undefined && { hint }) };
  }
  const message = `Hookline itself failed: ${error instanceof Error ? error.message : String(error)}`;
  return { exit: EXIT.bug, code: 'internal', message, hint: 'This is a bug in Hookline, not in a hook. Please report it.' };
}

export function failureAnswer(error: unknown, json: boolean): CommandResult {
  const problem = problemOf(error);
  const { exit, code, message, hint } = problem;
  const trace = exit === EXIT.bug && error instanceof Error && error.stack !== undefined ? `${harmless(error.stack)}\n` : '';
  if (json) return { exit, out: jsonDocument({ error: { code, message, hint: hint ?? null } }), err: trace };
  return { exit, err: `${problemText(problem)}${trace}` };
}

export function problemText({ message, hint }: Pick<Problem, 'message' | 'hint'>): string {
  return `hookline: ${harmless(message)}\n${hint === undefined ? '' : `  help: ${harmless(hint)}\n`}`;
}

const EXIT_OF: Readonly<Record<ErrorCode, ExitCode>> = {
  'bad-option': EXIT.usage,
  'unknown-event': EXIT.usage,
  'unknown-dialect': EXIT.usage,
  'bad-payload': EXIT.usage,
  'unknown-ticket': EXIT.negative,
  'hooks-missing': EXIT.negative,
  'unknown-grant': EXIT.negative,
  'ticket-settled': EXIT.negative,
  'unknown-hook': EXIT.negative,
  'unreadable-source': EXIT.config,
  'bad-lock': EXIT.config,
  'bad-installation': EXIT.config,
  'store-unavailable': EXIT.config,
  'unknown-model': EXIT.usage,
  'model-unavailable': EXIT.config,
  closed: EXIT.bug,
  'agent-denied': EXIT.negative,
  'nothing-parked': EXIT.negative,
  unguarded: EXIT.config,
  'bad-conversation': EXIT.config,
};
