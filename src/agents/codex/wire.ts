/** Codex on the wire: one object on stdin that keeps every key it came with; replies are read in `replies.ts`. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { type MadeField as Field, readMade, STOP_ACTIVE, writeMade } from '../kit/wire-fields.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { decodeReply, decodeValue, encodeReply } from './replies.ts';

const text = (native: string, canonical: string): Field => ({ native, canonical, type: 'text', write: (data) => data[canonical] });
const saying = (canonical: string): Field => ({
  native: 'last_assistant_message',
  canonical,
  type: 'text',
  write: (data) => spoken(data[canonical]),
});

const tool: readonly Field[] = [
  { native: 'tool_name', canonical: 'tool', type: 'text', write: ({ tool: name }) => name ?? '' },
  { native: 'tool_input', canonical: 'input', type: 'any', write: ({ input }) => input ?? {} },
];
const toolUse: readonly Field[] = [
  ...tool,
  { native: 'tool_use_id', canonical: 'toolUseId', type: 'text', write: ({ toolUseId }) => toolUseId ?? '' },
];
const subagent: readonly Field[] = [
  { native: 'agent_id', canonical: 'id', type: 'text', write: ({ id }) => id ?? '' },
  { native: 'agent_type', canonical: 'type', type: 'text', write: ({ type, name }) => type ?? name ?? '' },
];
const trigger = text('trigger', 'reason');

/** Which key of Codex's stdin is which key of the canonical payload, event by event, with the default of each key. */
export const FIELDS: Readonly<Record<EventName, readonly Field[]>> = {
  PreToolUse: toolUse,
  PermissionRequest: tool,
  PostToolUse: [...toolUse, { native: 'tool_response', canonical: 'result', type: 'any', write: ({ result }) => result ?? null }],
  PreCompact: [trigger],
  PostCompact: [trigger],
  SessionStart: [text('model', 'model'), text('source', 'source')],
  SessionEnd: [text('reason', 'reason')],
  UserPromptSubmit: [text('prompt', 'prompt')],
  SubagentStart: subagent,
  SubagentStop: [...subagent, saying('result')],
  Stop: [STOP_ACTIVE, saying('message')],
  PreModelRequest: [text('model', 'model')],
  PostModelRequest: [text('model', 'model')],
  Interrupt: [],
};

/** Returns the fields that every payload of the event has, unless the event or its metadata sets them: scripts rely on the keys. */
export function defaultsOf(event: EventName, { session }: HookEvent): JsonObject {
  const base = { session_id: session.id, transcript_path: null, cwd: session.cwd, hook_event_name: event };
  if (event === 'SessionEnd') return { ...base, reason: 'other' };
  if (event === 'SessionStart') return { ...base, model: '', permission_mode: 'default', source: 'startup' };
  const turn = { ...base, turn_id: '', model: '' };
  if (event === 'PreModelRequest') return turn;
  if (event === 'PostModelRequest') return { ...turn, status: 'completed', error: null, token_usage: null };
  if (event === 'PreCompact' || event === 'PostCompact') return { ...turn, trigger: 'auto' };
  const whole = { ...turn, permission_mode: 'default' };
  return event === 'SubagentStop' ? { ...whole, stop_hook_active: false, agent_transcript_path: null } : whole;
}

/** The text of a message, which may come as an object with content; null if there is none. */
function spoken(value: Json | undefined): Json {
  const content = isObject(value) ? value['content'] : value;
  if (typeof content === 'string') return content;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

export const wire: Wire = { eventKey: 'hook_event_name', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  if (!isEventName(nativeEvent)) return {};
  const { metadata } = event.data;
  const defaults = defaultsOf(nativeEvent, event);
  const { session_id, cwd, hook_event_name } = defaults;
  // Keys without a field are passed on unchanged. They never replace a known field.
  return {
    ...defaults,
    ...(isObject(metadata) ? metadata : {}),
    session_id,
    cwd,
    hook_event_name,
    ...writeMade(FIELDS[nativeEvent], event.data),
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const { session_id: session, cwd, hook_event_name: _, ...rest } = payload;
  const { data, extra: metadata } = readMade(isEventName(nativeEvent) ? FIELDS[nativeEvent] : [], rest);
  // Gates by name, in other dialects, find a subagent by its type.
  if (typeof data['type'] === 'string') data['name'] = data['type'];
  if (Object.keys(metadata).length > 0) data['metadata'] = metadata;
  return {
    kind: isEventName(nativeEvent) ? profile.events[nativeEvent].kinds[0] : 'notification',
    data,
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
  };
}
