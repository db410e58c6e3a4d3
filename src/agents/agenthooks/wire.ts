/** How agenthooks writes events and replies: the base fields first, then the event's own; one JSON object back. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { type Decision, type Effect, NO_OPINION, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { asJson, isObject, type Json, type JsonObject, setOwn, textOf } from '../../core/values/json.ts';
import { profile, type Trigger } from './profile.ts';

export interface Field {
  readonly native: string;
  readonly canonical: string;
  readonly type: 'text' | 'number' | 'any';
}

const tool: readonly Field[] = [text('tool_name', 'tool'), any('tool_input', 'input'), text('tool_use_id', 'toolUseId')];
const subagent: readonly Field[] = [text('subagent_name', 'name'), text('subagent_type', 'type'), text('task_description', 'task')];

/** Which field of a native payload is which key of the canonical one, event by event, in the order the document writes them. */
export const FIELDS: Readonly<Record<Trigger, readonly Field[]>> = {
  session_start: [text('model', 'model'), any('args', 'args')],
  session_end: [number('duration_seconds', 'durationSeconds'), number('total_steps', 'totalSteps'), text('exit_reason', 'reason')],
  before_agent: [text('prompt', 'prompt')],
  after_agent: [number('message_count', 'messageCount')],
  before_stop: [text('stop_reason', 'reason'), number('step_count', 'stepCount'), any('final_message', 'message')],
  before_tool: tool,
  after_tool: [...tool, any('tool_result', 'result')],
  after_tool_failure: [...tool, any('error', 'error')],
  subagent_start: subagent,
  subagent_stop: subagent,
  pre_compact: [text('reason', 'reason')],
};

/** Data that the document names no field for, by its name in `context`. Other data is written there in snake case. */
const IN_CONTEXT: Partial<Readonly<Record<Trigger, Readonly<Record<string, string>>>>> = {
  after_agent: { final_message: 'message' },
  session_start: { source: 'source' },
  subagent_start: { agent_id: 'id', depth: 'depth' },
  subagent_stop: {
    agent_id: 'id',
    depth: 'depth',
    success: 'success',
    result: 'result',
    error: 'error',
    duration_ms: 'durationMs',
    final_message: 'message',
  },
};

export function fits(field: Field, value: Json | undefined): boolean {
  if (value === undefined) return false;
  switch (field.type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'any':
      return value !== null;
  }
}

/** The document's `final_message` is an object or null; a plain text is the assistant's. */
export function messageObject(message: Json | undefined): Json {
  if (typeof message === 'string') return { role: 'assistant', content: message };
  return isObject(message) ? message : null;
}

function text(native: string, canonical: string): Field {
  return { native, canonical, type: 'text' };
}

function number(native: string, canonical: string): Field {
  return { native, canonical, type: 'number' };
}

function any(native: string, canonical: string): Field {
  return { native, canonical, type: 'any' };
}

const REPLY_KEYS = ['decision', 'reason', 'modified_input', 'additional_context', 'log'];

export const wire: Wire = {
  eventKey: 'event_type',
  encodeEvent,
  decodeEvent,
  decodeReply,
  decodeValue,
  encodeReply,
  replyKeys: REPLY_KEYS,
  mayReply,
};

/** The output of tests and formatters contains braces of all sorts. Only a key of a reply makes it an attempt at one. */
function mayReply(text: string): boolean {
  const brace = text.indexOf('{');
  return brace >= 0 && /\b(?:decision|modified_input|additional_context)\b/.test(text.slice(brace));
}

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  const { data, session } = event;
  const own: Record<string, Json> = {};
  for (const { native, canonical } of fieldsOf(nativeEvent)) {
    const value = canonical === 'message' ? messageObject(data[canonical]) : data[canonical];
    if (value !== undefined) own[native] = value;
  }
  return {
    event_type: nativeEvent,
    timestamp: event.at,
    session_id: session.id,
    work_dir: session.cwd,
    context: contextOf(data, nativeEvent),
    ...own,
  };
}

