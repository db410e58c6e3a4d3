/**
 * skillkit on the wire: the context map of each boundary, with exactly the keys the document lists (null where the event has nothing to say), and
 * the replies of handlers. A native context survives the way through the canonical event and back. A reply is ok, deny with a reason, or pending
 * with a state, and never more: skillkit hooks do not change data.
 */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { NO_OPINION, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { asJson, isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import { type EventName, isEventName, isGate, profile } from './profile.ts';

const NO_REASON = 'The hook denied this without giving a reason.';
const WAITING = 'The hook suspended this: it waits for approval.';

/** Reads the reply of an HTTP server. Only `deny` and `pending` have a meaning; with anything else the action proceeds. */
export function decodeReply(value: Json): Verdict {
  if (!isObject(value)) return NO_OPINION;
  const reason = textOf(value['reason'])?.trim() || undefined;
  if (value['decision'] === 'deny') return deny(reason);
  if (value['decision'] === 'pending') return hold(value['state'], reason);
  return NO_OPINION;
}

/** Reads the value that a function or a custom handler returned. After the action it is ignored, so it cannot be wrong either. */
export function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  if (value === 'ok' || value === undefined) return NO_OPINION;
  if (isObject(value)) {
    if (Object.hasOwn(value, 'deny')) return deny(textOf(value['deny'])?.trim() || undefined);
    if (Object.hasOwn(value, 'pending')) return hold(value['pending']);
  }
  if (!isGate(nativeEvent)) return NO_OPINION;
  return `A hook must return 'ok', { deny: reason } or { pending: state }; this one returned ${shown(value)}.`;
}

function deny(reason: string = NO_REASON): Verdict {
  return { decision: { kind: 'deny', reason }, effects: [] };
}

function hold(given: unknown, reason: string = WAITING): Verdict {
  const state = asJson(given);
  return { decision: { kind: 'hold', reason, ...(state !== undefined && { state }) }, effects: [] };
}

function shown(value: unknown): string {
  const text = JSON.stringify(asJson(value)) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

export const wire: Wire = {
  eventKey: null,
  encodeEvent,
  decodeEvent,
  decodeReply,
  decodeValue,
  // A command answers by exit code alone.
  encodeReply: () => undefined,
};

/** One key of a context and the canonical key it stands for. */
interface Field {
  readonly native: string;
  readonly data: string;
  readonly type: 'text' | 'number' | 'any';
  /** Left out, not null, where the event does not have it. */
  readonly optional?: true;
}

const AGENT_NAME: Field = { native: 'agent_name', data: 'agent', type: 'text' };
const SCOPE: Field = { native: 'scope', data: 'scope', type: 'any' };
const RESULT: Field = { native: 'result', data: 'result', type: 'any' };
const MESSAGE_COUNT: Field = { native: 'message_count', data: 'messageCount', type: 'number' };
const SUBAGENT: readonly Field[] = [
  { native: 'name', data: 'name', type: 'text' },
  { native: 'task', data: 'task', type: 'any' },
];
const TOOL: readonly Field[] = [
  { native: 'tool', data: 'tool', type: 'text' },
  { native: 'input', data: 'input', type: 'any' },
  { native: 'skill', data: 'skill', type: 'any' },
  SCOPE,
];
/** On this boundary `skill` is a map, and a name in the canonical event. */
const SKILL_MAP: Field = { native: 'skill', data: 'definition', type: 'any' };
const SKILL: readonly Field[] = [
  SKILL_MAP,
  { native: 'skill_name', data: 'skill', type: 'text' },
  { native: 'arguments', data: 'arguments', type: 'any' },
  SCOPE,
];
const LLM: readonly Field[] = [
  { native: 'model', data: 'model', type: 'text' },
  MESSAGE_COUNT,
  { native: 'tool_count', data: 'toolCount', type: 'number' },
];
const LOAD: readonly Field[] = [{ ...MESSAGE_COUNT, optional: true }];
const DEFINITION: readonly Field[] = [{ native: 'definition', data: 'definition', type: 'any' }];

const FIELDS: Readonly<Record<EventName, readonly Field[]>> = {
  PreToolUse: TOOL,
  PostToolUse: [...TOOL, RESULT],
  PreSubagent: [...SUBAGENT, { native: 'depth', data: 'depth', type: 'number' }],
  PostSubagent: [...SUBAGENT, RESULT],
  PreSkillActivation: SKILL,
  PostSkillActivation: SKILL,
  PreLlmRequest: LLM,
  PostLlmRequest: LLM,
  PreConversationSave: [MESSAGE_COUNT],
  PostConversationSave: [MESSAGE_COUNT],
  PreConversationLoad: LOAD,
  PostConversationLoad: LOAD,
  PreTurn: [MESSAGE_COUNT],
  PostTurn: [MESSAGE_COUNT],
  PreAgent: DEFINITION,
  PostAgent: DEFINITION,
};

function fieldsOf(nativeEvent: string): readonly Field[] {
  return isEventName(nativeEvent) ? [...FIELDS[nativeEvent], AGENT_NAME] : [AGENT_NAME];
}

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  const { data } = event;
  const entries: [string, Json][] = [];
  // Keys that a skillkit host added are passed on to its own handlers; another host's metadata is not in the document.
  const own = event.native?.dialect === 'skillkit' && isObject(data['metadata']) ? data['metadata'] : {};
  for (const field of fieldsOf(nativeEvent)) {
    const value = field === RESULT ? resultOf(event) : field === SKILL_MAP ? skillOf(data) : data[field.data];
    if (value !== undefined || !field.optional) entries.push([field.native, value ?? null]);
  }
  // quirk pending-on-resume
  const pending = event.pending?.at(-1);
  return { ...own, ...Object.fromEntries(entries), ...(pending && { pending: pending.state }) };
}

/** quirk failed-result: an action that failed has no result, so its error stands there. */
function resultOf({ kind, data }: HookEvent): Json | undefined {
  if (kind !== 'tool.error' && data['result'] !== undefined) return data['result'];
  return data['error'] === undefined ? undefined : { error: data['error'] };
}

/** A skill that is only known by name is still a map with a name. */
function skillOf(data: JsonObject): Json | undefined {
  return data['definition'] ?? (typeof data['skill'] === 'string' ? { name: data['skill'] } : undefined);
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const fields = fieldsOf(nativeEvent);
  const data: [string, Json][] = [];
  const metadata: [string, Json][] = [];
  for (const [key, value] of Object.entries(payload)) {
    if (value === undefined) continue;
    const field = fields.find(({ native }) => native === key);
    if (!field || !fits(value, field.type)) metadata.push([key, value]);
    else if (value !== null) data.push([field.data, value]);
  }
  if (metadata.length > 0) data.push(['metadata', Object.fromEntries(metadata)]);
  return settle(nativeEvent, Object.fromEntries(data));
}

function fits(value: Json, type: Field['type']): boolean {
  if (value === null || type === 'any') return true;
  return typeof value === (type === 'text' ? 'string' : 'number');
}

/** The two places where one native key means different things: a skill by map or by name, a result that is an error. */
function settle(nativeEvent: string, data: JsonObject): DecodedEvent {
  const [kind = 'notification'] = isEventName(nativeEvent) ? profile.events[nativeEvent].kinds : [];
  if (kind === 'skill.before' || kind === 'skill.after') return { kind, data: namedSkill(data) };
  if (nativeEvent !== 'PostToolUse' && nativeEvent !== 'PostSubagent') return { kind, data };
  const { result, ...rest } = data;
  const failed = isFailure(result);
  const ended: JsonObject = failed ? { ...rest, error: result.error } : data;
  if (kind === 'subagent.after') return { kind, data: { ...ended, success: !failed } };
  return { kind: failed ? 'tool.error' : 'tool.after', data: ended };
}

function namedSkill(data: JsonObject): JsonObject {
  const { definition, ...rest } = data;
  if (typeof definition === 'string') return { skill: definition, ...rest };
  const name = data['skill'] ?? (isObject(definition) ? textOf(definition['name']) : undefined);
  return { ...data, ...(name !== undefined && { skill: name }) };
}

function isFailure(result: Json | undefined): result is { readonly error: Json } {
  return isObject(result) && Object.keys(result).length === 1 && result['error'] !== undefined && result['error'] !== null;
}
