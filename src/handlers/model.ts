/**
 * Hooks that a language model answers: `prompt` asks one question, `agent` lets a named agent look into it. The user provides the model and
 * its connection. Without a model, or without the ability, the hook cannot be served and is fault `unavailable`.
 */
import type { Call, Handler } from '../core/contracts/handler.ts';
import { type Fault, fault, type Reply } from '../core/decision/reply.ts';
import { freezeOwn } from '../core/values/frozen.ts';
import { type JsonObject, serialise, textOf } from '../core/values/json.ts';
import { awaited, cancelled, threw } from './kit/deadline.ts';

export interface Question {
  /** The question of the hook's author; empty if the hook has no text of its own. */
  readonly prompt: string;
  /** The event, in the format of the hook's dialect. */
  readonly payload: JsonObject;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** A model, as hooks need it. Its result is read as the hook's dialect reads a hook's JSON reply: an object, or its text. */
export interface Model {
  /** Judges the event by the prompt alone. */
  judge(question: Question): Promise<unknown>;
  /** Lets the named agent verify the event, with whatever tools it has. */
  verify?(question: Question & { readonly agent: string }): Promise<unknown>;
}

export function modelHandlers(model?: Model): Handler[] {
  return [promptHandler(model), agentHandler(model)];
}

function promptHandler(model: Model | undefined): Handler {
  return {
    type: 'prompt',
    inFiles: false,
    describe: () => ({ does: 'ask', why: "The model's answer is known only when it is asked." }),
    handle(call) {
      if (model === undefined) return fault('unavailable', NO_MODEL);
      return put(call, (question) => model.judge(question));
    },
  };
}

function agentHandler(model: Model | undefined): Handler {
  return {
    type: 'agent',
    inFiles: false,
    describe: () => ({ does: 'ask', why: "The agent's answer is known only when it is asked." }),
    handle(call) {
      if (model === undefined) return fault('unavailable', NO_MODEL);
      if (model.verify === undefined) return fault('unavailable', NO_AGENTS);
      const agent = textOf(call.hook.handler.config['agent']);
      if (agent === undefined) return fault('unavailable', `hook '${call.hook.name}' does not name an agent`);
      return put(call, (question) => model.verify?.({ ...question, agent }));
    },
  };
}

const NO_MODEL = 'No model has been configured; give createHookline a `model`.';
const NO_AGENTS = 'The configured model has no agents; give createHookline a `model` with `verify`.';

/** The hook's text, with the payload in place of its mark, if the format has one. */
function promptOf({ hook, payload }: Call): string {
  const prompt = textOf(hook.handler.config['prompt']) ?? '';
  const mark = textOf(hook.handler.config['arguments']);
  return mark === undefined || mark === '' ? prompt : prompt.replaceAll(mark, () => serialise(payload));
}

function put(call: Call, ask: (question: Question) => unknown): Promise<Reply | Fault> | Reply | Fault {
  if (call.signal?.aborted) return cancelled();
  const controller = new AbortController();
  const question = { prompt: promptOf(call), payload: freezeOwn(call.payload), signal: controller.signal };
  try {
    return awaited(ask(question), call, (why) => controller.abort(new Error(why.detail)));
  } catch (error) {
    return threw(error);
  }
}
