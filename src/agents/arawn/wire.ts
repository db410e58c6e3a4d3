/** How arawn writes events and reads answers: a bare object per event; scripts answer by exit code, models by `{ok, reason}`. */
import { NO_OPINION, type Verdict } from '../../core/decision.ts';
import type { DecodedEvent, Wire } from '../../core/dialect.ts';
import type { HookEvent } from '../../core/event.ts';
import { asJson, isObject, type Json, type JsonObject, setOwn, textOf } from '../../core/json.ts';
import { isGating } from '../../core/profile.ts';
import { type Field, fits, SHAPES } from './event-shapes.ts';
import { isEventName, profile } from './profile.ts';

export const wire: Wire = { encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  const payload: Record<string, Json> = {};
  for (const { native, canonical, write } of shapeOf(nativeEvent)) {
    const value = write ? write(event) : event.data[canonical];
    if (value !== undefined) payload[native] = value;
  }
  return payload;
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const data: Record<string, Json> = {};
  const metadata: Record<string, Json> = {};
  let session: string | undefined;
  const fields = new Map<string, Field>(shapeOf(nativeEvent).map((field) => [field.native, field]));
  for (const [key, value] of Object.entries(payload)) {
    const field = fields.get(key);
    if (value === undefined || (field && value === null)) continue;
    if (!field || !fits(field, value)) setOwn(metadata, key, value);
    else if (field.canonical === 'session') session = textOf(value);
    else data[field.canonical] = value;
  }
  // Every payload may say which session it belongs to, though most shapes do not show it.
  if (session === undefined && typeof metadata['session_id'] === 'string') {
    session = metadata['session_id'];
    delete metadata['session_id'];
  }
  if (Object.keys(metadata).length > 0) data['metadata'] = metadata;
  const kind = isEventName(nativeEvent) ? profile.events[nativeEvent].kinds[0] : 'notification';
  return { kind, data, ...(session !== undefined && { session }) };
}

/** The answer of a model: `{ok, reason}` or `{decision, reason}`. Where nothing can be blocked its reason is information. */
function decodeReply(value: Json, nativeEvent: string): Verdict | string {
  if (!isObject(value)) return 'The answer is not an object with `ok` or `decision`.';
  const consents = readConsent(value);
  if (typeof consents === 'string') return consents;
  const reason = textOf(value['reason'])?.trim() ?? '';
  if (isEventName(nativeEvent) && isGating(profile.events[nativeEvent])) {
    if (consents) return NO_OPINION;
    return { decision: { kind: 'deny', reason: reason === '' ? 'The hook blocked this and gave no reason.' : reason }, effects: [] };
  }
  return reason === '' ? NO_OPINION : { decision: { kind: 'pass' }, effects: [{ kind: 'notice', text: reason }] };
}

function readConsent({ ok, decision }: JsonObject): boolean | string {
  if (typeof ok === 'boolean') return ok;
  if (ok !== undefined && ok !== null) return `\`ok\` in the answer must be true or false, found ${JSON.stringify(ok)}.`;
  if (decision === 'allow') return true;
  if (decision === 'deny' || decision === 'block') return false;
  if (decision === undefined || decision === null) return 'The answer has neither `ok` nor `decision`.';
  return `\`decision\` in the answer must be \`allow\`, \`deny\` or \`block\`, found ${JSON.stringify(decision)}.`;
}

/** A model may bring its object as text. */
function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(typeof value === 'string' ? parsed(value) : value);
  return json === undefined ? 'The answer is not JSON.' : decodeReply(json, nativeEvent);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Scripts have no JSON to say anything with. */
function encodeReply(): undefined {
  return undefined;
}

function shapeOf(nativeEvent: string): readonly Field[] {
  return isEventName(nativeEvent) ? SHAPES[nativeEvent] : [];
}
