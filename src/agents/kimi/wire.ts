/** Kimi Code on the wire: snake_case keys in addition to a few that every event has. Keys that no other format has are kept as metadata. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { asJson, isObject, type Json, type JsonObject, serialise, textOf } from '../../core/values/json.ts';
import { isAgain, readAgain, readFields, type WireField, writeFields } from '../kit/wire-fields.ts';
import { type EventName, isEventName, profile } from './profile.ts';

export const wire: Wire = { eventKey: 'hook_event_name', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

const TOOL: readonly WireField[] = [
  ['tool_name', 'tool', 'text'],
  ['tool_input', 'input', 'any'],
  ['tool_call_id', 'toolUseId', 'text'],
];
const COMPACT: readonly WireField[] = [['trigger', 'reason', 'text']];
const AGENT: WireField = ['agent_name', 'name', 'text'];

const FIELDS: { readonly [K in EventName]?: readonly WireField[] } = {
  PreToolUse: TOOL,
  PostToolUse: [...TOOL, ['tool_output', 'result', 'any']],
  PostToolUseFailure: [...TOOL, ['error', 'error', 'any']],
  PermissionRequest: TOOL,
  PermissionResult: TOOL,
  StopFailure: [
    ['error_type', 'reason', 'text'],
    ['error_message', 'error', 'any'],
  ],
  SessionStart: [
    ['source', 'source', 'text'],
    ['model', 'model', 'text'],
  ],
  SessionEnd: [['reason', 'reason', 'text']],
  SubagentStart: [AGENT, ['prompt', 'task', 'text']],
  SubagentStop: [AGENT, ['response', 'result', 'any']],
  TaskStarted: [
    ['task_id', 'id', 'text'],
    ['description', 'description', 'text'],
  ],
  PreCompact: COMPACT,
  PostCompact: COMPACT,
  Notification: [
    ['body', 'message', 'text'],
    ['notification_type', 'type', 'text'],
  ],
};
/** Events whose prompt is a list of parts, or text; and the key of its text. */
const PROMPTS: { readonly [K in EventName]?: string } = { UserPromptSubmit: 'prompt', UserPromptQueued: 'content' };

function encodeEvent({ kind, session, data }: HookEvent, nativeEvent: string): JsonObject {
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const metadata = isObject(data['metadata']) ? data['metadata'] : {};
  const fields = name === undefined ? [] : (FIELDS[name] ?? []);
  const prompt = name && PROMPTS[name];
  return {
    client_type: 'hookline',
    ...metadata,
    hook_event_name: nativeEvent,
    session_id: session.id,
    cwd: session.cwd,
    ...writeFields(fields, data),
    ...(prompt !== undefined && { prompt: promptParts(data[prompt], metadata['prompt']) }),
    ...(name === 'Stop' && { stop_hook_active: isAgain(data) }),
    ...(name === 'PermissionResult' && { decision: metadata['decision'] ?? (kind === 'permission.denied' ? 'denied' : 'approved') }),
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const { hook_event_name: _, session_id: session, cwd, ...rest } = payload;
  const fields = name === undefined ? [] : (FIELDS[name] ?? []);
  const { data, extra } = readFields(fields, rest);
  const prompt = name && PROMPTS[name];
  if (prompt !== undefined) data[prompt] = textIn(rest['prompt']);
  if (typeof rest['prompt'] === 'string' && prompt !== undefined) delete extra['prompt'];
  if (name === 'Stop') readAgain(data, extra);
  if (Object.keys(extra).length > 0) data['metadata'] = extra;
  return {
    kind: name === undefined ? 'notification' : kindOf(name, rest),
    data,
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
  };
}

/** The answer has several spellings; only a rejection counts as a denial. */
function kindOf(name: EventName, { decision, approved, result }: JsonObject): EventKind {
  if (name !== 'PermissionResult') return profile.events[name].kinds[0] as EventKind;
  const answer = textOf(decision) ?? textOf(result) ?? '';
  return approved === false || /den|reject|cancel/i.test(answer) ? 'permission.denied' : 'notification';
}

function textIn(prompt: Json | undefined): string {
  if (typeof prompt === 'string') return prompt;
  const parts: readonly Json[] = Array.isArray(prompt) ? prompt : [];
  return parts.flatMap((part) => textOf(isObject(part) ? part['text'] : part) ?? []).join('\n');
}

/** The parts as they came, as long as they still say the same. */
function promptParts(text: Json | undefined, known: Json | undefined): Json {
  if (Array.isArray(known) && textIn(known) === (text ?? '')) return known;
  return typeof text === 'string' ? text : '';
}

function decodeReply(value: Json, nativeEvent: string): Verdict | string {
  const isPrompt = nativeEvent === 'UserPromptSubmit';
  const reply = isObject(value) ? value : {};
  const specific = isObject(reply['hookSpecificOutput']) ? reply['hookSpecificOutput'] : {};
  const message = wordsOf(reply['message']) ?? wordsOf(specific['message']);
  if (specific['permissionDecision'] === 'deny') {
    const given = wordsOf(specific['permissionDecisionReason']);
    const reason = (isPrompt ? (message ?? given) : (given ?? message)) ?? 'The hook blocked this without giving a reason.';
    return { decision: { kind: 'deny', reason }, effects: [] };
  }
  if (!isPrompt) return NO_OPINION;
  // quirk context-on-prompts: JSON without a message is text like any other.
  return { decision: PASS, effects: [{ kind: 'context', text: message ?? serialise(value) }] };
}

function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  const json = asJson(value);
  return json === undefined ? NO_OPINION : decodeReply(json, nativeEvent);
}

/** A denial carries nothing else, because a message in the same reply would replace the reason. */
function encodeReply({ decision, effects }: Verdict): Json | undefined {
  if (decision.kind === 'deny' && effects.length === 0)
    return { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: decision.reason } };
  if (decision.kind !== 'pass') return undefined;
  const texts = effects.flatMap((effect) => (effect.kind === 'context' && effect.at !== 'start' ? [effect.text] : []));
  return texts.length === effects.length && texts.length > 0 ? { message: texts.join('\n') } : undefined;
}

function wordsOf(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}
