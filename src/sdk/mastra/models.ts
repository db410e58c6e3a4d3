/** Models of Mastra's agents behind the hooks. `doGenerate` of such a model returns a stream too. */
import type { Hookline } from '../../api/hookline.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { CallContext } from '../kit/gate.ts';
import { modelHooks, type Params, type Streamed } from '../kit/language-model.ts';
import { type AnswerForm, refusalParts, streamOf } from '../kit/model-parts.ts';
import { mustHaveAsked } from './canary.ts';
import type { Halts } from './halts.ts';

/** A model of any version of Mastra, as far as it is used here. */
interface AnyModel {
  readonly specificationVersion?: string;
  readonly modelId: string;
  doGenerate(params: Params): PromiseLike<Streamed>;
  doStream(params: Params): PromiseLike<Streamed>;
}

const KNOWN: readonly (string | undefined)[] = ['v2', 'v3', 'v4'] satisfies AnswerForm['specification'][];

/** The engine of each guarded model, because Mastra resolves a model that it has resolved again. */
const guarded = new WeakMap<object, Hookline>();

/** Returns a model that asks `llm.before` and `llm.after`. Throws if the model cannot be guarded. */
export function guardModel<M extends object>(model: M, hookline: Hookline, halts: Halts, contextOf: () => CallContext): M {
  if (guarded.get(model) === hookline) return model;
  const own = model as unknown as AnyModel;
  if (!KNOWN.includes(own.specificationVersion))
    throw new HooklineError('bad-option', `The model ${own.modelId} of the specification ${own.specificationVersion} cannot be guarded.`, {
      hint: 'Use a model of AI SDK 5 or later, or its name.',
    });
  // Older versions call the model again after an answer that a filter ended.
  const form: AnswerForm = { specification: own.specificationVersion as AnswerForm['specification'], finish: 'stop' };
  const hooks = modelHooks(hookline, { contextOf, form, end: (halt) => halt });
  const called = async (given: Params, call: (params: Params) => PromiseLike<Streamed>): Promise<Streamed> => {
    if (given.tools?.length) mustHaveAsked('convertTools');
    const halt = halts.reasonIn(given.prompt);
    if (halt !== undefined) return { stream: streamOf(refusalParts(halt, form)) };
    const params = await hooks.transformParams({ params: given, model: own });
    return hooks.wrapStream({ doStream: () => call(params), params, model: own });
  };
  const parts: Pick<AnyModel, 'doGenerate' | 'doStream'> = {
    doGenerate: (given) => called(given, (params) => own.doGenerate(params)),
    doStream: (given) => called(given, (params) => own.doStream(params)),
  };
  // Mastra asks for the class of a model, and models have private fields, so it stays the same object with other methods.
  const proxy = new Proxy(model, {
    get(target, key) {
      if (Object.hasOwn(parts, key)) return Reflect.get(parts, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  guarded.set(proxy, hookline);
  return proxy;
}
