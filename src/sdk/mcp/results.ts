/** Results of tools over MCP: how hooks see them, and the results that stand for a call that did not run. */
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import type { Held } from '../kit/gate.ts';
import { heldText } from '../kit/texts.ts';

/** The key in `_meta` of a result whose call waits for a person. Its value is the id of the ticket. */
export const TICKET_KEY = 'hookline/ticket';

/** A result of `tools/call`, as far as it is used here. */
export interface ToolResult {
  readonly content?: readonly JsonObject[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
  readonly [key: string]: unknown;
}

export function refusedResult(text: string): ToolResult {
  return { content: [textPart(text)], isError: true };
}

/** It says how a person approves the call. Nothing that the client answers is an approval. */
export function heldResult({ ticket, reason }: Held): ToolResult {
  const how = `A person approves it with \`hookline approvals approve ${ticket.id}\`. Then make the same call again.`;
  return { content: [textPart(`${heldText(ticket.id, reason)}\n\n${how}`)], isError: true, _meta: { [TICKET_KEY]: ticket.id } };
}

/** Whether the server asks the client something instead of a result. The call is made again with the answers, and judged again. */
export function isQuestion(result: unknown): boolean {
  return isObject(result) && result['resultType'] === 'input_required';
}

/** The text of a result that has nothing else, or the whole result. */
export function shownOf(result: unknown): unknown {
  if (!isObject(result) || result['structuredContent'] !== undefined || result['isError'] === true) return result;
  const { content } = result;
  if (!Array.isArray(content) || content.length === 0) return result;
  const texts = content.flatMap((part) => (isObject(part) && part['type'] === 'text' ? [String(part['text'])] : []));
  return texts.length === content.length ? texts.join('\n') : result;
}

/**
 * The result with a value of a hook in place of everything in it: a whole result, the structured content of a result that has some, or a text. A
 * text in place of structured content is an error result, because the schema of the tool would refuse it.
 */
export function replacedResult(original: unknown, value: unknown): ToolResult {
  if (isObject(value) && Array.isArray(value['content'])) return value as ToolResult;
  const isStructured = isObject(original) && original['structuredContent'] !== undefined;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (isStructured && isObject(value)) return { content: [textPart(text)], structuredContent: value };
  const isError = isStructured || (isObject(original) && original['isError'] === true);
  return { content: [textPart(text)], ...(isError && { isError }) };
}

/** The result with texts for the model after its own content. */
export function withTexts(result: unknown, texts: readonly string[]): unknown {
  if (texts.length === 0 || !isObject(result)) return result;
  const own = Array.isArray(result['content']) ? result['content'] : [];
  return { ...result, content: [...own, ...texts.map(textPart)] };
}

function textPart(text: string): { readonly [key: string]: Json } {
  return { type: 'text', text };
}
