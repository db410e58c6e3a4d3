/** Codex on the wire: one object on stdin that keeps every key it came with; answers are read in `replies.ts`. */
import type { DecodedEvent, Wire } from '../../core/dialect.ts';
import type { HookEvent } from '../../core/event.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { readMade, writeMade } from '../../core/wire-fields.ts';
import { defaultsOf, FIELDS } from './event-fields.ts';
import { isEventName, profile } from './profile.ts';
import { decodeReply, decodeValue, encodeReply } from './replies.ts';

export const wire: Wire = { encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  if (!isEventName(nativeEvent)) return {};
  const { metadata } = event.data;
  const defaults = defaultsOf(nativeEvent, event);
  const { session_id, cwd, hook_event_name } = defaults;
  // What nobody has a field for travels as it came; it never takes the place of what is known.
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
