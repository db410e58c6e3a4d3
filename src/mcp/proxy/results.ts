/** Results of tools in the form of MCP: those that Hookline gives in place of a server, and those that a hook has changed. */
import { asSentence } from '../../core/decision/explain.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import type { Held, Reviewed } from '../../sdk/kit/gate.ts';

/** Returns a result that tells the model that its call failed, and why. */
export function failedResult(text: string): JsonObject {
  return { content: [textItem(text)], isError: true };
}

/** A call that waits for a person: the ticket, how a person approves it, and that the same call passes afterwards. */
export function heldResult({ ticket, reason }: Held): JsonObject {
  const how = `A person approves it with \`hookline approvals approve ${ticket.id}\`, in a terminal that no agent has opened.`;
  const then = 'Afterwards the same call, with exactly the same arguments, passes once. Do not work around it.';
  return failedResult(`This call did not run: it waits for a person (ticket ${ticket.id}). Reason: ${asSentence(reason)} ${how} ${then}`);
}

/** Returns the fields of a result that a model reads. Hooks see these. */
export function readableResult({ content, structuredContent, isError }: JsonObject): JsonObject {
  return {
    ...(content !== undefined && { content }),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError !== undefined && { isError }),
  };
}

/** Returns the text of a failed result, for the event about the failure. */
export function errorText({ content }: JsonObject): string {
  const items = Array.isArray(content) ? content : [];
  const texts = items.flatMap((item) => (isObject(item) && typeof item['text'] === 'string' ? [item['text']] : []));
  return texts.join('\n') || 'The tool failed and gave no text.';
}

/**
 * Returns the result after the hooks have seen it. A replacement that is a result itself is used as it is. Any other one is text; the result then
 * counts as failed if the original had structured content, because a client demands that of a result that did not fail.
 */
export function reviewedResult(original: JsonObject, { result, isReplaced, halt }: Reviewed, context: readonly string[]): JsonObject {
  const notes = [...context, ...(halt === undefined ? [] : [`A hook ends this run: ${asSentence(halt)}`])].map(textItem);
  if (!isReplaced) return notes.length === 0 ? original : { ...original, content: [...contentOf(original), ...notes] };
  const { _meta, resultType } = original;
  const kept = { ...(_meta !== undefined && { _meta }), ...(resultType !== undefined && { resultType }) };
  if (isObject(result) && Array.isArray(result['content'])) return { ...kept, ...result, content: [...contentOf(result), ...notes] };
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  const isError = original['structuredContent'] !== undefined || original['isError'] === true;
  return { ...kept, content: [textItem(text), ...notes], ...(isError && { isError }) };
}

function contentOf({ content }: JsonObject): readonly Json[] {
  return Array.isArray(content) ? content : [];
}

function textItem(text: string): JsonObject {
  return { type: 'text', text };
}
