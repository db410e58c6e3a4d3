/** Results of tools: how hooks see them, and how a message is made of what the hooks left of them. */
import type { Command } from '@langchain/langgraph';
import { ToolMessage } from 'langchain';
import type { Refused, Reviewed, ToolCall } from '../kit/gate.ts';
import { withContext } from '../kit/texts.ts';

/** A tool returns a message, or a command that changes the state of the graph. */
export type ToolResult = ToolMessage | Command;

/** The content of a message; of a command, its update. */
export function shownContent(result: ToolResult): unknown {
  return ToolMessage.isInstance(result) ? result.content : (result.update ?? null);
}

/** @param context texts for the model: those of `tool.before`, then those of `tool.after` */
export function reviewedResult(
  call: ToolCall,
  result: ToolResult,
  { result: left, isReplaced }: Reviewed,
  context: readonly string[],
): ToolResult {
  if (isReplaced) return messageFor(call, textOf(withContext(left, context)));
  if (context.length === 0) return result;
  if (ToolMessage.isInstance(result)) return withTexts(result, context);
  return withTextsInUpdate(call, result, context);
}

/** The message in place of a result. A halt is marked, so that the next model call is not made. */
export function refusalMessage(call: ToolCall, { text, halt }: Pick<Refused, 'text' | 'halt'>): ToolMessage {
  return messageFor(call, text, { status: 'error', ...(halt !== undefined && haltMark(halt)) });
}

/** The message that LangChain itself gives a model for an error of a tool. */
export function errorMessage(call: ToolCall, error: unknown): ToolMessage {
  const isInvalidInput = error instanceof Error && error.name === 'ToolInvocationError';
  return messageFor(call, isInvalidInput ? error.message : `${String(error)}\n Please fix your mistakes.`, { status: 'error' });
}

/** The same result, marked so that the next model call is not made. */
export function haltedMessage(call: ToolCall, result: ToolResult, halt: string): ToolMessage {
  return messageFor(call, ToolMessage.isInstance(result) ? result.content : halt, haltMark(halt));
}

/** Returns why the run was halted, if a result after the last answer of the model says so. */
export function haltIn(messages: readonly { getType(): string }[]): string | undefined {
  const end = messages.findLastIndex((message) => message.getType() === 'ai');
  for (const message of messages.slice(end + 1)) {
    const mark = ToolMessage.isInstance(message) ? message.additional_kwargs['hookline'] : undefined;
    if (typeof mark === 'object' && mark !== null && 'halt' in mark) return String(mark.halt);
  }
  return undefined;
}

const haltMark = (halt: string): object => ({ additional_kwargs: { hookline: { halt } } });

function messageFor({ tool, id }: ToolCall, content: string | readonly object[], more: object = {}): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id ?? '', name: tool, ...more });
}

function withTexts(message: ToolMessage, texts: readonly string[]): ToolMessage {
  const { content } = message;
  const added =
    typeof content === 'string' ? textOf(withContext(content, texts)) : [...content, ...texts.map((text) => ({ type: 'text', text }))];
  return new ToolMessage({ ...message, content: added });
}

/** A command has no text of its own, but its update may have the message for this call. */
function withTextsInUpdate({ id }: ToolCall, command: Command, texts: readonly string[]): Command {
  const { update } = command;
  const messages = (update as { readonly messages?: unknown } | undefined)?.messages;
  if (!Array.isArray(messages)) return command;
  const changed = messages.map((message: unknown) =>
    ToolMessage.isInstance(message) && message.tool_call_id === id ? withTexts(message, texts) : message,
  );
  const copy = Object.assign(Object.create(Object.getPrototypeOf(command) as object) as object, command);
  return Object.assign(copy, { update: { ...(update as object), messages: changed } });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
