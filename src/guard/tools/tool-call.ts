/** Reads the tool and its input from the payload of any hook system. The keys of the systems are data. */
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';

export interface ToolCall {
  /** Undefined: the payload has a tool, but its name cannot be read. */
  readonly tool: string | undefined;
  readonly input: Json;
  readonly cwd?: string;
  /** The session that the call belongs to, if the payload names it. */
  readonly session?: string;
}

const TOOL_KEYS = ['tool_name', 'toolName', 'tool', 'agent_action_name'];
const INPUT_KEYS = ['tool_input', 'toolInput', 'input', 'args', 'params', 'toolArgs', 'tool_args', 'arguments', 'parameters', 'tool_info'];
/** Keys under which some systems group the name and the input of a tool. */
const WRAPPERS = ['data', 'tool_call', 'toolCall', 'preToolUse'];
const SESSION_KEYS = ['session_id', 'sessionId', 'conversation_id', 'conversationId', 'thread_id', 'trajectory_id', 'taskId', 'task_id'];
const FOLDER_KEYS = ['cwd', 'work_dir', 'workdir', 'working_directory'];

/** Returns the tool call. Undefined: the payload is not about a tool. */
export function readToolCall(payload: JsonObject): ToolCall | undefined {
  const session = isObject(payload['session']) ? payload['session'] : {};
  const cwd = first(payload, FOLDER_KEYS) ?? textOf(session['cwd']);
  const id = first(payload, SESSION_KEYS) ?? textOf(session['id']) ?? textOf(payload['session']);
  const place = { ...(cwd !== undefined && cwd !== '' && { cwd }), ...(id !== undefined && id !== '' && { session: id }) };
  const named = namedIn(payload, TOOL_KEYS);
  if (named) return { ...named, ...place };
  for (const key of WRAPPERS) {
    const inner = payload[key];
    const wrapped = isObject(inner) ? namedIn(inner, [...TOOL_KEYS, 'name']) : undefined;
    if (wrapped) return { ...wrapped, ...place };
  }
  // Some systems have an event for commands only, and it does not name a tool.
  return typeof payload['command'] === 'string' ? { tool: 'shell', input: { command: payload['command'] }, ...place } : undefined;
}

function namedIn(body: JsonObject, keys: readonly string[]): Pick<ToolCall, 'tool' | 'input'> | undefined {
  const key = keys.find((candidate) => body[candidate] !== undefined && body[candidate] !== null);
  if (key === undefined) return undefined;
  const input = INPUT_KEYS.map((candidate) => body[candidate]).find((value) => value !== undefined && value !== null);
  return { tool: textOf(body[key]), input: input ?? null };
}

function first(payload: JsonObject, keys: readonly string[]): string | undefined {
  return keys.map((key) => textOf(payload[key])).find((text) => text !== undefined);
}
