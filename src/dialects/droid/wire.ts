/** Factory Droid on the wire: snake_case keys beside a few that every event has. What nobody else knows is kept as metadata. */
import type { DecodedEvent, Wire } from '../../core/dialect.ts';
import type { EventKind, HookEvent } from '../../core/event.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { readFields, type WireField, writeFields } from '../../core/wire-fields.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { decodeReply, decodeValue, encodeReply } from './replies.ts';

export const wire: Wire = { encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

const TOOL: readonly WireField[] = [
  ['tool_name', 'tool', 'text'],
  ['tool_input', 'input', 'any'],
];

const FIELDS: { readonly [K in EventName]?: readonly WireField[] } = {
  PreToolUse: TOOL,
  PostToolUse: [...TOOL, ['tool_response', 'result', 'any']],
  UserPromptSubmit: [['prompt', 'prompt', 'text']],
  SubagentStop: [
    ['task_name', 'name', 'text'],
    ['task_result', 'result', 'any'],
    ['task_error', 'error', 'any'],
  ],
  PreCompact: [['trigger', 'reason', 'text']],
  SessionStart: [['source', 'source', 'text']],
  SessionEnd: [['reason', 'reason', 'text']],
  Notification: [
    ['message', 'message', 'text'],
    ['notification_type', 'type', 'text'],
  ],
};

function encodeEvent({ session, data }: HookEvent, nativeEvent: string): JsonObject {
  const fields = isEventName(nativeEvent) ? (FIELDS[nativeEvent] ?? []) : [];
  return {
    ...(nativeEvent === 'Stop' && { stop_hook_active: typeof data['continuations'] === 'number' && data['continuations'] > 0 }),
    ...(isObject(data['metadata']) && data['metadata']),
    hook_event_name: nativeEvent,
    session_id: session.id,
    cwd: session.cwd,
    ...writeFields(fields, data),
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const { hook_event_name: _, session_id: session, cwd, ...rest } = payload;
  const fields = name === undefined ? [] : (FIELDS[name] ?? []);
  const { data, extra } = readFields(fields, rest);
  if (name === 'SubagentStop') data['success'] = data['error'] === undefined;
  if (Object.keys(extra).length > 0) data['metadata'] = extra;
  return {
    kind: name === undefined ? 'notification' : (profile.events[name].kinds[0] as EventKind),
    data,
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
  };
}
