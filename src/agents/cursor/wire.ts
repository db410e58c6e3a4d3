/**
 * Cursor on the wire: keys that every event has, then the event's own. Events for one tool alone become events of that tool, and keys
 * that no other format has are kept as metadata, so that a native payload survives the way through the canonical event and back.
 */
import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject, setOwn, textOf } from '../../core/values/json.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { answerIn, decodeReply, decodeValue, encodeReply } from './replies.ts';
import { parsedInput, readMcpName, TOOL_EVENTS, writeMcpName } from './tools.ts';

export const wire: Wire = { eventKey: 'hook_event_name', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply, answerIn };

type Kind = 'text' | 'number' | 'any';
/** Native key, canonical key, what it must be. */
type Field = readonly [native: string, data: string, type: Kind];

const USE: Field = ['tool_use_id', 'toolUseId', 'text'];
const TOOL: readonly Field[] = [['tool_name', 'tool', 'text'], ['tool_input', 'input', 'any'], USE];
const SUBAGENT: readonly Field[] = [
  ['subagent_type', 'type', 'text'],
  ['task', 'task', 'text'],
];
const OUTPUT: readonly Field[] = [['text', 'output', 'text']];

const FIELDS: { readonly [K in EventName]?: readonly Field[] } = {
  preToolUse: TOOL,
  postToolUse: [...TOOL, ['tool_output', 'result', 'any']],
  postToolUseFailure: [...TOOL, ['error_message', 'error', 'text']],
  afterShellExecution: [['output', 'result', 'any']],
  beforeMCPExecution: [USE],
  afterMCPExecution: [USE, ['result_json', 'result', 'any']],
  beforeSubmitPrompt: [['prompt', 'prompt', 'text']],
  sessionStart: [['model', 'model', 'text']],
  sessionEnd: [['reason', 'reason', 'text']],
  subagentStart: [['subagent_id', 'id', 'text'], ...SUBAGENT],
  subagentStop: [...SUBAGENT, ['summary', 'result', 'any'], ['duration_ms', 'durationMs', 'number']],
  preCompact: [['trigger', 'reason', 'text']],
  stop: [['loop_count', 'continuations', 'number']],
  afterAgentResponse: OUTPUT,
  afterAgentThought: OUTPUT,
};

const STATUS: { readonly [K in EventKind]?: string } = { 'stop.before': 'completed', 'stop.error': 'error', 'agent.interrupt': 'aborted' };
const SHOWS_FOLDER: ReadonlySet<string> = new Set(['preToolUse', 'postToolUse', 'beforeShellExecution', 'beforeMCPExecution']);

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  const { data, session, id } = event;
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const metadata = isObject(data['metadata']) ? data['metadata'] : {};
  const fields = (name === undefined ? [] : (FIELDS[name] ?? [])).flatMap(([native, key, type]): [string, Json][] => {
    const value = key === 'type' ? (data['type'] ?? data['name']) : data[key];
    return value === undefined ? [] : [[native, type === 'text' ? inText(value) : value]];
  });
  return {
    conversation_id: session.id,
    generation_id: id,
    model: 'unknown',
    session_id: session.id,
    cursor_version: 'none',
    workspace_roots: [session.cwd],
    user_email: null,
    transcript_path: null,
    ...metadata,
    hook_event_name: nativeEvent,
    ...(SHOWS_FOLDER.has(nativeEvent) && { cwd: session.cwd }),
    ...Object.fromEntries(fields),
    ...(name !== undefined && ownFields(name, event, metadata)),
  };
}

/** Reads the fields that are more than a field under another name. */
function ownFields(name: EventName, { kind, data }: HookEvent, metadata: JsonObject): JsonObject {
  const input = isObject(data['input']) ? data['input'] : {};
  const tool = TOOL_EVENTS[name];
  if (tool) return tool.write(input);
  switch (name) {
    case 'beforeMCPExecution':
    case 'afterMCPExecution': {
      const written = typeof data['input'] === 'string' ? data['input'] : JSON.stringify(data['input'] ?? {});
      return { ...writeMcpName(textOf(data['tool']) ?? '', metadata['mcp_server_name']), tool_input: written };
    }
    case 'stop':
      return { status: STATUS[kind] ?? 'completed', loop_count: data['continuations'] ?? 0 };
    case 'subagentStop':
      return { status: metadata['status'] ?? (data['success'] === false ? 'error' : 'completed') };
    case 'workspaceOpen':
      return typeof data['path'] === 'string' ? { workspace_roots: rootsWith(data['path'], metadata['workspace_roots']) } : {};
    default:
      return {};
  }
}

