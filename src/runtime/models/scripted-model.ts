/** A model that follows a script, for tests and tours: no network, no key, and the same answer every time. */
import type { LanguageModel } from './open-model.ts';

/** One answer of the model: text, tool calls or both. A function sees the prompt and returns the answer; one that throws fails the call. */
export type ScriptedStep = string | ScriptedAnswer | ((prompt: readonly ScriptedMessage[]) => string | ScriptedAnswer);

export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
}

export interface ScriptedCall {
  readonly tool: string;
  readonly input?: object;
  /** Default: a name that is unique in the script. */
  readonly id?: string;
}

/** A message as the model receives it. */
export interface ScriptedMessage {
  readonly role: string;
  readonly content: unknown;
}

export interface ScriptedModel extends LanguageModel {
  readonly specificationVersion: 'v3';
  /** The calls so far: what the model was shown. */
  readonly calls: readonly { readonly prompt: readonly ScriptedMessage[]; readonly tools: readonly string[] }[];
}

interface CallOptions {
  readonly prompt: readonly ScriptedMessage[];
  readonly tools?: readonly { readonly name: string }[];
  readonly abortSignal?: AbortSignal;
}

type Content = { readonly type: 'text'; readonly text: string } | ToolCallPart;

interface ToolCallPart {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}

interface Answered {
  readonly content: readonly Content[];
  readonly finishReason: { readonly unified: 'stop' | 'tool-calls'; readonly raw: undefined };
  readonly usage: object;
  readonly warnings: readonly never[];
}

/**
 * Returns a model that answers each call with the next step. It has the specification that `ai` 6 and 7 both take, and it generates and streams.
 * A call after the last step fails, so that a script that is too short is noticed.
 */
export function scriptedModel(steps: readonly ScriptedStep[], options: { readonly id?: string } = {}): ScriptedModel {
  const calls: { prompt: readonly ScriptedMessage[]; tools: readonly string[] }[] = [];
  const answer = ({ prompt, tools = [], abortSignal }: CallOptions): Answered => {
    abortSignal?.throwIfAborted();
    calls.push({ prompt, tools: tools.map(({ name }) => name) });
    const step = steps[calls.length - 1];
    if (step === undefined) throw new Error(`The script of the model has ${steps.length} steps, and this is call ${calls.length}.`);
    return answered(typeof step === 'function' ? step(prompt) : step, calls.length);
  };
  return {
    specificationVersion: 'v3',
    provider: 'hookline',
    modelId: options.id ?? 'scripted',
    supportedUrls: {},
    calls,
    doGenerate: async (call: CallOptions) => answer(call),
    doStream: async (call: CallOptions) => ({ stream: streamOf(answer(call)) }),
  };
}

function answered(step: string | ScriptedAnswer, turn: number): Answered {
  const { text, calls = [] }: ScriptedAnswer = typeof step === 'string' ? { text: step } : step;
  return {
    content: [
      ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ tool, input = {}, id }, i) => ({
        ...{ type: 'tool-call' as const, toolCallId: id ?? `call-${turn}-${i + 1}` },
        ...{ toolName: tool, input: JSON.stringify(input) },
      })),
    ],
    finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  };
}

/** Text arrives word by word, as it does from a real model. */
function streamOf({ content, finishReason, usage, warnings }: Answered): ReadableStream<object> {
  const parts = content.flatMap((part, i): object[] => (part.type === 'text' ? textParts(part.text, `text-${i + 1}`) : callParts(part)));
  return new ReadableStream({
    start(controller) {
      for (const part of [{ type: 'stream-start', warnings }, ...parts, { type: 'finish', finishReason, usage }]) controller.enqueue(part);
      controller.close();
    },
  });
}

function textParts(text: string, id: string): object[] {
  const deltas = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text];
  return [{ type: 'text-start', id }, ...deltas.map((delta) => ({ type: 'text-delta', id, delta })), { type: 'text-end', id }];
}

function callParts(part: ToolCallPart): object[] {
  const { toolCallId: id, toolName, input } = part;
  return [{ type: 'tool-input-start', id, toolName }, { type: 'tool-input-delta', id, delta: input }, { type: 'tool-input-end', id }, part];
}
