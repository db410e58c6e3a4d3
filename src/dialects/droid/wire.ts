/** Factory Droid on the wire: snake_case keys beside a few that every event has. What nobody else knows is kept as metadata. */
import type { DecodedEvent, Wire } from '../../core/dialect.ts';
import type { EventKind, HookEvent } from '../../core/event.ts';
import { isObject, type Json, type JsonObject, setOwn } from '../../core/json.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { decodeReply, decodeValue, encodeReply } from './replies.ts';

export const wire: Wire = { encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

/** Native key, canonical key, what it must be. */
type Field = readonly [native: string, data: string, type: 'text' | 'any'];

const TOOL: readonly Field[] = [
  ['tool_name', 'tool', 'text'],
  ['tool_input', 'input', 'any'],
];

const FIELDS: { readonly [K in EventName]?: readonly Field[] } = {
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
  const written = fields.flatMap(([native, key]): [string, Json][] => (data[key] === undefined ? [] : [[native, data[key]]]));
  return {
    ...(nativeEvent === 'Stop' && { stop_hook_active: typeof data['continuations'] === 'number' && data['continuations'] > 0 }),
    ...(isObject(data['metadata']) && data['metadata']),
    hook_event_name: nativeEvent,
    session_id: session.id,
    cwd: session.cwd,
    ...Object.fromEntries(written),
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const { hook_event_name: _, session_id: session, cwd, ...rest } = payload;
  const fields = name === undefined ? [] : (FIELDS[name] ?? []);
  const data: Record<string, Json> = {};
  const extra: Record<string, Json> = {};
  for (const [key, value] of Object.entries(rest)) {
    const field = fields.find(([native]) => native === key);
    if (value === undefined) continue;
    if (field && value !== null && (field[2] === 'any' || typeof value === 'string')) data[field[1]] = value;
    else setOwn(extra, key, value);
  }
  if (name === 'SubagentStop') data['success'] = data['error'] === undefined;
  if (Object.keys(extra).length > 0) data['metadata'] = extra;
  return {
    kind: name === undefined ? 'notification' : (profile.events[name].kinds[0] as EventKind),
    data,
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
  };
}