function rootsWith(first: string, known: Json | undefined): Json {
  return Array.isArray(known) && known[0] === first ? known : [first];
}

function inText(value: Json): Json {
  if (isObject(value)) return textOf(value['content']) ?? JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const { hook_event_name: _, conversation_id, session_id, cwd: folder, ...rest } = payload;
  const session = textOf(conversation_id) ?? textOf(session_id);
  const cwd = (SHOWS_FOLDER.has(nativeEvent) ? textOf(folder) : undefined) || firstRoot(payload['workspace_roots']);
  const extra: Record<string, Json> = {};
  const keep = (key: string, value: Json | undefined): void => {
    if (value !== undefined) setOwn(extra, key, value);
  };
  if (session_id !== undefined && session_id !== session) keep('session_id', session_id);
  if (folder !== undefined && folder !== cwd) keep('cwd', folder);
  const data = readFields(name, rest, keep);
  if (Object.keys(extra).length > 0) data['metadata'] = extra;
  return {
    kind: name === undefined ? 'notification' : kindOf(name, payload['status']),
    data,
    ...(session !== undefined && { session }),
    ...(cwd !== undefined && { cwd }),
  };
}

function readFields(
  name: EventName | undefined,
  rest: JsonObject,
  keep: (key: string, value: Json | undefined) => void,
): Record<string, Json> {
  const fields = (name && FIELDS[name]) ?? [];
  const tool = name && TOOL_EVENTS[name];
  const isMcp = name === 'beforeMCPExecution' || name === 'afterMCPExecution';
  const data: Record<string, Json> = {};
  const input: Record<string, Json> = {};
  for (const [key, value] of Object.entries(rest)) {
    const field = fields.find(([native]) => native === key);
    if (value === undefined || (name === 'stop' && key === 'status')) continue;
    if (tool?.keys.includes(key)) setOwn(input, key, value);
    else if (isMcp && key === 'tool_name' && typeof value === 'string') data['tool'] = readMcpName(value, rest['mcp_server_name']);
    else if (isMcp && key === 'tool_input') data['input'] = parsedInput(value);
    else if (field && fits(value, field[2])) data[field[1]] = value;
    else keep(key, value);
  }
  if (tool) Object.assign(data, { tool: tool.tool, input });
  // The other two are events of their own kind.
  if (name === 'stop' && kindOf(name, rest['status']) === 'stop.before' && typeof rest['status'] === 'string')
    data['reason'] = rest['status'];
  if (name === 'subagentStop') data['success'] = rest['status'] === undefined || rest['status'] === 'completed';
  if (name === 'workspaceOpen') Object.assign(data, { source: 'workspaceOpen', ...pathOf(rest['workspace_roots']) });
  // Gates by name, in other formats, find a subagent by its type.
  if (typeof data['type'] === 'string') data['name'] = data['type'];
  return data;
}

function pathOf(roots: Json | undefined): JsonObject {
  const path = firstRoot(roots);
  return path === undefined ? {} : { path };
}

function firstRoot(roots: Json | undefined): string | undefined {
  return (Array.isArray(roots) ? textOf(roots[0]) : undefined) || undefined;
}

function fits(value: Json, type: Kind): boolean {
  if (type === 'any') return value !== null;
  return typeof value === (type === 'text' ? 'string' : 'number');
}

function kindOf(name: EventName, status: Json | undefined): EventKind {
  if (name === 'stop' && (status === 'error' || status === 'aborted')) return status === 'error' ? 'stop.error' : 'agent.interrupt';
  return profile.events[name].kinds[0] as EventKind;
}