/** Data without a field of its own is passed in `context`, which the document keeps for additional data. The event's own data wins. */
function contextOf(data: JsonObject, nativeEvent: string): JsonObject {
  const context: Record<string, Json> = {};
  if (isObject(data['metadata']))
    for (const [key, value] of Object.entries(data['metadata'])) if (value !== undefined) setOwn(context, key, value);
  const written = new Set(['metadata', 'continuations', ...fieldsOf(nativeEvent).map(({ canonical }) => canonical)]);
  const names = new Map(Object.entries(contextNamesOf(nativeEvent)).map(([native, canonical]) => [canonical, native]));
  for (const [key, value] of Object.entries(data)) {
    if (written.has(key) || value === undefined) continue;
    setOwn(context, names.get(key) ?? snakeCase(key), key === 'message' ? messageObject(value) : value);
  }
  if (nativeEvent !== 'before_stop') return context;
  const continuations = typeof data['continuations'] === 'number' ? data['continuations'] : 0;
  return { ...context, stop_hook_active: continuations > 0, continuations };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const { event_type: _, timestamp, session_id, work_dir, context, ...rest } = payload;
  const data: Record<string, Json> = {};
  const metadata: Record<string, Json> = {};
  const fields = new Map<string, Field>(fieldsOf(nativeEvent).map((field) => [field.native, field]));
  for (const [key, value] of Object.entries(rest)) {
    const field = fields.get(key);
    if (value === undefined || (field && value === null)) continue;
    if (field && fits(field, value)) data[field.canonical] = value;
    else setOwn(metadata, key, value);
  }
  if (isObject(context)) {
    const names = contextNamesOf(nativeEvent);
    for (const [key, value] of Object.entries(context)) {
      if (value === undefined) continue;
      const canonical = Object.hasOwn(names, key) ? names[key] : undefined;
      if (canonical === undefined) setOwn(metadata, key, value);
      else data[canonical] = value;
    }
  }
  if (nativeEvent === 'before_stop') {
    if (typeof metadata['continuations'] === 'number') data['continuations'] = metadata['continuations'];
    delete metadata['continuations'];
    delete metadata['stop_hook_active'];
  }
  if (Object.keys(metadata).length > 0) data['metadata'] = metadata;
  return {
    kind: ruleOf(nativeEvent)?.kinds[0] ?? 'notification',
    data,
    ...(typeof session_id === 'string' && { session: session_id }),
    ...(typeof work_dir === 'string' && work_dir !== '' && { cwd: work_dir }),
    ...(typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) && { at: timestamp }),
  };
}

function decodeReply(value: Json): Verdict | string {
  if (!isObject(value)) return 'The output is JSON, but not an object.';
  const decision = readDecision(value);
  // A denial counts whatever else is wrong with the reply: a typo in another field must not allow the action.
  const refuses = typeof decision !== 'string' && (decision.kind === 'deny' || decision.kind === 'ask');
  if (typeof decision === 'string') return decision;
  const { reason, log, additional_context: context, modified_input: input } = value;
  for (const [key, text] of Object.entries({ reason, log, additional_context: context })) {
    if (!refuses && text !== undefined && text !== null && typeof text !== 'string') return `\`${key}\` in the output must be text.`;
  }
  const effects: Effect[] = [];
  if (input !== undefined && input !== null) effects.push({ kind: 'rewrite', value: input });
  if (typeof context === 'string' && context !== '') effects.push({ kind: 'context', text: context });
  return { decision, effects, ...(typeof log === 'string' && log.trim() !== '' && { log: log.trim() }) };
}

function readDecision({ decision, reason }: JsonObject): Decision | string {
  const givenReason = textOf(reason)?.trim() ? textOf(reason) : undefined;
  switch (decision) {
    case undefined:
    case null:
      return { kind: 'pass' };
    case 'allow':
      return { kind: 'allow', ...(givenReason !== undefined && { reason: givenReason }) };
    case 'deny':
      return { kind: 'deny', reason: givenReason ?? 'The hook denied this and gave no reason.' };
    case 'ask':
      return { kind: 'ask', reason: givenReason ?? 'The hook wants a person to decide and gave no reason.' };
    default:
      return `\`decision\` in the output must be \`allow\`, \`deny\` or \`ask\`, found ${JSON.stringify(decision)}.`;
  }
}

function decodeValue(value: unknown): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(value);
  return json === undefined ? 'The function returned something that is not JSON.' : decodeReply(json);
}

/** One rewrite and one context are all an answer has room for. */
function encodeReply({ decision, effects }: Verdict): Json | undefined {
  const reply: Record<string, Json> = {};
  if (decision.kind === 'hold') return undefined;
  if (decision.kind !== 'pass') reply['decision'] = decision.kind;
  if (decision.kind !== 'pass' && decision.reason !== undefined) reply['reason'] = decision.reason;
  for (const effect of effects) {
    if (effect.kind === 'rewrite' && reply['modified_input'] === undefined) reply['modified_input'] = effect.value;
    else if (effect.kind === 'context' && effect.at !== 'start' && reply['additional_context'] === undefined) {
      reply['additional_context'] = effect.text;
    } else return undefined;
  }
  return reply;
}

function ruleOf(nativeEvent: string): (typeof profile.events)[Trigger] | undefined {
  return Object.hasOwn(profile.events, nativeEvent) ? profile.events[nativeEvent as Trigger] : undefined;
}

function contextNamesOf(nativeEvent: string): Readonly<Record<string, string>> {
  return (Object.hasOwn(IN_CONTEXT, nativeEvent) ? IN_CONTEXT[nativeEvent as Trigger] : undefined) ?? {};
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function fieldsOf(nativeEvent: string): readonly Field[] {
  return Object.hasOwn(FIELDS, nativeEvent) ? FIELDS[nativeEvent as Trigger] : [];
}
