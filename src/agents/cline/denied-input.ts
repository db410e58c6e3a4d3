/**
 * A denial that the model and a person can read. `cancel` ends the whole run, and its reason reaches no person and no model. Another input denies this call alone: one
 * that the tool rejects, or a command that prints the reason and fails. The model also reads the reason as context.
 */
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';

/** Cline's built-in tools. Each requires keys that the replaced input lacks, so it rejects the input. A tool of an MCP server might accept any input. */
const REJECTING: readonly string[] = [
  'run_commands',
  'read_files',
  'search_codebase',
  'fetch_web_content',
  'editor',
  'apply_patch',
  'skills',
  'ask_question',
  'submit_and_exit',
];

/** Whether an input with nothing but a reason denies this call. The extension for editors names no `tool_call` and replaces no input. */
export function rejectsDeniedInput({ data }: HookEvent): boolean {
  const metadata = isObject(data['metadata']) ? data['metadata'] : {};
  const call = isObject(metadata['tool_call']) ? metadata['tool_call'] : {};
  return REJECTING.includes(textOf(data['tool']) ?? '') && call['name'] === data['tool'];
}

/** The only tool whose call is shown to a person with its input. */
const SHELL = 'run_commands';

/** @param shell whether commands run in a shell of Unix */
export function deniedInput(tool: Json | undefined, reason: string, shell: boolean = process.platform !== 'win32'): JsonObject {
  return { denied: reason, ...(tool === SHELL && shell && { commands: [`echo '${deniedText(inQuotes(reason))}' >&2; exit 1`] }) };
}

/** Without quotes, backslashes and line breaks, a text in single quotes is one word in every shell. It is what runs, so nothing else may be in it. */
function inQuotes(text: string): string {
  return text
    .replace(/['\u2018-\u201b]/g, '"')
    .replaceAll('\\', '/')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Returns the reason in such an input. */
export function reasonInInput(input: Json | undefined): string | undefined {
  return isObject(input) ? textOf(input['denied']) : undefined;
}

export function deniedText(reason: string): string {
  return `A hook denied this call: ${reason}`;
}
