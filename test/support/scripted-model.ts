/** A model that follows a script, for agents under test. It calls no network and keeps every prompt it was given. */
import { MockLanguageModelV3 } from 'ai/test';

export interface ScriptedCall {
  readonly tool: string;
  readonly input: object;
  readonly id?: string;
}

/** A text, calls of tools, both, or an error that the model throws. A function gets the prompt. */
export type Step = string | { readonly text?: string; readonly calls?: readonly ScriptedCall[] } | Error | ((prompt: Prompt) => Step);
export type Prompt = readonly { readonly role: string; readonly content: unknown }[];

export interface ScriptedModel {
  readonly model: MockLanguageModelV3;
  /** Every prompt, as text. */
  readonly prompts: readonly string[];
}

/** After the last step it answers `done`. */
export function scriptedModel(steps: readonly Step[], modelId = 'scripted'): ScriptedModel {
  const prompts: string[] = [];
  let taken = 0;
  const next = (prompt: Prompt): { readonly text?: string; readonly calls?: readonly ScriptedCall[] } => {
    prompts.push(JSON.stringify(prompt));
    let step: Step = steps[taken++] ?? 'done';
    while (typeof step === 'function') step = step(prompt);
    if (step instanceof Error) throw step;
    return typeof step === 'string' ? { text: step } : step;
  };
  const idOf = (call: ScriptedCall, index: number): string => call.id ?? `call-${taken}-${index}`;
  const model = new MockLanguageModelV3({
    modelId,
    doGenerate: async ({ prompt }) => {
      const { text, calls = [] } = next(prompt);
      return {
        content: [
          ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
          ...calls.map((call, index) => ({
            ...{ type: 'tool-call' as const, toolCallId: idOf(call, index), toolName: call.tool, input: JSON.stringify(call.input) },
          })),
        ],
        ...{
          finishReason: { unified: calls.length > 0 ? ('tool-calls' as const) : ('stop' as const), raw: undefined },
          usage,
          warnings: [],
        },
      };
    },
    doStream: async ({ prompt }) => {
      const { text, calls = [] } = next(prompt);
      const words = (text ?? '').split(/(?<= )/);
      const parts = [
        { type: 'stream-start' as const, warnings: [] },
        { type: 'text-start' as const, id: '1' },
        ...words.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
        { type: 'text-end' as const, id: '1' },
        ...calls.map((call, index) => ({
          ...{ type: 'tool-call' as const, toolCallId: idOf(call, index), toolName: call.tool, input: JSON.stringify(call.input) },
        })),
        {
          type: 'finish' as const,
          finishReason: { unified: calls.length > 0 ? ('tool-calls' as const) : ('stop' as const), raw: undefined },
          usage,
        },
      ];
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  });
  return { model, prompts };
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
