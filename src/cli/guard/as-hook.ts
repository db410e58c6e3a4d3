/**
 * `hookline guard` as a hook's command, in any hook system: reads the payload, prints nothing if there is no objection, and otherwise blocks
 * by exit code 2. Only a host that is known to ask a person gets an `ask`. A payload that cannot be read is blocked.
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
  if (call?.tool === undefined) throw usageError('The payload does not name the tool.', 'Put the guard on the event before a tool runs.');
  const cwd = rules.cwd ?? (call.cwd === undefined ? undefined : path.resolve(call.cwd));
  const { settings, root, home } = rules;
  // Calls that name no session share one, because memory only adds findings.
  const memory = rules.memoryOf(call.session ?? root);
  const shownPacks = rules.shown.map(({ pack }) => pack);
  const verdict = guardTool(call.tool, call.input, { ...settings, shownPacks, memory, root, home, ...(cwd !== undefined && { cwd }) });
  const reason = reasonFor(verdict);
  if (reason === null) return { exit: EXIT.ok };
  const asked = verdict.decision === 'ask' ? await askPerson(reason, payload, hasFlag(args, 'json')) : undefined;
  return asked ?? { exit: EXIT.blocked, err: `${harmless(reason)}\n` };
}

/** A failure of Hookline itself, or a command line that cannot be read, is no consent. */
export function blockedBy({ message, hint }: Pick<Problem, 'message' | 'hint'>): CommandResult {
  const lead = message.startsWith('Hookline') ? '' : 'The guard could not judge this: ';
  const help = hint === undefined ? '' : `  help: ${harmless(hint)}\n`;
  return { exit: EXIT.blocked, err: `${harmless(`${lead}${message}`)}\n${help}`, verbatim: true };
}

/** The variable counts only if stdin is empty, so that it cannot hide the real payload. */
async function readHookPayload(): Promise<JsonObject> {
  const isTerminal = await isTyped();
  const text = isTerminal ? '' : await readStdinText();
  if (text.trim() !== '') return parseObject(text, 'The payload on stdin');
  const variable = process.env['HOOK_INPUT'];
  if (variable !== undefined && variable.trim() !== '') return parseObject(variable, 'The payload in HOOK_INPUT');
  throw usageError(
    'No payload on stdin or in HOOK_INPUT.',
    '`hookline guard` runs as a hook. To check a command yourself, run `hookline guard explain "COMMAND"`.',
  );
}

/** Whether any text of the payload could be the name of a late event. If none could, the names of all events need not be loaded. */
function mayBeTooLate(payload: JsonObject): boolean {
  return Object.values(payload).some((value) => typeof value === 'string' && isTooLate(value));
}

/** Whether the event is too late to stop anything. */
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
