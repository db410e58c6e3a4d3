/** gemini-cli on the wire: five keys on every event, those of the event itself, and whatever else the agent put beside them. */
import type { DecodedEvent, Wire } from '../../core/dialect.ts';
import type { EventKind, HookEvent } from '../../core/event.ts';
import { isObject, type Json, type JsonObject, setOwn } from '../../core/json.ts';
import { FIELDS, type Field } from './event-fields.ts';
import { isEventName, profile } from './profile.ts';
import { decodeReply, decodeValue, encodeReply } from './replies.ts';

export const wire: Wire = { encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

function encodeEvent({ data, session, at }: HookEvent, nativeEvent: string): JsonObject {
  const { transcript_path: transcript, ...rest } = isObject(data['metadata']) ? data['metadata'] : {};
  const fields = fieldsOf(nativeEvent).flatMap((field): [string, Json][] => {
    const value = field.write(data);
    return value === undefined ? [] : [[field.native, value]];
  });
  const payload = {
    session_id: session.id,
    transcript_path: typeof transcript === 'string' ? transcript : '',
    cwd: session.cwd,
    hook_event_name: nativeEvent,
    timestamp: at,
    ...Object.fromEntries(fields),
  };
  const others = Object.entries(rest).filter(([key, value]) => value !== undefined && !Object.hasOwn(payload, key));
  return { ...payload, ...Object.fromEntries(others) };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const fields = new Map(fieldsOf(nativeEvent).map((field) => [field.native, field]));
  const { session_id: session, cwd, timestamp, hook_event_name: name, ...rest } = payload;
  let data: JsonObject = {};
  const metadata: Record<string, Json> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    const read = fields.get(key)?.read(value);
    if (!read) setOwn(metadata, key, value);
    else {
      const { metadata: kept, ...known } = read;
      data = { ...data, ...known };
      if (isObject(kept)) Object.assign(metadata, kept);
    }
  }
  if (name !== undefined && name !== nativeEvent) metadata['hook_event_name'] = name;
  return {
    kind: kindOf(nativeEvent, data),
    data: Object.keys(metadata).length > 0 ? { ...data, metadata } : data,
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && { cwd }),
    ...(typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) && { at: timestamp }),
  };
}

/** The agent has one event for tools that worked and tools that failed. */
function kindOf(nativeEvent: string, data: JsonObject): EventKind {
  if (!isEventName(nativeEvent)) return 'notification';
  if (nativeEvent === 'AfterTool') return data['error'] === undefined ? 'tool.after' : 'tool.error';
  return profile.events[nativeEvent].kinds[0] ?? 'notification';
}

function fieldsOf(nativeEvent: string): readonly Field[] {
  return isEventName(nativeEvent) ? FIELDS[nativeEvent] : [];
}
