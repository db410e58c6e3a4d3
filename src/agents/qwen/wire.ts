/** Qwen Code on the wire: one object on stdin that keeps every key it came with; replies are read in `replies.ts`. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { type MadeField as Field, readMade, STOP_ACTIVE, writeMade } from '../kit/wire-fields.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { decodeReply, decodeValue, encodeReply } from './replies.ts';

const text = (native: string, canonical: string, otherwise?: string): Field => ({
  native,
  canonical,
  type: 'text',
  write: (data) => data[canonical] ?? otherwise,
});
const any = (native: string, canonical: string, otherwise?: Json): Field => ({
  native,
  canonical,
  type: 'any',
  write: (data) => data[canonical] ?? otherwise,
});
const saying = (canonical: string): Field => ({
  native: 'last_assistant_message',
  canonical,
  type: 'text',
  write: (data) => spoken(data[canonical]),
});

const permission: readonly Field[] = [text('tool_name', 'tool', ''), any('tool_input', 'input', {})];
const tool: readonly Field[] = [...permission, text('tool_use_id', 'toolUseId', '')];
const subagent: readonly Field[] = [
  text('agent_id', 'id', ''),
  { native: 'agent_type', canonical: 'type', type: 'text', write: ({ type, name }) => type ?? name ?? '' },
];
const todo: readonly Field[] = [text('todo_id', 'id', ''), text('todo_content', 'subject', '')];

/** Which key of Qwen Code's stdin is which key of the canonical payload, event by event, with the default of each key. */
export const FIELDS: Readonly<Record<EventName, readonly Field[]>> = {
  PreToolUse: tool,
  PostToolUse: [...tool, any('tool_response', 'result', {})],
  PostToolUseFailure: [...tool, any('error', 'error', '')],
  PostToolBatch: [any('tool_calls', 'calls', [])],
  UserPromptSubmit: [text('prompt', 'prompt', '')],
  UserPromptExpansion: [text('command_name', 'command', ''), any('command_args', 'arguments', ''), text('prompt', 'prompt', '')],
  SessionStart: [text('source', 'source', 'startup'), text('model', 'model', '')],
  SessionEnd: [text('reason', 'reason', 'other')],
  SessionDelete: [text('deleted_session_id', 'id', '')],
  MessageDisplay: [text('displayed_text', 'text', ''), { ...any('is_final', 'final', true), type: 'boolean' }],
  Stop: [STOP_ACTIVE, saying('message')],
  // A matcher tests the kind of the error, not its text.
  StopFailure: [text('error', 'reason', 'unknown'), any('error_details', 'error'), saying('message')],
  SubagentStart: subagent,
  SubagentStop: [...subagent, saying('result')],
  PreCompact: [text('trigger', 'reason', 'auto')],
  PostCompact: [text('trigger', 'reason', 'auto'), text('compact_summary', 'summary', '')],
  Notification: [text('message', 'message', ''), text('notification_type', 'type', '')],
  PermissionRequest: permission,
  PermissionDenied: [...tool, text('reason', 'reason', '')],
  TodoCreated: todo,
  TodoCompleted: todo,
  InstructionsLoaded: [text('file_path', 'path', ''), text('load_reason', 'reason', '')],
};

/** Returns the fields that every payload has, unless the event or its metadata sets them: scripts rely on the keys. */
export function defaultsOf(event: EventName, { session, at }: HookEvent): JsonObject {
  const base = { session_id: session.id, transcript_path: '', cwd: session.cwd, hook_event_name: event, timestamp: at };
  const whole = { ...base, permission_mode: 'default' };
  switch (event) {
    case 'Stop':
      return { ...whole, background_tasks: [], crons: [] };
    case 'SubagentStop':
      return { ...whole, stop_hook_active: false, agent_transcript_path: '', background_tasks: [], crons: [] };
    case 'PreCompact':
      return { ...whole, custom_instructions: '' };
    case 'MessageDisplay':
      return { ...whole, message_id: '' };
    case 'TodoCreated':
      return { ...whole, todo_status: 'pending', all_todos: [], phase: 'validation' };
    case 'TodoCompleted':
      return { ...whole, previous_status: 'in_progress', all_todos: [], phase: 'validation' };
    case 'InstructionsLoaded':
      return { ...whole, memory_type: 'project' };
    default:
      return whole;
  }
}

/** The text of a message, which may come as an object with content; empty if there is none. */
function spoken(value: Json | undefined): Json {
  const content = isObject(value) ? value['content'] : value;
  if (typeof content === 'string') return content;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

export const wire: Wire = { eventKey: 'hook_event_name', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  if (!isEventName(nativeEvent)) return {};
  const { metadata } = event.data;
  const defaults = defaultsOf(nativeEvent, event);
  const { session_id, cwd, hook_event_name, timestamp } = defaults;
  // Keys without a field are passed on unchanged. They never replace a known field.
  return {
    ...defaults,
    ...(isObject(metadata) ? metadata : {}),
    session_id,
    cwd,
    hook_event_name,
    timestamp,
    ...writeMade(FIELDS[nativeEvent], event.data),
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const { session_id: session, cwd, hook_event_name: _, timestamp, ...rest } = payload;
  const { data, extra: metadata } = readMade(isEventName(nativeEvent) ? FIELDS[nativeEvent] : [], rest);
  // Gates by name, in other dialects, find a subagent by its type.
  if (nativeEvent.startsWith('Subagent') && typeof data['type'] === 'string') data['name'] = data['type'];
  if (Object.keys(metadata).length > 0) data['metadata'] = metadata;
  return {
    kind: isEventName(nativeEvent) ? profile.events[nativeEvent].kinds[0] : 'notification',
    data,
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
    ...(typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) && { at: timestamp }),
  };
}
