/** How arawn writes events and reads replies: a bare object per event; scripts reply by exit code, models by `{ok, reason}`. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { NO_OPINION, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isGating } from '../../core/meaning/profile.ts';
import { asJson, isObject, type Json, type JsonObject, setOwn, textOf } from '../../core/values/json.ts';
import { type EventName, isEventName, profile } from './profile.ts';

export interface Field {
  readonly native: string;
  /** The canonical key; `session` stands for the session itself. */
  readonly canonical: string;
  readonly type: 'text' | 'number' | 'boolean' | 'any';
  /** The value to write where the canonical one is not written as it stands. */
  readonly write?: (event: HookEvent) => Json | undefined;
}

const PREVIEW_CHARACTERS = 200;

const session = (native: string): Field => ({ native, canonical: 'session', type: 'text', write: ({ session: { id } }) => id });
const tool: readonly Field[] = [
  { native: 'tool', canonical: 'tool', type: 'text' },
  // A script reads `.params.command`: an event without input has empty params, not none.
  { native: 'params', canonical: 'input', type: 'any', write: ({ data }) => data['input'] ?? {} },
];
const finished: readonly Field[] = [
  session('parent_session_id'),
  { native: 'subagent_name', canonical: 'name', type: 'text' },
  { native: 'result_preview', canonical: 'result', type: 'text', write: ({ data }) => preview(data['result'] ?? data['error']) },
  { native: 'duration_ms', canonical: 'durationMs', type: 'number' },
  { native: 'success', canonical: 'success', type: 'boolean', write: ({ data }) => data['success'] ?? (data['error'] ?? null) === null },
];

/** The exact shape of every event on stdin, and its way back to the canonical payload. Key order is the document's. */
export const SHAPES: Readonly<Record<EventName, readonly Field[]>> = {
  PreToolUse: tool,
  PostToolUse: [...tool, { native: 'result', canonical: 'result', type: 'any' }],
  PostToolUseFailure: [...tool, { native: 'error', canonical: 'error', type: 'any' }],
  PermissionRequest: tool,
  UserPromptSubmit: [{ native: 'prompt', canonical: 'prompt', type: 'text' }],
  Notification: [{ native: 'message', canonical: 'message', type: 'text' }],
  SubagentStop: finished,
  PreCompact: [{ native: 'reason', canonical: 'reason', type: 'text' }],
  SessionStart: [session('session_id')],
  SessionEnd: [session('session_id'), { native: 'turn_count', canonical: 'turnCount', type: 'number' }],
  Stop: [{ native: 'response', canonical: 'message', type: 'text', write: ({ data }) => responseOf(data['message']) }],
  SubagentStarted: [
    session('parent_session_id'),
    { native: 'subagent_name', canonical: 'name', type: 'text' },
    { native: 'task_preview', canonical: 'task', type: 'text', write: ({ data }) => preview(data['task']) },
  ],
  SubagentCompleted: finished,
};

export function fits({ type }: Field, value: Json): boolean {
  if (type === 'any') return value !== null;
  return typeof value === { text: 'string', number: 'number', boolean: 'boolean' }[type];
}

/** At most 200 characters, the dots of a cut included. Counted in code points: no character is cut in two. */
export function preview(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // No text has more code points than units, so most are not taken apart.
  if (text.length <= PREVIEW_CHARACTERS) return text;
  // Two units make at most one code point: this much is enough to tell whether there are more than may stand.
  const points = [...text.slice(0, 2 * (PREVIEW_CHARACTERS + 1))];
  if (points.length <= PREVIEW_CHARACTERS) return text;
  return `${points.slice(0, PREVIEW_CHARACTERS - 3).join('')}...`;
}

/** The final answer as text: it may come as a message with content, or with a list of text parts. */
function responseOf(message: Json | undefined): string {
  if (typeof message === 'string') return message;
  const content = isObject(message) ? message['content'] : undefined;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part: Json) => textOf(isObject(part) ? part['text'] : part) ?? []).join('');
}

export const wire: Wire = { eventKey: null, encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

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
  return reason === '' ? NO_OPINION : { decision: { kind: 'pass' }, effects: informing(reason, nativeEvent) };
}

/** The text is information wherever the event takes it, and context where the event takes that too. */
function informing(text: string, nativeEvent: string): Verdict['effects'] {
  const grants: readonly string[] = isEventName(nativeEvent) ? profile.events[nativeEvent].grants : ['notice'];
  return (['notice', 'context'] as const).filter((kind) => grants.includes(kind)).map((kind) => ({ kind, text }));
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
