/** Qwen Code on the wire: one object on stdin that keeps every key it came with; answers are read in `replies.ts`. */
import type { DecodedEvent, Wire } from '../../core/dialect.ts';
import type { HookEvent } from '../../core/event.ts';
import { isObject, type Json, type JsonObject, setOwn } from '../../core/json.ts';
import { defaultsOf, FIELDS, type Field } from './event-fields.ts';
import { isEventName, profile } from './profile.ts';
import { decodeReply, decodeValue, encodeReply } from './replies.ts';

export const wire: Wire = { encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  if (!isEventName(nativeEvent)) return {};
  const { metadata } = event.data;
  const defaults = defaultsOf(nativeEvent, event);
  const own = FIELDS[nativeEvent].flatMap(({ native, write }): [string, Json][] => {
    const value = write(event.data);
    return value === undefined ? [] : [[native, value]];
  });
  const { session_id, cwd, hook_event_name, timestamp } = defaults;
  // What nobody has a field for travels as it came; it never takes the place of what is known.
  return { ...defaults, ...(isObject(metadata) ? metadata : {}), session_id, cwd, hook_event_name, timestamp, ...Object.fromEntries(own) };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const { session_id: session, cwd, hook_event_name: _, timestamp, ...rest } = payload;
  const fields = new Map<string, Field>((isEventName(nativeEvent) ? FIELDS[nativeEvent] : []).map((field) => [field.native, field]));
  const data: Record<string, Json> = {};
  const metadata: Record<string, Json> = {};
  for (const [key, value] of Object.entries(rest)) {
    const field = fields.get(key);
    if (value === undefined || (field && value === null)) continue;
    if (!field || !fits(field, value)) setOwn(metadata, key, value);
    else {
      const read = field.read ? field.read(value) : value;
      if (read !== undefined) data[field.canonical] = read;
    }
  }
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

function fits({ type }: Field, value: Json): boolean {
  return type === 'any' || typeof value === (type === 'text' ? 'string' : 'boolean');
}
