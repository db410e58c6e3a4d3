/**
 * gemini-cli on the wire: how it writes events, and how it reads and writes a hook's output. An event has five keys that all events have, those of
 * the event itself, and any other keys that the agent added.
 */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { keysThatStay } from '../../core/meaning/profile.ts';
import { asJson, isObject, type Json, type JsonObject, setOwn, textOf } from '../../core/values/json.ts';
import { FIELDS, type Field, spoken } from './event-fields.ts';
import { isEventName, profile } from './profile.ts';

const NO_REASON = 'The hook denied this without giving a reason.';
const NO_STOP_REASON = 'The hook stopped the run without giving a reason.';

/** JSON that is no object says nothing; text that holds JSON once more is read as what it holds. */
export function decodeReply(value: Json, nativeEvent: string, event: HookEvent): Verdict | string {
  const output = typeof value === 'string' ? parsed(value) : value;
  if (output === undefined) return 'The output is text in quotes, not an object.';
  if (!isObject(output)) return NO_OPINION;
  const decision = decisionOf(output);
  if (typeof decision === 'string') return decision;
  const effects = effectsOf(output, nativeEvent, event);
  return decision === PASS && effects.length === 0 ? NO_OPINION : { decision, effects };
}

export function decodeValue(value: unknown, nativeEvent: string, event: HookEvent): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  const json = asJson(value);
  return json === undefined ? 'The answer is not JSON.' : decodeReply(json, nativeEvent, event);
}

/** Undefined if this dialect cannot express the verdict. Several notices could not be told apart, so they cannot be expressed together. */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string, event?: HookEvent): Json | undefined {
  if (decision.kind === 'hold' || decision.kind === 'allow') return undefined;
  let shared = wordsOf(decision);
  let specific: JsonObject = {};
  for (const effect of effects) {
    const words = wordsFor(effect, shared, specific, nativeEvent, event);
    if (!words) return undefined;
    shared = { ...shared, ...words.shared };
    specific = { ...specific, ...words.specific };
  }
  return Object.keys(specific).length === 0 ? shared : { ...shared, hookSpecificOutput: { hookEventName: nativeEvent, ...specific } };
}

/** quirk asks-with-the-message: a person who is asked sees the message and not the reason. */
function wordsOf(decision: Exclude<Decision, { kind: 'hold' | 'allow' }>): JsonObject {
  if (decision.kind === 'pass') return {};
  const { kind, reason } = decision;
  return { decision: kind, reason, ...(kind === 'ask' && { systemMessage: reason }) };
}

/** quirk allow-is-silence: consent changes nothing there, so it is no opinion here. */
function decisionOf({ decision, reason, stopReason }: JsonObject): Decision | string {
  const why = filled(reason) ?? filled(stopReason);
  switch (decision ?? undefined) {
    case undefined:
    case 'allow':
    case 'approve':
      return PASS;
    case 'deny':
    case 'block':
      return { kind: 'deny', reason: why ?? NO_REASON };
    case 'ask':
      return { kind: 'ask', reason: why ?? 'The hook wants a person to decide.' };
    default:
      return `\`decision\` must be \`allow\`, \`deny\` or \`ask\`, found ${JSON.stringify(decision)}.`;
  }
}

function effectsOf(output: JsonObject, nativeEvent: string, { data }: HookEvent): Effect[] {
  const effects: Effect[] = [];
  const specific = isObject(output['hookSpecificOutput']) ? output['hookSpecificOutput'] : {};
  const rewrite = rewriteOf(specific, nativeEvent, data['input']);
  if (rewrite) effects.push({ kind: 'rewrite', value: rewrite });
  const context = filled(specific['additionalContext']);
  if (context !== undefined) effects.push({ kind: 'context', text: context });
  const response = specific['llm_response'];
  if (isObject(response)) effects.push({ kind: 'replace', value: onlyWords(response) ?? response });
  const notice = filled(output['systemMessage']);
  const isReason = output['decision'] === 'ask' && notice === filled(output['reason']);
  if (notice !== undefined && !isReason) effects.push({ kind: 'notice', text: notice });
  if (output['suppressOutput'] === true) effects.push({ kind: 'quiet' });
  if (output['continue'] === false) {
    effects.push({ kind: 'halt', reason: filled(output['stopReason']) ?? filled(output['reason']) ?? NO_STOP_REASON });
  }
  return effects;
}

/** quirk input-is-merged. The agent also lets a request or the choice of tools be changed. */
const REWRITTEN: Readonly<Record<string, string>> = {
  BeforeTool: 'tool_input',
  BeforeModel: 'llm_request',
  BeforeToolSelection: 'toolConfig',
};

