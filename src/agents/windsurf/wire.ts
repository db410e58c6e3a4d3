/** Windsurf on the wire: the same few keys on every event, and all the rest in `tool_info`. Hooks answer by exit code, never in JSON. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { NO_OPINION, type Verdict } from '../../core/decision/decision.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject, setOwn, textOf } from '../../core/values/json.ts';
import { isEventName, profile } from './profile.ts';
import { SHAPES } from './shapes.ts';

export const wire: Wire = {
  eventKey: 'agent_action_name',
  encodeEvent,
  decodeEvent,
  decodeReply: (): Verdict => NO_OPINION,
  decodeValue: (): Verdict => NO_OPINION,
  encodeReply: () => undefined,
};

/** Metadata has the form of what is left of a payload, so that it goes back to where it came from. */
function encodeEvent({ id, at, session, data }: HookEvent, nativeEvent: string): JsonObject {
  const { tool_info: inside, ...outside } = isObject(data['metadata']) ? data['metadata'] : {};
  const written = isEventName(nativeEvent) ? SHAPES[nativeEvent].write(data) : {};
  return {
    trajectory_id: session.id,
    execution_id: id,
    timestamp: at,
    ...outside,
    agent_action_name: nativeEvent,
    tool_info: { ...(isObject(inside) && inside), ...written },
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const { agent_action_name: _, trajectory_id: session, timestamp, tool_info: given, ...rest } = payload;
  const info = isObject(given) ? given : {};
  const { data, known } = isEventName(nativeEvent) ? SHAPES[nativeEvent].read(info) : { data: {}, known: [] };
  const metadata = copyOf(rest);
  const inside = isObject(given) ? copyOf(given, known) : given;
  if (inside !== undefined && (!isObject(inside) || Object.keys(inside).length > 0)) metadata['tool_info'] = inside;
  const cwd = textOf(info['cwd']) || textOf(info['worktree_path']);
  return {
    kind: isEventName(nativeEvent) ? (profile.events[nativeEvent].kinds[0] as EventKind) : 'notification',
    data: { ...data, ...(Object.keys(metadata).length > 0 && { metadata }) },
    ...(typeof session === 'string' && { session }),
    ...(cwd !== undefined && cwd !== '' && { cwd }),
    ...(typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) && { at: timestamp }),
  };
}

function copyOf(from: JsonObject, without: readonly string[] = []): Record<string, Json> {
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(from)) if (value !== undefined && !without.includes(key)) setOwn(copy, key, value);
  return copy;
}
