/** How hooktoml writes events and answers: one flat object, what the event has and nothing else; `{cancel, reason}` back. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import { type EventKind, type HookEvent, kindRule } from '../../core/event/event.ts';
import { asJson, isObject, type Json, type JsonObject, serialise, setOwn, textOf } from '../../core/values/json.ts';
import { isEventName, isVoid, profile } from './profile.ts';

export const wire: Wire = { eventKey: 'event', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

interface Field {
  readonly native: string;
  readonly canonical: string;
  readonly text: boolean;
}

/** Fields that any event may have, in the order in which they are written. */
const COMMON: readonly Field[] = [
  text('tool'),
  any('args', 'input'),
  any('result'),
  any('error'),
  text('prompt'),
  text('channel'),
  text('user'),
  text('content'),
  text('model'),
];
const SESSION: readonly Field[] = [...without('args'), any('args'), text('source'), text('reason'), any('turn_count', 'turnCount')];
const LLM: readonly Field[] = [
  ...without('args'),
  any('input'),
  any('output'),
  any('message_count', 'messageCount'),
  any('tool_count', 'toolCount'),
];

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  const { data, session } = event;
  const payload: Record<string, Json> = { event: nativeEvent, session_id: session.id };
  for (const { native, canonical } of fieldsFor(event.kind)) {
    const value = data[canonical];
    if (value !== undefined) payload[native] = value;
  }
  if (data['metadata'] !== undefined) payload['metadata'] = data['metadata'];
  return payload;
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const kind = kindOf(nativeEvent, payload);
  const { event: _, session_id, sender, metadata: given, ...rest } = payload;
  const data: Record<string, Json> = {};
  const metadata: Record<string, Json> = {};
  const fields = new Map(fieldsFor(kind).map((field) => [field.native, field]));
  for (const [key, value] of Object.entries(rest)) {
    const field = fields.get(key);
    if (value === undefined || (field && value === null)) continue;
    if (field && (!field.text || typeof value === 'string')) data[field.canonical] = value;
    else setOwn(metadata, key, value);
  }
  if (sender !== undefined && fields.has('user')) {
    if (data['user'] === undefined && typeof sender === 'string') data['user'] = sender;
    else if (sender !== data['user']) metadata['sender'] = sender;
  } else if (sender !== undefined) metadata['sender'] = sender;
  if (isObject(given)) {
    for (const [key, value] of Object.entries(given)) if (value !== undefined) setOwn(metadata, key, value);
  } else if (given !== undefined && given !== null) metadata['metadata'] = given;
  if (Object.keys(metadata).length > 0) data['metadata'] = metadata;
  return { kind, data, ...(typeof session_id === 'string' && { session: session_id }) };
}

/** One event stands for a tool's success and its failure; the payload tells which. */
function kindOf(nativeEvent: string, payload: JsonObject): EventKind {
  if (!isEventName(nativeEvent)) return 'notification';
  const kinds: readonly EventKind[] = profile.events[nativeEvent].kinds;
  const failed = payload['error'] !== undefined && payload['error'] !== null;
  return (failed ? kinds.find((kind) => kind === 'tool.error') : undefined) ?? (kinds[0] as EventKind);
}

/**
 * `{cancel, reason}` cancels. The key that the event can change replaces its value. Anything else has no opinion: webhooks answer all sorts of
 * things, and programs print them.
 */
function decodeReply(value: Json, nativeEvent: string, event: HookEvent): Verdict | string {
  if (!isObject(value)) return NO_OPINION;
  const { cancel, reason } = value;
  if (cancel === undefined || cancel === null || cancel === false) return changeIn(value, nativeEvent, event);
  if (cancel !== true) return `\`cancel\` in the answer must be true or false, found ${JSON.stringify(cancel)}.`;
  const givenReason = textOf(reason)?.trim() ? textOf(reason) : undefined;
  if (givenReason === undefined && changesToo(value, nativeEvent, event)) return { decision: PASS, effects: [CONTRADICTION] };
  return { decision: { kind: 'deny', reason: givenReason ?? 'The hook cancelled this and gave no reason.' }, effects: [] };
}

/** An answer that cancels without a reason and replaces a value at the same time says two things that exclude each other. */
const CONTRADICTION: Effect = {
  kind: 'notice',
  text: 'A hook answered with `cancel` and with a new value, and gave no reason, so its answer counts for nothing. Add a `reason` to cancel.',
};

/** A hook that returns its payload as it was shown, with `cancel` added, changes nothing. */
function changesToo(reply: JsonObject, nativeEvent: string, event: HookEvent): boolean {
  const [effect] = changeIn(reply, nativeEvent, event).effects;
  if (effect?.kind !== 'rewrite') return false;
  return serialise(effect.value) !== serialise(event.data[changedField(event.kind)?.canonical ?? ''] ?? null);
}

function changeIn(reply: JsonObject, nativeEvent: string, { kind }: HookEvent): Verdict {
  if (isEventName(nativeEvent) && isVoid(nativeEvent)) return NO_OPINION;
  const native = changedField(kind)?.native;
  const value = native !== undefined && Object.hasOwn(reply, native) ? reply[native] : undefined;
  return value === undefined || value === null ? NO_OPINION : { decision: PASS, effects: [{ kind: 'rewrite', value }] };
}

/** The field of the payload that a hook may replace. */
function changedField(kind: EventKind): Field | undefined {
  const key = kindRule(kind).rewrites?.key;
  return fieldsFor(kind).find(({ canonical }) => canonical === key);
}

/** Besides that: `{inject, position}`, which is added to the text as it stands when the hook's turn comes. */
function decodeValue(value: unknown, nativeEvent: string, event: HookEvent): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(value);
  if (json === undefined) return 'The function returned something that is not JSON.';
  const injected = isObject(json) ? textOf(json['inject']) : undefined;
  if (injected === undefined || !isObject(json)) return decodeReply(json, nativeEvent, event);
  const present = textOf(event.data[changedField(event.kind)?.canonical ?? 'prompt']) ?? '';
  const parts = json['position'] === 'append' ? [present, injected] : [injected, present];
  return { decision: PASS, effects: [{ kind: 'rewrite', value: parts.filter((part) => part !== '').join('\n') }] };
}

/** A rewrite is rendered only if the answer has no other effect, because the format has no key for a second effect. */
function encodeReply({ decision, effects }: Verdict, nativeEvent: string): Json | undefined {
  if (decision.kind === 'deny') return effects.length === 0 ? { cancel: true, reason: decision.reason } : undefined;
  const [effect, second] = effects;
  if (decision.kind !== 'pass' || second || effect?.kind !== 'rewrite' || !isEventName(nativeEvent)) return undefined;
  const native = changedField(profile.events[nativeEvent].kinds[0])?.native;
  return native === undefined || isVoid(nativeEvent) ? undefined : { [native]: effect.value };
}

function fieldsFor(kind: EventKind): readonly Field[] {
  if (kind.startsWith('session.')) return SESSION;
  return kind.startsWith('llm.') ? LLM : COMMON;
}

function without(native: string): Field[] {
  return COMMON.filter((field) => field.native !== native);
}

function text(native: string, canonical = native): Field {
  return { native, canonical, text: true };
}

function any(native: string, canonical = native): Field {
  return { native, canonical, text: false };
}
