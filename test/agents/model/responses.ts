/** The Responses API, as Codex speaks it. */
import type { ModelWire, StreamEvent, Turn } from './turn.ts';

export const responses: ModelWire = {
  path: /\/responses$/,
  // Some models are told of their tools among the input.
  isWork: ({ tools, input }) => isFilled(tools) || (isFilled(input) && input.some((item) => isFilled(item.tools))),
  stream(turn, id) {
    const item = itemOf(turn, id);
    const response = { id: `resp_${id}`, object: 'response', status: 'completed', model: 'mock', output: [item] };
    const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, usage } },
    ].map(named);
  },
};

function itemOf(turn: Turn, id: string): object {
  if ('say' in turn) return { type: 'message', id: `msg_${id}`, role: 'assistant', content: [{ type: 'output_text', text: turn.say }] };
  const rest = { id: `fc_${id}`, call_id: `call_${id}` };
  if (typeof turn.input === 'string') return { ...rest, type: 'custom_tool_call', name: turn.call, input: turn.input };
  // `namespace.name`, where the tools of a server or of a kind are told of together.
  const [name, namespace] = turn.call.split('.').reverse();
  return { ...rest, type: 'function_call', name, ...(namespace !== undefined && { namespace }), arguments: JSON.stringify(turn.input) };
}

function isFilled(value: unknown): value is { tools?: unknown }[] {
  return Array.isArray(value) && value.length > 0;
}

function named(data: { type: string }): StreamEvent {
  return { event: data.type, data };
}
