/** The Messages API, as Claude Code speaks it. */
import type { ModelWire, StreamEvent, Turn } from './turn.ts';

export const anthropic: ModelWire = {
  path: /^\/v1\/messages(\?|$)/,
  isWork: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  stream(turn, id) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'mock',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    const events = [{ type: 'message_start', message }, ...blockOf(turn, id), { type: 'content_block_stop', index: 0 }];
    const delta = { stop_reason: 'call' in turn ? 'tool_use' : 'end_turn', stop_sequence: null };
    return [...events, { type: 'message_delta', delta, usage }, { type: 'message_stop' }].map(named);
  },
};

function blockOf(turn: Turn, id: string): { type: string }[] {
  const start = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block });
  const delta = (part: object) => ({ type: 'content_block_delta', index: 0, delta: part });
  return 'call' in turn
    ? [
        start({ type: 'tool_use', id: `toolu_${id}`, name: turn.call, input: {} }),
        delta({ type: 'input_json_delta', partial_json: JSON.stringify(turn.input) }),
      ]
    : [start({ type: 'text', text: '' }), delta({ type: 'text_delta', text: turn.say })];
}

function named(data: { type: string }): StreamEvent {
  return { event: data.type, data };
}