function rewriteOf(specific: JsonObject, nativeEvent: string, input: Json | undefined): JsonObject | undefined {
  const changed = Object.hasOwn(REWRITTEN, nativeEvent) ? specific[REWRITTEN[nativeEvent] ?? ''] : undefined;
  if (!isObject(changed)) return undefined;
  return nativeEvent === 'BeforeTool' && isObject(input) ? { ...input, ...changed } : changed;
}

interface Words {
  readonly shared?: JsonObject;
  readonly specific?: JsonObject;
}

function wordsFor(
  effect: Effect,
  shared: JsonObject,
  specific: JsonObject,
  nativeEvent: string,
  event: HookEvent | undefined,
): Words | undefined {
  switch (effect.kind) {
    case 'rewrite':
      if (!isObject(effect.value) || nativeEvent !== 'BeforeTool' || !event) return undefined;
      return keysThatStay(profile, event.data, effect.value).length > 0 ? undefined : { specific: { tool_input: effect.value } };
    case 'context': {
      if (effect.at === 'start') return undefined;
      const before = textOf(specific['additionalContext']);
      return { specific: { additionalContext: before === undefined ? effect.text : `${before}\n${effect.text}` } };
    }
    case 'replace':
      return { specific: { llm_response: typeof effect.value === 'string' ? spoken(effect.value) : effect.value } };
    case 'notice':
      return shared['systemMessage'] === undefined ? { shared: { systemMessage: effect.text } } : undefined;
    case 'halt':
      return { shared: { continue: false, stopReason: textOf(shared['stopReason']) ?? effect.reason } };
    case 'quiet':
      return { shared: { suppressOutput: true } };
    case 'continue':
      return undefined;
  }
}

/** The words of a response that has nothing else in it. */
function onlyWords(response: JsonObject): string | undefined {
  const [candidate] = Array.isArray(response['candidates']) ? response['candidates'] : [];
  const content = isObject(candidate) ? candidate['content'] : undefined;
  const parts = isObject(content) ? content['parts'] : undefined;
  const words = Array.isArray(parts) ? textOf(parts[0]) : undefined;
  return words !== undefined && JSON.stringify(response) === JSON.stringify(spoken(words)) ? words : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function filled(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}

export const wire: Wire = { eventKey: 'hook_event_name', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

function encodeEvent({ data, session, at }: HookEvent, nativeEvent: string): JsonObject {
  const { transcript_path: transcript, ...rest } = isObject(data['metadata']) ? data['metadata'] : {};
  const fields = fieldsOf(nativeEvent).flatMap((field): [string, Json][] => {
    const value = field.write(data);
    return value === undefined ? [] : [[field.native, value]];
  });
  const payload = {
    session_id: session.id,
    transcript_path: typeof transcript === 'string' ? transcript : '',
    cwd: session.cwd,
    hook_event_name: nativeEvent,
    timestamp: at,
    ...Object.fromEntries(fields),
  };
  const others = Object.entries(rest).filter(([key, value]) => value !== undefined && !Object.hasOwn(payload, key));
  return { ...payload, ...Object.fromEntries(others) };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const fields = new Map(fieldsOf(nativeEvent).map((field) => [field.native, field]));
  const { session_id: session, cwd, timestamp, hook_event_name: name, ...rest } = payload;
  let data: JsonObject = {};
  const metadata: Record<string, Json> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    const read = fields.get(key)?.read(value);
    if (!read) setOwn(metadata, key, value);
    else {
      const { metadata: kept, ...known } = read;
      data = { ...data, ...known };
      if (isObject(kept)) Object.assign(metadata, kept);
    }
  }
  if (name !== undefined && name !== nativeEvent) metadata['hook_event_name'] = name;
  return {
    kind: kindOf(nativeEvent, data),
    data: Object.keys(metadata).length > 0 ? { ...data, metadata } : data,
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && { cwd }),
    ...(typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) && { at: timestamp }),
  };
}

/** The agent has one event for tools that worked and tools that failed. */
function kindOf(nativeEvent: string, data: JsonObject): EventKind {
  if (!isEventName(nativeEvent)) return 'notification';
  if (nativeEvent === 'AfterTool') return data['error'] === undefined ? 'tool.after' : 'tool.error';
  return profile.events[nativeEvent].kinds[0] ?? 'notification';
}

function fieldsOf(nativeEvent: string): readonly Field[] {
  return isEventName(nativeEvent) ? FIELDS[nativeEvent] : [];
}
