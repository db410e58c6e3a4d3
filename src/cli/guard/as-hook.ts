/**
 * `hookline guard` as a hook's command, of whatever hook system: reads its payload, says nothing if there is no objection, and else blocks
 * by exit code 2. Only where the host is known to ask a person is it left to ask; what can't be read blocks.
 */
import path from 'node:path';
import type { JsonObject } from '../../core/values/json.ts';
import { reasonFor } from '../../guard/judge-event.ts';
import { guardTool } from '../../guard/tools/guard-tool.ts';
import { readToolCall } from '../../guard/tools/tool-call.ts';
import { type Arguments, hasFlag, usageError } from '../arguments.ts';
import { type CommandResult, EXIT, type Problem } from '../command.ts';
import { isTyped, parseObject, readStdinText } from '../input/payload.ts';
import { jsonLine } from '../output.ts';
import { harmless } from '../print/text.ts';
import { readGuardRules } from './rules.ts';

export async function answerHook(args: Arguments): Promise<CommandResult> {
  const payload = await readHookPayload();
  const rules = await readGuardRules(args);
  const call = readToolCall(payload);
  if (call?.tool === undefined || mayBeTooLate(payload)) {
    const event = (await import('./caller.ts')).eventNameIn(payload);
    if (isTooLate(event) || (!call && !isAboutTool(event))) return { exit: EXIT.ok };
  }
  if (call?.tool === undefined)
    throw usageError('The payload does not say which tool is used.', 'Put the guard on the event before a tool runs.');
  const cwd = rules.cwd ?? (call.cwd === undefined ? undefined : path.resolve(call.cwd));
  const { settings, root, home } = rules;
  const verdict = guardTool(call.tool, call.input, { ...settings, root, home, ...(cwd !== undefined && { cwd }) });
  const reason = reasonFor(verdict);
  if (reason === null) return { exit: EXIT.ok };
  const asked = verdict.decision === 'ask' ? await askPerson(reason, payload, hasFlag(args, 'json')) : undefined;
  return asked ?? { exit: EXIT.blocked, err: `${harmless(reason)}\n` };
}

/** Our own failure, and a command line that can't be read, are no consent. */
export function blockedBy({ message, hint }: Pick<Problem, 'message' | 'hint'>): CommandResult {
  const lead = message.startsWith('Hookline') ? '' : 'The guard could not judge this: ';
  return { exit: EXIT.blocked, err: `${harmless(`${lead}${message}`)}\n${hint === undefined ? '' : `  help: ${harmless(hint)}\n`}` };
}

/** The variable counts only where stdin is empty: whoever sets it must not be able to hide the real payload. */
async function readHookPayload(): Promise<JsonObject> {
  const isTerminal = await isTyped();
  const text = isTerminal ? '' : await readStdinText();
  if (text.trim() !== '') return parseObject(text, 'The payload on stdin');
  const variable = process.env['HOOK_INPUT'];
  if (variable !== undefined && variable.trim() !== '') return parseObject(variable, 'The payload in HOOK_INPUT');
  throw usageError(
    'There is no payload, neither on stdin nor in HOOK_INPUT.',
    'It is a hook: `hookline guard explain "COMMAND"` is for people.',
  );
}

/** Whether any text of the payload could be the name of a late event. Spares the others the loading of all event names. */
function mayBeTooLate(payload: JsonObject): boolean {
  return Object.values(payload).some((value) => typeof value === 'string' && isTooLate(value));
}

/** Nothing can be stopped any more. */
function isTooLate(event: string | undefined): boolean {
  return event !== undefined && /^(post|after|on_?after)|\.(after|error)$/i.test(event);
}

function isAboutTool(event: string | undefined): boolean {
  return event === undefined || /tool|command|shell|exec|permission|file/i.test(event);
}

/** Returns the answer by which the caller asks a person; undefined if it would take that answer for consent. */
async function askPerson(reason: string, payload: JsonObject, always: boolean): Promise<CommandResult | undefined> {
  const answer = { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: reason };
  const reply = { hookSpecificOutput: answer };
  const { waysToAsk } = await import('./caller.ts');
  const way = waysToAsk(payload, reply, process.env) ?? (always ? 'reply' : undefined);
  if (way === undefined) return undefined;
  return way === 'already' ? { exit: EXIT.ok } : { exit: EXIT.ok, out: jsonLine(reply) };
}
