/** Answers of a model: how hooks see them, and the messages in place of those that the hooks changed. */
import { AIMessage, type BaseMessage, type ModelRequest, SystemMessage } from 'langchain';
import type { Json } from '../../core/values/json.ts';
import type { ModelCall, ReviewedAnswer } from '../kit/model-gate.ts';

export function modelCallOf({ model, messages, tools }: ModelRequest): ModelCall {
  return { model: nameOf(model), messageCount: messages.length, toolCount: tools.length, input: messages.map(shownMessage) };
}

/** The text of an answer, or its parts if it also calls tools. A structured answer is shown as its value. */
export function shownAnswer(answer: unknown): Json {
  if (!AIMessage.isInstance(answer)) return plain((answer as { readonly structuredResponse?: unknown }).structuredResponse ?? null);
  const calls = (answer.tool_calls ?? []).map(({ name, args }) => ({ type: 'tool-call', toolName: name, input: args }));
  if (calls.length === 0 && isText(answer.content)) return answer.text;
  const said = typeof answer.content === 'string' ? [{ type: 'text', text: answer.content }] : answer.content;
  return plain([...said.filter((part) => !('text' in part) || part.text !== ''), ...calls]);
}

/** The answer with the text that the hooks gave it. Of one that was withheld, the tool calls are removed too. */
export function changedAnswer(answer: unknown, { kind, text = '', halt }: ReviewedAnswer): AIMessage {
  const { id, usage_metadata, tool_calls } = AIMessage.isInstance(answer) ? answer : spoken('');
  const isKept = kind === 'replaced' && halt === undefined;
  return new AIMessage({
    content: halt ?? text,
    ...(id !== undefined && { id }),
    ...(usage_metadata && { usage_metadata }),
    ...(isKept && tool_calls && { tool_calls }),
  });
}

/** An answer without tool calls ends the run. */
export function spoken(text: string): AIMessage {
  return new AIMessage({ content: text });
}

/** Adds texts to the system message, because some providers accept none later in the prompt. */
export function withSystem(request: ModelRequest, texts: readonly string[]): ModelRequest {
  if (texts.length === 0) return request;
  const own = request.systemMessage?.text ?? request.systemPrompt ?? '';
  const content = [own, ...texts].filter((text) => text !== '').join('\n\n');
  return request.systemMessage ? { ...request, systemMessage: new SystemMessage({ content }) } : { ...request, systemPrompt: content };
}

function isText(content: BaseMessage['content']): boolean {
  return typeof content === 'string' || content.every((part) => 'type' in part && part.type === 'text');
}

function shownMessage(message: BaseMessage): Json {
  const { tool_calls, tool_call_id } = message as { readonly tool_calls?: readonly unknown[]; readonly tool_call_id?: string };
  return plain({
    type: message.getType(),
    content: message.content,
    ...(tool_calls && tool_calls.length > 0 && { tool_calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
  });
}

/** Of bytes only the number is shown. */
function plain(value: unknown): Json {
  const text = JSON.stringify(value, (_, one: unknown) => (one instanceof Uint8Array ? `(${one.byteLength} bytes)` : one));
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** Models of LangChain have no common field for their name. */
function nameOf(model: object): string {
  const { model: one, modelName, _defaultConfig } = model as { model?: unknown; modelName?: unknown; _defaultConfig?: { model?: unknown } };
  const name = [one, modelName, _defaultConfig?.model].find((candidate) => typeof candidate === 'string' && candidate !== '');
  return name === undefined ? model.constructor.name : String(name);
}
