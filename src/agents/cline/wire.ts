/** Cline on the wire: the data of an event is in an object of its own. Keys that no other format has are kept as metadata. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { asJson, isObject, type Json, type JsonObject, setOwn, textOf } from '../../core/values/json.ts';
import { deniedInput, deniedText, reasonInInput, rejectsDeniedInput } from './denied-input.ts';
import { type EventName, isEventName, profile } from './profile.ts';

export const wire: Wire = { eventKey: 'hookName', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply, answerIn };

/** The payload's name for each event. */
export const HOOK_NAMES: Readonly<Record<EventName, string>> = {
  PreToolUse: 'tool_call',
  PostToolUse: 'tool_result',
  UserPromptSubmit: 'prompt_submit',
  TaskStart: 'agent_start',
  TaskResume: 'agent_resume',
  TaskCancel: 'agent_abort',
  TaskComplete: 'agent_end',
  TaskError: 'agent_error',
  SessionShutdown: 'session_shutdown',
  PreCompact: 'PreCompact',
  Notification: 'Notification',
};

function encodeEvent(event: HookEvent, nativeEvent: string): JsonObject {
  const { session, at, data } = event;
  const metadata = isObject(data['metadata']) ? data['metadata'] : {};
  return {
    timestamp: at,
    workspaceRoots: [session.cwd],
    ...metadata,
    hookName: isEventName(nativeEvent) ? HOOK_NAMES[nativeEvent] : nativeEvent,
    taskId: session.id,
    ...(isEventName(nativeEvent) && bodyOf(nativeEvent, event, metadata)),
  };
}

function bodyOf(name: EventName, { kind, data }: HookEvent, metadata: JsonObject): JsonObject {
  const within = (key: string): JsonObject => (isObject(metadata[key]) ? metadata[key] : {});
  const { tool = '', input = {}, toolUseId: id } = data;
  switch (name) {
    case 'PreToolUse':
      return {
        tool_call: { ...within('tool_call'), ...(id !== undefined && { id }), name: tool, input },
        preToolUse: { ...within('preToolUse'), toolName: tool, parameters: inTexts(input) },
      };
    case 'PostToolUse': {
      const result = kind === 'tool.error' ? data['error'] : data['result'];
      const success = kind !== 'tool.error';
      return {
        tool_result: {
          ...within('tool_result'),
          ...(id !== undefined && { id }),
          ...{ name: tool, input },
          ...(result !== undefined && (success ? { output: result } : { error: result })),
        },
        postToolUse: {
          ...within('postToolUse'),
          toolName: tool,
          parameters: inTexts(input),
          ...(result !== undefined && { result }),
          success,
        },
      };
    }
    case 'UserPromptSubmit':
      return { userPromptSubmit: { attachments: [], ...within('userPromptSubmit'), prompt: data['prompt'] ?? '' } };
    case 'Notification':
      return { notification: { ...within('notification'), message: data['message'] ?? '' } };
    case 'TaskStart':
      return { taskStart: metadata['taskStart'] ?? { taskMetadata: {} } };
    case 'TaskResume':
      return { taskResume: metadata['taskResume'] ?? { taskMetadata: {}, previousState: {} } };
    case 'TaskComplete':
      return { taskComplete: metadata['taskComplete'] ?? { taskMetadata: {} } };
    case 'TaskCancel':
      return { taskCancel: metadata['taskCancel'] ?? { taskMetadata: {} } };
    default:
      return {};
  }
}

/** The older form of an input has texts only. */
function inTexts(input: Json): Json {
  if (!isObject(input)) return {};
  const texts = Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const);
  return Object.fromEntries(texts);
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const { hookName: _, taskId: session, timestamp, ...rest } = payload;
  const metadata: Record<string, Json> = {};
  for (const [key, value] of Object.entries(rest)) if (value !== undefined) setOwn(metadata, key, value);
  const at = typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) ? timestamp : undefined;
  if (at === undefined && timestamp !== undefined) setOwn(metadata, 'timestamp', timestamp);
  const [root] = Array.isArray(payload['workspaceRoots']) ? payload['workspaceRoots'] : [];
  const read = isEventName(nativeEvent) ? readBody(nativeEvent, payload) : { kind: 'notification' as const, data: {} };
  return {
    kind: read.kind,
    data: { ...read.data, ...(Object.keys(metadata).length > 0 && { metadata }) },
    ...(typeof session === 'string' && { session }),
    ...(typeof root === 'string' && root !== '' && { cwd: root }),
    ...(at !== undefined && { at }),
  };
}

