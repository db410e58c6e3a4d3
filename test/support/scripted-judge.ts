/** A language model of the AI SDK (specification 3) that answers from a script, and keeps what it was asked. It needs no network. */
import type { JudgeModel } from '../../src/judges/language-model.ts';

export interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string; readonly output?: { readonly value: string } }[];
}

export interface Asked {
  readonly prompt: readonly Message[];
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly responseFormat?: { readonly type: string; readonly schema?: unknown };
  readonly tools?: readonly { readonly name: string }[];
  readonly abortSignal: AbortSignal;
}

/** The text of an answer, the whole result of a call, or a function that returns one of them. */
export type Step = string | { readonly content: readonly object[]; readonly finishReason?: unknown; readonly usage?: unknown };

export interface ScriptedJudge extends JudgeModel {
  readonly asked: Asked[];
}

export const USAGE = { inputTokens: { total: 100 }, outputTokens: { total: 20 } };

/** After the last step the model repeats it. */
export function scriptedJudge(...steps: readonly (Step | ((asked: Asked) => Step | Promise<Step>))[]): ScriptedJudge {
  const asked: Asked[] = [];
  const model = {
    ...{ specificationVersion: 'v3', provider: 'scripted', modelId: 'one', supportedUrls: {}, asked },
    async doGenerate(options: Asked): Promise<object> {
      asked.push(options);
      const step = steps[Math.min(asked.length, steps.length) - 1] ?? '';
      const given = typeof step === 'function' ? await step(options) : step;
      const result = typeof given === 'string' ? { content: [{ type: 'text', text: given }] } : given;
      return { finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE, warnings: [], ...result };
    },
  };
  return model as unknown as ScriptedJudge;
}

/** A step in which the model uses tools. */
export function calling(...calls: readonly (readonly [tool: string, input: object])[]): Step {
  const content = calls.map(([toolName, input], i) => ({ type: 'tool-call', toolCallId: `c${i}`, toolName, input: JSON.stringify(input) }));
  return { content, finishReason: { unified: 'tool-calls', raw: 'tool_use' } };
}

/** Returns all that the model was shown, in order. */
export function textOf({ prompt }: Asked): string {
  return prompt
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map((part) => part.text ?? part.output?.value ?? '')))
    .join('\n');
}

/** Returns the parts of what the model was shown that stand outside the fence, which the system message names. */
export function outsideFence(asked: Asked): string {
  const [tag] = /event-[0-9a-f]{32}/.exec(String(asked.prompt[0]?.content)) ?? [];
  if (tag === undefined) throw new Error('the system message names no fence');
  const rest = asked.prompt
    .slice(1)
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map((part) => part.text ?? part.output?.value ?? '')));
  return rest.map((text) => text.replace(new RegExp(`<${tag}>[\\s\\S]*?</${tag}>`, 'g'), '')).join('\n');
}
