/** Language models in the format of the AI SDK behind the hooks: one value for every call of a model, in the form of the AI SDK's middleware. */
import type { Hookline } from '../../api/hookline.ts';
import type { Json } from '../../core/values/json.ts';
import type { CallContext, Refused } from './gate.ts';
import { createModelGate, type ModelCall, type Permitted, type ReviewedAnswer } from './model-gate.ts';
import { type AnswerForm, type Part, partsOfAnswer, refusalParts, shownAnswer, streamOf, withoutAnswer, withText } from './model-parts.ts';

/** The parameters of a call, as far as they are used here. */
export interface Params {
  readonly prompt: readonly unknown[];
  readonly tools?: readonly unknown[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

export interface Model {
  readonly modelId: string;
}

export interface Generated {
  readonly content: readonly unknown[];
}

export interface Streamed {
  readonly stream: ReadableStream<unknown>;
}

export interface ModelHooks {
  transformParams<P extends Params>(options: { readonly params: P; readonly model: Model }): Promise<P>;
  wrapGenerate<R extends Generated>(options: { doGenerate(): PromiseLike<R>; readonly params: Params; readonly model: Model }): Promise<R>;
  wrapStream<R extends Streamed>(options: { doStream(): PromiseLike<R>; readonly params: Params; readonly model: Model }): Promise<R>;
}

/** How one SDK calls models. */
export interface ModelSeam {
  /** Returns the caller of a model call. */
  contextOf(): CallContext;
  /** Ends the run: throws, or returns the text with which it ends. */
  end(halt: string): string;
  readonly form: AnswerForm;
}

type Verdict = Permitted | Refused;

export function modelHooks(hookline: Hookline, { contextOf, end, form }: ModelSeam): ModelHooks {
  const gate = createModelGate(hookline);
  /** By the prompt, which is the same object in every retry of a call: the hooks are asked once for all of them. */
  const asked = new WeakMap<object, Promise<Verdict>>();
  const decided = new WeakMap<object, { readonly verdict: Verdict; readonly call: ModelCall }>();
  const callerOf = ({ abortSignal }: Params): CallContext => {
    const context = contextOf();
    return { ...context, signal: abortSignal ?? context.signal };
  };
  const decide = async <P extends Params>(params: P, model: Model): Promise<P> => {
    const call = callOf(params, model);
    const known = asked.get(params.prompt) ?? gate.before(call, callerOf(params));
    asked.set(params.prompt, known);
    const verdict = await known;
    const used =
      verdict.kind === 'call' && verdict.context.length > 0
        ? { ...params, prompt: withSystem(params.prompt, verdict.context) }
        : { ...params };
    decided.set(used, { verdict, call });
    return used;
  };
  /** Returns the verdict of `transformParams`. Another middleware may have copied the parameters since; they are then asked about here. */
  const verdictOf = async (params: Params, model: Model): Promise<{ call: ModelCall; refusal?: ReturnType<typeof refusalParts> }> => {
    const found = decided.get(params) ?? decided.get(await decide(params, model));
    const { verdict, call } = found as { verdict: Verdict; call: ModelCall };
    if (verdict.kind === 'call') return { call };
    return { call, refusal: refusalParts(verdict.halt === undefined ? verdict.text : end(verdict.halt), form) };
  };
  const review = async (call: ModelCall, parts: readonly Part[], params: Params): Promise<ReviewedAnswer> => {
    const reviewed = await gate.after(call, shownAnswer(parts), callerOf(params));
    return reviewed.halt === undefined ? reviewed : { kind: 'withheld', text: end(reviewed.halt) };
  };
  return {
    transformParams: ({ params, model }) => decide(params, model),
    async wrapGenerate<R extends Generated>({ doGenerate, params, model }: { doGenerate(): PromiseLike<R>; params: Params; model: Model }) {
      const { call, refusal } = await verdictOf(params, model);
      if (refusal) return refusal as unknown as R;
      const answer = await doGenerate();
      const { kind, text = '' } = await review(call, answer.content as readonly Part[], params);
      if (kind === 'unchanged') return answer;
      return { ...withoutAnswer(answer), content: withText(answer.content as readonly Part[], text, kind, form) } as unknown as R;
    },
    async wrapStream<R extends Streamed>({ doStream, params, model }: { doStream(): PromiseLike<R>; params: Params; model: Model }) {
      const { call, refusal } = await verdictOf(params, model);
      if (refusal) return { stream: streamOf(refusal) } as unknown as R;
      const isHeldBack = await gate.mayChange(call, callerOf(params));
      const answer = await doStream();
      const stream = (answer.stream as ReadableStream<Part>).pipeThrough(
        isHeldBack ? holdBack(form, (parts) => review(call, parts, params)) : tee((parts) => review(call, parts, params)),
      );
      return { ...(isHeldBack ? withoutAnswer(answer) : answer), stream } as R;
    },
  };
}

/** Lets nothing out before the answer is complete and the hooks have seen it. */
function holdBack(form: AnswerForm, review: (parts: readonly Part[]) => Promise<ReviewedAnswer>): TransformStream<Part, Part> {
  const parts: Part[] = [];
  return new TransformStream({
    transform: (part) => void parts.push(part),
    async flush(controller) {
      const { kind, text = '' } = await review(partsOfAnswer(parts));
      for (const part of kind === 'unchanged' ? parts : withText(parts, text, kind, form)) controller.enqueue(part);
    },
  });
}

/** No hook was there to change the answer when the call began, so it streams, and the hooks of the end only learn of it. */
function tee(review: (parts: readonly Part[]) => Promise<ReviewedAnswer>): TransformStream<Part, Part> {
  const parts: Part[] = [];
  return new TransformStream({
    transform(part, controller) {
      parts.push(part);
      controller.enqueue(part);
    },
    async flush() {
      const { kind } = await review(partsOfAnswer(parts));
      if (kind !== 'unchanged') throw new Error('A hook changed an answer that had been streamed, because it was added during the call.');
    },
  });
}

function callOf({ prompt, tools }: Params, { modelId }: Model): ModelCall {
  return { model: modelId, messageCount: prompt.length, toolCount: tools?.length ?? 0, input: shown(prompt) };
}

/** Returns the messages as JSON. Of a file only its size is shown. */
function shown(prompt: readonly unknown[]): Json {
  return JSON.parse(JSON.stringify(prompt, (_, value) => (value instanceof Uint8Array ? `(${value.byteLength} bytes)` : value))) as Json;
}

/** Adds texts to the system message, because some providers accept none later in the prompt. */
function withSystem(prompt: readonly unknown[], texts: readonly string[]): readonly unknown[] {
  const [first, ...rest] = prompt as readonly { readonly role?: string; readonly content?: unknown }[];
  if (first?.role !== 'system') return [{ role: 'system', content: texts.join('\n\n') }, ...prompt];
  return [{ ...first, content: [first.content, ...texts].join('\n\n') }, ...rest];
}
