/** copilot on the wire: the spelling of the event decides that of the keys, and whether the time is a number or a text. */
import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject, setOwn } from '../../core/values/json.ts';
import { FIELDS, type Field } from './event-fields.ts';
import { type CamelName, camelOf, isSnake, profile } from './profile.ts';
import { decodeReply, decodeValue, encodeReply } from './replies.ts';
import { claudeName } from './tool-names.ts';

export const wire: Wire = { eventKey: 'hook_event_name', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply, answerIn };

function encodeEvent({ data, session, at }: HookEvent, nativeEvent: string): JsonObject {
  const snake = isSnake(nativeEvent);
  const fields = fieldsOf(nativeEvent).flatMap((field): [string, Json][] => {
    const value = field.write(data, snake);
    return value === undefined ? [] : [[snake ? field.snake : field.camel, value]];
  });
  const base: JsonObject = snake
    ? { hook_event_name: nativeEvent, session_id: session.id, timestamp: at, cwd: session.cwd }
    : { sessionId: session.id, timestamp: Date.parse(at), cwd: session.cwd, ...nameIn(nativeEvent) };
  const payload: JsonObject = { ...base, ...Object.fromEntries(fields) };
  const metadata = isObject(data['metadata']) ? data['metadata'] : {};
  const others = Object.entries(metadata).filter(([key, value]) => value !== undefined && !Object.hasOwn(payload, key));
  return { ...payload, ...Object.fromEntries(others) };
}

/** Two events say their name in camelCase too, each in its own way. */
const NAMED: { readonly [K in CamelName]?: JsonObject } = {
  permissionRequest: { hookName: 'permissionRequest' },
  notification: { hook_event_name: 'Notification' },
};

function nameIn(nativeEvent: string): JsonObject | undefined {
  const camel = camelOf(nativeEvent);
  return camel && NAMED[camel];
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const snake = isSnake(nativeEvent);
  const fields = new Map(fieldsOf(nativeEvent).map((field) => [snake ? field.snake : field.camel, field]));
  const base = new Set(['cwd', 'timestamp', snake ? 'session_id' : 'sessionId', snake ? 'hook_event_name' : undefined]);
  let data: JsonObject = {};
  const metadata: Record<string, Json> = {};
  for (const [key, value] of Object.entries(payload)) {
    if (value === undefined || base.has(key) || nameIn(nativeEvent)?.[key] === value) continue;
    const read = fields.get(key)?.read(value);
    if (read) data = { ...data, ...read };
    else setOwn(metadata, key, value);
  }
  const session = payload[snake ? 'session_id' : 'sessionId'];
  const { cwd, timestamp } = payload;
  const at = momentOf(timestamp);
  const camel = camelOf(nativeEvent);
  return {
    kind: (camel && profile.events[camel]?.kinds[0]) ?? 'notification',
    data: { ...withOwnTool(data), ...(Object.keys(metadata).length > 0 && { metadata }) },
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && { cwd }),
    ...(at !== undefined && { at }),
  };
}

/** quirk patch-is-a-text: of the tools that PascalCase calls `Edit`, only one is given a text. */
function withOwnTool(data: JsonObject): JsonObject {
  return data['tool'] === claudeName(PATCH) && typeof data['input'] === 'string' ? { ...data, tool: PATCH } : data;
}

const PATCH = 'apply_patch';

/** The last moment a date can hold. */
const END_OF_TIME = 8.64e15;

function momentOf(timestamp: Json | undefined): string | undefined {
  if (typeof timestamp === 'number') return Math.abs(timestamp) <= END_OF_TIME ? new Date(timestamp).toISOString() : undefined;
  return typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) ? timestamp : undefined;
}

/** quirk progress-lines: a line that reports progress is for the screen, and no part of the answer. */
function answerIn(output: string): string {
  if (!output.includes('progress')) return output;
  return output
    .split('\n')
    .filter((line) => !isProgress(line))
    .join('\n');
}

function isProgress(line: string): boolean {
  if (!line.includes('"progress"')) return false;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && value['type'] === 'progress';
  } catch {
    return false;
  }
}

function fieldsOf(nativeEvent: string): readonly Field[] {
  const camel = camelOf(nativeEvent);
  return camel ? FIELDS[camel] : [];
}
