/** The Responses API, as Codex speaks it. */
import type { ModelWire, StreamEvent, Turn } from './turn.ts';

export const responses: ModelWire = {
  path: /\/responses$/,
  isWork: ({ tools }) => Array.isArray(tools) && tools.length > 0,
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
  return { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, name: turn.call, arguments: JSON.stringify(turn.input) };
}

function named(data: { type: string }): StreamEvent {
  return { event: data.type, data };
}
