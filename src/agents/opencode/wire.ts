/** The format of Hookline's plugin file: `{opencode, sessionID, directory, …}` in, `{deny, args, prompt, output, context}` out. */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import { type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { asJson, isObject, type Json, type JsonObject, serialise, textOf } from '../../core/values/json.ts';
import { readFields, type WireField, writeFields } from '../kit/wire-fields.ts';
import { type EventName, isEventName, profile } from './profile.ts';

export const wire: Wire = { eventKey: 'opencode', encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

const TOOL: readonly WireField[] = [
  ['tool', 'tool', 'text'],
  ['args', 'input', 'any'],
  ['callID', 'toolUseId', 'text'],
];

const FIELDS: { readonly [K in EventName]?: readonly WireField[] } = {
  'tool.execute.before': TOOL,
  'tool.execute.after': [...TOOL, ['output', 'result', 'any']],
  'chat.message': [['prompt', 'prompt', 'text']],
  'command.execute.before': [
    ['prompt', 'prompt', 'text'],
    ['command', 'command', 'text'],
    ['arguments', 'arguments', 'any'],
  ],
  'session.error': [['error', 'error', 'any']],
  'file.edited': [['file', 'path', 'text']],
};

function encodeEvent({ session, data }: HookEvent, nativeEvent: string): JsonObject {
  const fields = isEventName(nativeEvent) ? (FIELDS[nativeEvent] ?? []) : [];
  return {
    ...(isObject(data['metadata']) && data['metadata']),
    opencode: nativeEvent,
    sessionID: session.id,
    directory: session.cwd,
    ...writeFields(fields, data),
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const { opencode: _, sessionID: session, directory, ...rest } = payload;
  const fields = name === undefined ? [] : (FIELDS[name] ?? []);
  const { data, extra } = readFields(fields, rest);
  if (Object.keys(extra).length > 0) data['metadata'] = extra;
  return {
    kind: name === undefined ? 'notification' : (profile.events[name].kinds[0] as EventKind),
    data,
    ...(typeof session === 'string' && session !== '' && { session }),
    ...(typeof directory === 'string' && directory !== '' && { cwd: directory }),
  };
}

function decodeReply(value: Json): Verdict | string {
  if (!isObject(value)) return 'The answer is not a JSON object.';
  const { deny, args, prompt } = value;
  if (deny !== undefined)
    return typeof deny === 'string' ? { decision: { kind: 'deny', reason: deny }, effects: [] } : '`deny` must be text.';
  const effects: Effect[] = [];
  if (isObject(args)) effects.push({ kind: 'rewrite', value: args });
  else if (typeof prompt === 'string') effects.push({ kind: 'rewrite', value: prompt });
  const output = textOf(value['output']);
  if (output !== undefined) effects.push({ kind: 'replace', value: output });
  const context = textOf(value['context']);
  if (context !== undefined) effects.push({ kind: 'context', text: context });
  return effects.length === 0 ? NO_OPINION : { decision: PASS, effects };
}

function decodeValue(value: unknown): Verdict | string {
  const json = asJson(value);
  return json === undefined || json === null ? NO_OPINION : decodeReply(json);
}

/** With a denial nothing else counts, so nothing else is sent. */
function encodeReply({ decision, effects }: Verdict): Json | undefined {
  if (decision.kind === 'deny') return effects.length === 0 ? { deny: decision.reason } : undefined;
  if (decision.kind !== 'pass') return undefined;
  const reply: Record<string, Json> = {};
  const context: string[] = [];
  for (const effect of effects) {
    if (effect.kind === 'context' && effect.at !== 'start') context.push(effect.text);
    else if (effect.kind === 'rewrite') {
      const isText = typeof effect.value === 'string';
      delete reply[isText ? 'args' : 'prompt'];
      reply[isText ? 'prompt' : 'args'] = effect.value;
    } else if (effect.kind === 'replace') reply['output'] = typeof effect.value === 'string' ? effect.value : serialise(effect.value);
    else return undefined;
  }
  return { ...reply, ...(context.length > 0 && { context: context.join('\n') }) };
}