function readBody(name: EventName, payload: JsonObject): { readonly kind: EventKind; readonly data: JsonObject } {
  const within = (key: string): JsonObject => (isObject(payload[key]) ? payload[key] : {});
  const kind = profile.events[name].kinds[0] as EventKind;
  switch (name) {
    case 'PreToolUse':
      return { kind, data: toolIn(within('tool_call'), within('preToolUse')) };
    case 'PostToolUse': {
      const after = within('postToolUse');
      const tool = toolIn({ ...within('tool_result'), ...within('tool_call') }, after);
      const result = after['result'] ?? within('tool_result')['output'];
      if (after['success'] !== false) return { kind, data: { ...tool, ...(result !== undefined && { result }) } };
      return { kind: 'tool.error', data: { ...tool, ...(result !== undefined && { error: result }) } };
    }
    case 'UserPromptSubmit':
      return { kind, data: { prompt: textOf(within('userPromptSubmit')['prompt']) ?? '' } };
    case 'Notification':
      return { kind, data: { message: textOf(within('notification')['message']) ?? '' } };
    case 'TaskStart':
    case 'TaskResume':
      return { kind, data: { source: name === 'TaskStart' ? 'startup' : 'resume' } };
    default:
      return { kind, data: {} };
  }
}

function toolIn({ id, name, input }: JsonObject, { toolName, parameters }: JsonObject): JsonObject {
  const tool = textOf(name) ?? textOf(toolName);
  return { ...(tool !== undefined && { tool }), input: input ?? parameters ?? {}, ...(typeof id === 'string' && { toolUseId: id }) };
}

/** The last such line counts. */
function answerIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line.startsWith(CONTROL))?.slice(CONTROL.length) ?? output;
}

const CONTROL = 'HOOK_CONTROL\t';

function decodeReply(value: Json, nativeEvent: string): Verdict | string {
  if (!isObject(value)) return 'The answer is not a JSON object.';
  const { cancel, overrideInput } = value;
  const denied = nativeEvent === 'PreToolUse' ? reasonInInput(overrideInput) : undefined;
  if (cancel !== undefined && cancel !== null && typeof cancel !== 'boolean') return '`cancel` must be true or false.';
  const effects: Effect[] = [];
  const given =
    wordsOf(value['context']) ?? wordsOf(value['contextModification']) ?? (cancel === true ? undefined : wordsOf(value['errorMessage']));
  const context = denied === undefined ? given : wordsOf(given?.slice(deniedText(denied).length));
  if (context !== undefined) effects.push({ kind: 'context', text: context });
  if (denied !== undefined) return { decision: { kind: 'deny', reason: denied }, effects };
  if (isObject(overrideInput)) effects.push({ kind: 'rewrite', value: overrideInput });
  const reason = wordsOf(value['errorMessage']) ?? 'The hook cancelled this without giving a reason.';
  if (cancel === true && nativeEvent === 'PostToolUse') effects.push({ kind: 'halt', reason });
  else if (cancel === true) return { decision: { kind: 'deny', reason }, effects };
  return effects.length === 0 ? NO_OPINION : { decision: PASS, effects };
}

function decodeValue(value: unknown, nativeEvent: string): Verdict | string {
  const json = asJson(value);
  return json === undefined || json === null ? NO_OPINION : decodeReply(json, nativeEvent);
}

function encodeReply({ decision, effects }: Verdict, nativeEvent: string, event?: HookEvent): Json | undefined {
  if (decision.kind !== 'pass' && decision.kind !== 'deny') return undefined;
  const denied =
    decision.kind === 'deny' && nativeEvent === 'PreToolUse' && event && rejectsDeniedInput(event) ? decision.reason : undefined;
  const reply: Record<string, Json> =
    denied !== undefined
      ? { cancel: false, overrideInput: deniedInput(event?.data['tool'], denied) }
      : decision.kind === 'deny'
        ? { cancel: true, errorMessage: decision.reason }
        : { cancel: false };
  const context: string[] = denied === undefined ? [] : [deniedText(denied)];
  for (const effect of effects) {
    if (effect.kind === 'context' && effect.at !== 'start') context.push(effect.text);
    else if (effect.kind === 'rewrite') reply['overrideInput'] = effect.value;
    else if (effect.kind === 'halt' && reply['cancel'] === false) Object.assign(reply, { cancel: true, errorMessage: effect.reason });
    else return undefined;
  }
  return { ...reply, ...(context.length > 0 && { contextModification: context.join('\n') }) };
}

function wordsOf(value: Json | undefined): string | undefined {
  return textOf(value)?.trim() || undefined;
}
