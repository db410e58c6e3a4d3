/** The keys that each event has in addition to the common ones, in both spellings, and their keys in the canonical payload. */
import { isObject, type Json, type JsonObject, objectIn, textOf } from '../../core/values/json.ts';
import type { CamelName } from './profile.ts';
import { claudeName } from './tool-names.ts';

export interface Field {
  readonly camel: string;
  readonly snake: string;
  /** Its value in the payload; undefined if the event does not know it. */
  write(data: JsonObject, snake: boolean): Json | undefined;
  /** Returns its value as keys of the canonical payload; undefined if the value does not fit the event. */
  read(value: Json): JsonObject | undefined;
}

const TOOL: Field = {
  ...named('toolName'),
  write: ({ tool }, snake) => (snake && typeof tool === 'string' ? claudeName(tool) : tool),
  read: (value) => (typeof value === 'string' ? { tool: value } : undefined),
};

/** quirk args-as-text: older versions send the arguments as the text of their JSON. */
const input = (camel: string): Field => ({
  camel,
  snake: 'tool_input',
  write: (data) => data['input'],
  read(value) {
    if (value === null) return undefined;
    const parsed = typeof value === 'string' ? objectIn(value) : undefined;
    return { input: parsed ?? value };
  },
});

const RESULT: Field = {
  ...named('toolResult'),
  write: ({ result }, snake) => (result === undefined ? undefined : recased(resultOf(result), snake)),
  read: (value) => (isObject(value) ? { result: recased(value, false) } : undefined),
};

const ERROR_TEXT: Field = {
  ...named('error'),
  write: ({ error }) => (error === undefined ? undefined : asText(error)),
  read: (value) => (typeof value === 'string' ? { error: value } : undefined),
};

const ERROR: Field = {
  ...named('error'),
  write: ({ error }) => (error === undefined || isObject(error) ? error : { message: asText(error), name: 'Error' }),
  read: (value) => (isObject(value) ? { error: value } : undefined),
};

/** The agent says that it was sent back, and not how often; this key has one spelling only. */
const SENT_BACK: Field = {
  camel: 'stop_hook_active',
  snake: 'stop_hook_active',
  write: ({ continuations }) => typeof continuations === 'number' && continuations > 0,
  read: (value) => (typeof value === 'boolean' ? { continuations: value ? 1 : 0 } : undefined),
};

const RESPONSE: Field = {
  camel: 'response',
  snake: 'last_assistant_message',
  write: ({ result }) => (result === undefined ? undefined : asText(result)),
  read: (value) => (typeof value === 'string' ? { result: value } : undefined),
};

const TYPE: Field = { ...text('notification_type', 'type'), snake: 'notification_type' };

export const FIELDS: Readonly<Record<CamelName, readonly Field[]>> = {
  sessionStart: [text('source', 'source')],
  sessionEnd: [text('reason', 'reason')],
  userPromptSubmitted: [text('prompt', 'prompt')],
  userPromptTransformed: [text('transformedPrompt', 'prompt')],
  preToolUse: [TOOL, input('toolArgs')],
  postToolUse: [TOOL, input('toolArgs'), RESULT],
  postToolUseFailure: [TOOL, input('toolArgs'), ERROR_TEXT],
  permissionRequest: [TOOL, input('toolInput')],
  errorOccurred: [ERROR, text('errorContext', 'reason')],
  agentStop: [text('stopReason', 'reason'), SENT_BACK],
  subagentStart: [text('agentId', 'id'), text('agentType', 'type'), text('agentName', 'name')],
  subagentStop: [text('agentId', 'id'), text('agentType', 'type'), text('agentName', 'name'), RESPONSE],
  preCompact: [text('trigger', 'reason')],
  notification: [text('message', 'message'), TYPE],
};

/** A tool's result as the agent has it: `{resultType, textResultForLlm}`. */
export function resultOf(result: Json): JsonObject {
  if (isObject(result) && (Object.hasOwn(result, 'textResultForLlm') || Object.hasOwn(result, 'text_result_for_llm'))) return result;
  return { resultType: 'success', textResultForLlm: asText(result) };
}

/** The keys of a result in one spelling or the other. */
export function recased(result: JsonObject, snake: boolean): JsonObject {
  const respell = (key: string): string => (snake ? snakeCase(key) : key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [respell(key), value]));
}

function text(camel: string, key: string): Field {
  return {
    ...named(camel),
    write: (data) => data[key],
    read: (value) => (typeof value === 'string' ? { [key]: value } : undefined),
  };
}

function named(camel: string): Pick<Field, 'camel' | 'snake'> {
  return { camel, snake: snakeCase(camel) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function asText(value: Json): string {
  return textOf(value) ?? JSON.stringify(value);
}
