/** Chat completions, as Qwen Code and Copilot CLI speak them. */
import type { ModelWire, Turn } from './turn.ts';

export const chat: ModelWire = {
  path: /\/chat\/completions$/,
  isWork: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  stream(turn, id) {
    const chunk = (choices: unknown[], more: object = {}) => ({
      data: { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1, model: 'mock', choices, ...more },
    });
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return [
      chunk([{ index: 0, delta: { role: 'assistant', ...deltaOf(turn, id) }, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: 'call' in turn ? 'tool_calls' : 'stop' }], { usage }),
      { data: '[DONE]' },
    ];
  },
};

function deltaOf(turn: Turn, id: string): object {
  if ('say' in turn) return { content: turn.say };
  const call = { name: turn.call, arguments: JSON.stringify(turn.input) };
  return { content: null, tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: call }] };
}
