/** The keys that each event has in addition to the common ones, and their keys in the canonical payload. A value is written back as it was read. */
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import type { EventName } from './profile.ts';

export interface Field {
  readonly native: string;
  /** Its value in the payload; undefined if the event does not know it. */
  write(data: JsonObject): Json | undefined;
  /** Returns its value as keys of the canonical payload; undefined if the value does not fit the event. */
  read(value: Json): JsonObject | undefined;
}

const copied = (native: string, key: string, fits: (value: Json) => boolean): Field => ({
  native,
  write: (data) => data[key],
  read: (value) => (fits(value) ? { [key]: value } : undefined),
});
const text = (native: string, key: string): Field => copied(native, key, (value) => typeof value === 'string');

const TOOL: readonly Field[] = [text('tool_name', 'tool'), copied('tool_input', 'input', (value) => value !== null)];

/** A failed tool has an error in addition to its text; the rest of the result is kept, so that nothing is lost. */
const RESPONSE: Field = {
  native: 'tool_response',
  write({ result, error, metadata }) {
    const kept = isObject(metadata) ? metadata['tool_response'] : undefined;
    if (error === undefined || error === null) return result === undefined ? undefined : responseOf(result);
    if (isObject(kept)) return kept;
    return { ...responseOf(error), error: isObject(error) ? error : { message: asText(error) } };
  },
  read(value) {
    if (!isObject(value)) return undefined;
    const { error } = value;
    return error === undefined || error === null ? { result: value } : { error, metadata: { tool_response: value } };
  },
};

const REQUEST: Field = {
  native: 'llm_request',
  write({ input, model }) {
    if (isObject(input)) return input;
    return { ...(model !== undefined && { model }), messages: Array.isArray(input) ? input : [] };
  },
  read(value) {
    if (!isObject(value)) return undefined;
    const model = textOf(value['model']);
    const messages = value['messages'];
    return { ...(model !== undefined && { model }), ...(Array.isArray(messages) && { messageCount: messages.length }), input: value };
  },
};

const MODEL_RESPONSE: Field = {
  native: 'llm_response',
  write: ({ output }) => (output === undefined || isObject(output) ? output : spoken(asText(output))),
  read: (value) => (isObject(value) ? { output: value } : undefined),
};

const ANSWER: Field = {
  native: 'prompt_response',
  write: ({ message }) => (message === undefined ? undefined : wordsOf(message)),
  read: (value) => (typeof value === 'string' ? { message: value } : undefined),
};

/** The agent says that it was sent back, and not how often. */
const SENT_BACK: Field = {
  native: 'stop_hook_active',
  write: ({ continuations }) => typeof continuations === 'number' && continuations > 0,
  read: (value) => (typeof value === 'boolean' ? { continuations: value ? 1 : 0 } : undefined),
};

export const FIELDS: Readonly<Record<EventName, readonly Field[]>> = {
  BeforeTool: TOOL,
  AfterTool: [...TOOL, RESPONSE],
  BeforeAgent: [text('prompt', 'prompt')],
  AfterAgent: [ANSWER, SENT_BACK],
  BeforeModel: [REQUEST],
  AfterModel: [REQUEST, MODEL_RESPONSE],
  BeforeToolSelection: [REQUEST],
  SessionStart: [text('source', 'source')],
  SessionEnd: [text('reason', 'reason')],
  PreCompress: [text('trigger', 'reason')],
  Notification: [text('notification_type', 'type'), text('message', 'message')],
};

/** A model's response that says this and nothing more. */
export function spoken(words: string): JsonObject {
  return { candidates: [{ content: { role: 'model', parts: [words] } }] };
}

function responseOf(result: Json): JsonObject {
  if (isObject(result) && Object.hasOwn(result, 'llmContent')) return result;
  return { llmContent: asText(result), returnDisplay: asText(result) };
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A message may be text, or have text or a list of text parts as its content. */
function wordsOf(message: Json): string {
  if (typeof message === 'string') return message;
  const content = isObject(message) ? message['content'] : undefined;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part: Json) => textOf(isObject(part) ? part['text'] : part) ?? []).join('');
}
