/** What our plugin file sends and understands: `{opencode, sessionID, directory, …}` in, `{deny, args, prompt, output, context}` out. */
import { type Effect, NO_OPINION, PASS, type Verdict } from '../../core/decision.ts';
import type { DecodedEvent, Wire } from '../../core/dialect.ts';
import type { EventKind, HookEvent } from '../../core/event.ts';
import { asJson, isObject, type Json, type JsonObject, serialise, setOwn, textOf } from '../../core/json.ts';
import { type EventName, isEventName, profile } from './profile.ts';

export const wire: Wire = { encodeEvent, decodeEvent, decodeReply, decodeValue, encodeReply };

/** Native key, canonical key, what it must be. */
type Field = readonly [native: string, data: string, type: 'text' | 'any'];

const TOOL: readonly Field[] = [
  ['tool', 'tool', 'text'],
  ['args', 'input', 'any'],
  ['callID', 'toolUseId', 'text'],
];

const FIELDS: { readonly [K in EventName]?: readonly Field[] } = {
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
  const written = fields.flatMap(([native, key]): [string, Json][] => (data[key] === undefined ? [] : [[native, data[key]]]));
  return {
    ...(isObject(data['metadata']) && data['metadata']),
    opencode: nativeEvent,
    sessionID: session.id,
    directory: session.cwd,
    ...Object.fromEntries(written),
  };
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const name = isEventName(nativeEvent) ? nativeEvent : undefined;
  const { opencode: _, sessionID: session, directory, ...rest } = payload;
  const fields = name === undefined ? [] : (FIELDS[name] ?? []);
  const data: Record<string, Json> = {};
  const extra: Record<string, Json> = {};
  for (const [key, value] of Object.entries(rest)) {
    const field = fields.find(([native]) => native === key);
    if (value === undefined) continue;
    if (field && value !== null && (field[2] === 'any' || typeof value === 'string')) data[field[1]] = value;
    else setOwn(extra, key, value);
  }
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

/** With a deny nothing else counts, so nothing else is said. */
function encodeReply({ decision, effects }: Verdict): Json | undefined {
  if (decision.kind === 'deny') return effects.length === 0 ? { deny: decision.reason } : undefined;
  if (decision.kind !== 'pass') return undefined;
  const said: Record<string, Json> = {};
  const context: string[] = [];
  for (const effect of effects) {
    if (effect.kind === 'context' && effect.at !== 'start') context.push(effect.text);
    else if (effect.kind === 'rewrite') {
      const isText = typeof effect.value === 'string';
      delete said[isText ? 'args' : 'prompt'];
      said[isText ? 'prompt' : 'args'] = effect.value;
    } else if (effect.kind === 'replace') said['output'] = typeof effect.value === 'string' ? effect.value : serialise(effect.value);
    else return undefined;
  }
  return { ...said, ...(context.length > 0 && { context: context.join('\n') }) };
}
