/** Models of the OpenAI Agents SDK behind the hooks. */
import type { Hookline } from '../../api/hookline.ts';
import { HaltError } from '../kit/errors.ts';
import type { CallContext } from '../kit/gate.ts';
import { createModelGate, type ModelCall, type ModelGate, type ReviewedAnswer } from '../kit/model-gate.ts';
import { eventsOf, plain, type Response, refusal, refusedEvents, type StreamEvent, shownAnswer, withText } from './answers.ts';

/** The caller, or a function that is asked at each model call. */
export type ModelContext = CallContext | (() => CallContext);

/** A model of any version of the SDK, as far as it is used here. */
interface AnyModel {
  getResponse(request: Request): Promise<Response>;
  getStreamedResponse(request: Request): AsyncIterable<StreamEvent>;
}

interface AnyProvider {
  getModel(name?: string): unknown;
}

interface Request {
  readonly systemInstructions?: string;
  readonly input: string | readonly unknown[];
  readonly tools: readonly unknown[];
  readonly signal?: AbortSignal;
}

/** Returns a provider whose models are behind the hooks. */
export function guardModelProvider<P extends object>(provider: P, hookline: Hookline, context: ModelContext): P {
  const own = provider as unknown as AnyProvider;
  const getModel = async (name?: string): Promise<object> =>
    guardModel((await own.getModel(name)) as object, hookline, context, name ?? 'default');
  return withParts(provider, { getModel });
}

/**
 * Returns a model that asks `llm.before` and `llm.after`.
 * @param name the name of the model, as hooks see it
 */
export function guardModel<M extends object>(
  model: M,
  hookline: Hookline,
  context: ModelContext,
  name: string = model.constructor.name,
): M {
  const gate = createModelGate(hookline);
  const own = model as unknown as AnyModel;
  const parts: AnyModel = {
    async getResponse(request) {
      const { call, caller } = callOf(request, name, context);
      const verdict = await gate.before(call, caller);
      if (verdict.kind === 'refuse') {
        if (verdict.halt !== undefined) throw new HaltError(verdict.halt);
        return refusal(verdict.text);
      }
      const answer = await own.getResponse(withInstructions(request, verdict.context));
      const { kind, text = '' } = await review(gate, call, answer, caller);
      return kind === 'unchanged' ? answer : withText(answer, text, kind);
    },
    async *getStreamedResponse(request) {
      const { call, caller } = callOf(request, name, context);
      const verdict = await gate.before(call, caller);
      if (verdict.kind === 'refuse') {
        if (verdict.halt !== undefined) throw new HaltError(verdict.halt);
        yield* refusedEvents(verdict.text);
        return;
      }
      const events = own.getStreamedResponse(withInstructions(request, verdict.context));
      yield* (await gate.mayChange(call, caller))
        ? heldBack(events, (answer) => review(gate, call, answer, caller))
        : live(events, (answer) => review(gate, call, answer, caller));
    },
  };
  return withParts(model, parts);
}

type Review = (answer: Response) => Promise<ReviewedAnswer>;

/** Lets nothing out before the answer is complete and the hooks have seen it. */
async function* heldBack(events: AsyncIterable<StreamEvent>, reviewed: Review): AsyncIterable<StreamEvent> {
  const held: StreamEvent[] = [];
  for await (const event of events) held.push(event);
  const answer = held.find(({ response, type }) => type === 'response_done' && response)?.response;
  if (!answer) throw new Error('The stream of the model has no `response_done`, so the hooks cannot see its answer.');
  const { kind, text = '' } = await reviewed(answer);
  yield* kind === 'unchanged' ? held : eventsOf(text, withText(answer, text, kind));
}

/** No hook was there to change the answer when the call began, so it streams, and the hooks of the end only learn of it. */
async function* live(events: AsyncIterable<StreamEvent>, reviewed: Review): AsyncIterable<StreamEvent> {
  for await (const event of events) {
    if (event.type === 'response_done' && event.response && (await reviewed(event.response)).kind !== 'unchanged')
      throw new Error('A hook changed an answer that had been streamed, because it was added during the call.');
    yield event;
  }
}

async function review(gate: ModelGate, call: ModelCall, { output }: Response, caller: CallContext): Promise<ReviewedAnswer> {
  const reviewed = await gate.after(call, shownAnswer(output), caller);
  if (reviewed.halt !== undefined) throw new HaltError(reviewed.halt);
  return reviewed;
}

function callOf({ input, tools, signal }: Request, model: string, context: ModelContext): { call: ModelCall; caller: CallContext } {
  const caller = typeof context === 'function' ? context() : context;
  const messageCount = typeof input === 'string' ? 1 : input.length;
  return {
    call: { model, messageCount, toolCount: tools.length, input: plain(input) },
    caller: { ...caller, signal: signal ?? caller.signal },
  };
}

function withInstructions(request: Request, texts: readonly string[]): Request {
  if (texts.length === 0) return request;
  return { ...request, systemInstructions: [request.systemInstructions ?? '', ...texts].filter((text) => text !== '').join('\n\n') };
}

/** Returns the same object with other methods. Its own methods are called on the object itself, which may have private fields. */
function withParts<T extends object>(own: T, parts: object): T {
  return new Proxy(own, {
    get(target, key) {
      if (Object.hasOwn(parts, key)) return Reflect.get(parts, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
