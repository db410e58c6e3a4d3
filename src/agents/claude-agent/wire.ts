/**
 * claude-agent on the wire: how it writes events, and how it reads and writes a hook's output. Every event has four keys (null where it has no
 * tool), the fields of its event data, the time and whatever metadata there is. A native payload survives the way through the canonical event and
 * back.
 */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { OUTPUT_KEYS, type OutputFields, readOutput } from './output-fields.ts';
import { type EventName, isEventName, kindOf, snakeCase } from './profile.ts';

const NO_REASON = 'The hook blocked this without giving a reason.';

/** JSON that is no object says as little as text that is no JSON. */
export function decodeReply(value: Json): Verdict | string {
  if (!isObject(value)) return NO_OPINION;
  const output = readOutput(value, 'snake');
  return typeof output === 'string' ? output : verdictOf(output);
}

/** A function may answer in either spelling, or with nothing. */
export function decodeValue(value: unknown): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  if (typeof value !== 'object' || Array.isArray(value))
    return `A hook must return an output or nothing; this one returned ${typeof value}.`;
  const output = readOutput(value, 'both');
  return typeof output === 'string' ? output : verdictOf(output);
}

/** Undefined if this dialect cannot express the verdict: it cannot ask, suspend, or talk to the user. */
export function encodeReply({ decision, effects }: Verdict): Json | undefined {
  if (decision.kind !== 'pass' && decision.kind !== 'deny') return undefined;
  let reply: JsonObject = decision.kind === 'deny' ? { continue_execution: false, stop_reason: decision.reason } : {};
  for (const effect of effects) {
    const more = fieldFor(effect, reply);
    if (!more) return undefined;
    reply = { ...reply, ...more };
  }
  return reply;
}

function verdictOf(output: OutputFields): Verdict {
  const effects: Effect[] = [];
  if (output.systemMessage) effects.push({ kind: 'context', text: output.systemMessage, at: 'start' });
  if (output.additionalContext) effects.push({ kind: 'context', text: output.additionalContext });
  if (output.updatedInput !== undefined) effects.push({ kind: 'rewrite', value: output.updatedInput });
  if (output.suppressLogging) effects.push({ kind: 'quiet' });
  if (output.continueExecution) return effects.length === 0 ? NO_OPINION : { decision: PASS, effects };
  return { decision: { kind: 'deny', reason: output.stopReason?.trim() || NO_REASON }, effects };
}

function fieldFor(effect: Effect, reply: JsonObject): JsonObject | undefined {
  switch (effect.kind) {
    case 'rewrite':
      return { updated_input: effect.value };
    case 'context': {
      if (effect.at === 'start') return { system_message: effect.text };
      const before = reply['additional_context'];
      return { additional_context: before === undefined ? effect.text : `${before}\n${effect.text}` };
    }
    case 'quiet':
      return { suppress_logging: true };
    case 'notice':
    case 'replace':
    case 'continue':
    case 'halt':
      return undefined;
  }
}

export const wire: Wire = { eventKey: 'event', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply, replyKeys: OUTPUT_KEYS };

type Kind = 'text' | 'boolean' | 'any';
/** Native key, canonical key, what it must be. */
type Field = readonly [native: string, data: string, type: Kind];

const TOOL: readonly Field[] = [
  ['tool_name', 'tool', 'text'],
  ['tool_input', 'input', 'any'],
];
const SUBAGENT_ID: Field = ['subagent_id', 'id', 'text'];
const ERROR: Field = ['error', 'error', 'any'];

const FIELDS: Readonly<Record<EventName, readonly Field[]>> = {
  PreToolUse: TOOL,
  PostToolUse: [...TOOL, ['tool_result', 'result', 'any']],
  PostToolUseFailure: [...TOOL, ERROR],
  UserPromptSubmit: [['prompt', 'prompt', 'text']],
  Stop: [],
  SubagentStart: [SUBAGENT_ID, ['subagent_type', 'type', 'text'], ['description', 'task', 'text']],
  SubagentStop: [SUBAGENT_ID, ['success', 'success', 'boolean'], ERROR],
  PreCompact: [],
  SessionStart: [],
  SessionEnd: [],
};

function fieldsOf(nativeEvent: string): readonly Field[] {
  return isEventName(nativeEvent) ? FIELDS[nativeEvent] : [];
}

function encodeEvent({ data, session, at }: HookEvent, nativeEvent: string): JsonObject {
  const fields = fieldsOf(nativeEvent).map(([native, key]): [string, Json] => [native, valueFor(native, key, data)]);
  return {
    event: snakeCase(nativeEvent),
    session_id: session.id,
    tool_name: null,
    tool_input: null,
    ...Object.fromEntries(fields),
    timestamp: at,
    ...(data['metadata'] !== undefined && data['metadata'] !== null && { metadata: data['metadata'] }),
  };
}

function valueFor(native: string, key: string, data: JsonObject): Json {
  const value = data[key];
  switch (native) {
    // quirk subagent-type: elsewhere a subagent has a name and no type.
    case 'subagent_type':
      return value ?? data['name'] ?? null;
    case 'success':
      return value ?? (data['error'] === undefined || data['error'] === null);
    // The document's errors are text.
    case 'error':
      return value === undefined || value === null || typeof value === 'string' ? (value ?? null) : JSON.stringify(value);
    default:
      return value ?? null;
  }
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const fields = fieldsOf(nativeEvent);
  const data: [string, Json][] = [];
  const extra: [string, Json][] = [];
  const { event: _, session_id: session, timestamp, metadata, ...rest } = payload;
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined || value === null) continue;
    const field = fields.find(([native]) => native === key);
    if (field && fits(value, field[2])) data.push([field[1], value]);
    else extra.push([key, value]);
  }
  const kept = keepMetadata(metadata, Object.fromEntries(extra));
  if (kept !== undefined) data.push(['metadata', kept]);
  return {
    kind: isEventName(nativeEvent) ? kindOf(nativeEvent) : 'notification',
    data: named(Object.fromEntries(data)),
    ...(typeof session === 'string' && { session }),
    ...(typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) && { at: timestamp }),
  };
}

function fits(value: Json, type: Kind): boolean {
  return type === 'any' || typeof value === (type === 'text' ? 'string' : 'boolean');
}

/** quirk own-metadata: the payload's own metadata comes first; unknown keys are added to it. */
function keepMetadata(own: Json | undefined, extra: JsonObject): Json | undefined {
  if (Object.keys(extra).length === 0) return own ?? undefined;
  return { ...extra, ...(isObject(own) ? own : own !== undefined && own !== null && { metadata: own }) };
}

/** quirk subagent-type: gates by name, in other dialects, find a subagent by its type. */
function named(data: JsonObject): JsonObject {
  return typeof data['type'] === 'string' ? { ...data, name: data['type'] } : data;
}
