/** Generated content, as the core of Gemini CLI asks for it. */
import type { ModelWire } from './turn.ts';

export const gemini: ModelWire = {
  path: /:streamGenerateContent(\?|$)/,
  isWork: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  stream(turn, id) {
    const part = 'say' in turn ? { text: turn.say } : { functionCall: { id: `call_${id}`, name: turn.call, args: turn.input } };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return [{ data: { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }], usageMetadata } }];
  },
};
