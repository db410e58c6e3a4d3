/** Factory Droid on the wire: snake_case keys in addition to a few that every event has. Keys that no other format has are kept as metadata. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { type Decision, type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { keysThatStay } from '../../core/meaning/profile.ts';
import { asJson, isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import { isAgain, readAgain, readFields, type WireField, writeFields } from '../kit/wire-fields.ts';
import { type EventName, isEventName, profile } from './profile.ts';

const NO_REASON = 'The hook blocked this without giving a reason.';

/** Turns the output of a Droid hook into a verdict. A value of the wrong kind is a fault, never consent. */
export function decodeReply(value: Json, nativeEvent: string, event: HookEvent): Verdict | string {
  if (!isObject(value)) return NO_OPINION;
  const specific = isObject(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const decision = decisionIn(value, specific, nativeEvent);
  if (typeof decision === 'string') return decision;
  const effects: Effect[] = [];
  const rewrite = rewriteIn(specific['updatedInput'], nativeEvent, event);
  if (rewrite !== undefined) effects.push({ kind: 'rewrite', value: rewrite });
  const context = wordsOf(specific['additionalContext']);
  if (context !== undefined) effects.push({ kind: 'context', text: context });
  const notice = wordsOf(value['systemMessage']);
  if (notice !== undefined) effects.push({ kind: 'notice', text: notice });
  if (value['continue'] === false) effects.push({ kind: 'halt', reason: wordsOf(value['stopReason']) ?? 'A hook stopped the run.' });
  return decision === PASS && effects.length === 0 ? NO_OPINION : { decision, effects };
}

export function decodeValue(value: unknown, nativeEvent: string, event: HookEvent): Verdict | string {
  const json = asJson(value);
  return json === undefined ? NO_OPINION : decodeReply(json, nativeEvent, event);
}

/** Undefined if there are no words for it, or the event that is answered would have to be known. */
export function encodeReply({ decision, effects }: Verdict, nativeEvent: string, event?: HookEvent): Json | undefined {
  // quirks compaction-by-exit and prompt-by-exit
  if (nativeEvent === 'PreCompact' || (nativeEvent === 'UserPromptSubmit' && decision.kind === 'deny')) return undefined;
  const specific: Record<string, Json> = {};
  const shared: Record<string, Json> = {};
  if (!sayDecision(decision, nativeEvent, shared, specific)) return undefined;
  const context: string[] = [];
  for (const effect of effects) {
    if (effect.kind === 'context' && effect.at !== 'start') context.push(effect.text);
    else if (effect.kind === 'notice' && shared['systemMessage'] === undefined) shared['systemMessage'] = effect.text;
    else if (effect.kind === 'halt' && shared['continue'] === undefined)
      Object.assign(shared, { continue: false, stopReason: effect.reason });
    else if (effect.kind === 'rewrite') {
      const updated = updatedInput(effect.value, nativeEvent, event);
      if (updated === undefined) return undefined;
      specific['updatedInput'] = updated;
    } else return undefined;
  }
  if (context.length > 0) specific['additionalContext'] = context.join('\n');
  return { ...shared, ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: nativeEvent, ...specific } }) };
}

function decisionIn(value: JsonObject, specific: JsonObject, nativeEvent: string): Decision | string {
  const word = nativeEvent === 'PreToolUse' ? specific['permissionDecision'] : undefined;
  const reason = wordsOf(specific['permissionDecisionReason']) ?? wordsOf(value['reason']);
  if (word === 'allow') return reason === undefined ? { kind: 'allow' } : { kind: 'allow', reason };
  if (word === 'ask') return { kind: 'ask', reason: reason ?? 'The hook wants a person to be asked.' };
  if (word === 'deny') return { kind: 'deny', reason: reason ?? NO_REASON };
  if (word !== undefined && word !== null) return `\`permissionDecision\` cannot be ${JSON.stringify(word)}.`;
  return value['decision'] === 'block' ? { kind: 'deny', reason: reason ?? NO_REASON } : PASS;
}

function sayDecision(decision: Decision, nativeEvent: string, shared: Record<string, Json>, specific: Record<string, Json>): boolean {
  if (decision.kind === 'pass') return true;
  if (nativeEvent !== 'PreToolUse') {
    if (decision.kind === 'deny') Object.assign(shared, { decision: 'block', reason: decision.reason });
    return decision.kind === 'deny';
  }
  if (decision.kind === 'hold') return false;
  specific['permissionDecision'] = decision.kind;
  if (decision.reason !== undefined) specific['permissionDecisionReason'] = decision.reason;
  return true;
}

function rewriteIn(updated: Json | undefined, nativeEvent: string, { data }: HookEvent): Json | undefined {
  if (!isObject(updated)) return undefined;
  if (nativeEvent === 'UserPromptSubmit') return textOf(updated['prompt']);
  return { ...(isObject(data['input']) && data['input']), ...updated };
}

/** Laid over the old input, it must come out as the new one: what was left out of it would stay. */
function updatedInput(value: Json, nativeEvent: string, event: HookEvent | undefined): Json | undefined {
  if (nativeEvent === 'UserPromptSubmit') return typeof value === 'string' ? { prompt: value } : undefined;
  if (!event || !isObject(value)) return undefined;
  return keysThatStay(profile, event.data, value).length > 0 ? undefined : value;
}

function wordsOf(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}

export const wire: Wire = { eventKey: 'hook_event_name', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

const TOOL: readonly WireField[] = [
  ['tool_name', 'tool', 'text'],
  ['tool_input', 'input', 'any'],
];

const FIELDS: { readonly [K in EventName]?: readonly WireField[] } = {
  PreToolUse: TOOL,
  PostToolUse: [...TOOL, ['tool_response', 'result', 'any']],
  UserPromptSubmit: [['prompt', 'prompt', 'text']],
  SubagentStop: [
    ['task_name', 'name', 'text'],
    ['task_result', 'result', 'any'],
    ['task_error', 'error', 'any'],
  ],
  PreCompact: [['trigger', 'reason', 'text']],
  SessionStart: [['source', 'source', 'text']],
  SessionEnd: [['reason', 'reason', 'text']],
  Notification: [
    ['message', 'message', 'text'],
    ['notification_type', 'type', 'text'],
  ],
};

function encodeEvent({ session, data }: HookEvent, nativeEvent: string): JsonObject {
  const fields = isEventName(nativeEvent) ? (FIELDS[nativeEvent] ?? []) : [];
  return {
    ...(isObject(data['metadata']) && data['metadata']),
    hook_event_name: nativeEvent,
    session_id: session.id,
    cwd: session.cwd,
    ...writeFields(fields, data),
    ...(nativeEvent === 'Stop' && { stop_hook_active: isAgain(data) }),
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const { hook_event_name: _, session_id: session, cwd, ...rest } = payload;
  const fields = name === undefined ? [] : (FIELDS[name] ?? []);
  const { data, extra } = readFields(fields, rest);
  if (name === 'SubagentStop') data['success'] = data['error'] === undefined;
  if (name === 'Stop') readAgain(data, extra);
  if (Object.keys(extra).length > 0) data['metadata'] = extra;
  return {
    kind: name === undefined ? 'notification' : (profile.events[name].kinds[0] as EventKind),
    data,
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
  };
}
