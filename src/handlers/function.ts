/**
 * Hooks that are functions of this process. A function that answers at once is answered for at once, with no promise between. One that does not
 * answer in time is a fault like one that throws: the program that registered it relies on it.
 */

import type { Handler } from '../core/contracts/handler.ts';
import type { Hook, RunContext } from '../core/contracts/hook.ts';
import { fault } from '../core/decision/reply.ts';
import { HooklineError } from '../core/values/errors.ts';
import { freezeOwn } from '../core/values/frozen.ts';
import type { JsonObject } from '../core/values/json.ts';
import { awaited, cancelled, isThenable, threw } from './kit/deadline.ts';
import { unknownType } from './kit/describe.ts';

/** The second argument of a function hook. Its signal is created on first use, because most hooks never use it. */
export class FunctionContext implements RunContext {
  readonly hook: Hook;
  readonly cwd: string;
  /** Why it was aborted before the signal was used. One field, because this object is made for every function that is asked. */
  #state: AbortController | Error | undefined;

  constructor(hook: Hook, cwd: string) {
    this.hook = hook;
    this.cwd = cwd;
  }

  get signal(): AbortSignal {
    if (this.#state instanceof AbortController) return this.#state.signal;
    const controller = new AbortController();
    if (this.#state !== undefined) controller.abort(this.#state);
    this.#state = controller;
    return controller.signal;
  }

  /** Aborts the signal, now or when it is first used: the answer is no longer needed. */
  abort(reason: Error): void {
    if (this.#state instanceof AbortController) this.#state.abort(reason);
    else this.#state = reason;
  }
}

/** The function of a handler type: it is given the hook's configuration and the event. */
export type HandlerFunction = (config: JsonObject, context: JsonObject) => unknown;

/** The same as an object, or as a class with a static `execute`. */
export interface HandlerObject {
  execute(config: JsonObject, context: JsonObject): unknown;
}

/** @throws HooklineError `bad-option` if it is neither a function nor an object with `execute` */
export function checkHandler(type: string, handler: HandlerFunction | HandlerObject): void {
  if (typeof handler === 'function' || isHandlerObject(handler)) return;
  throw new HooklineError('bad-option', `The handler of type \`${type}\` must be a function or an object with \`execute\`.`);
}

function isHandlerObject(handler: HandlerFunction | HandlerObject): handler is HandlerObject {
  return handler !== null && handler !== undefined && 'execute' in handler && typeof handler.execute === 'function';
}

/** A handler type of the user's own. */
export function customHandler(type: string, given: HandlerFunction | HandlerObject): Handler {
  const fn: HandlerFunction = isHandlerObject(given) ? (config, context) => given.execute(config, context) : given;
  return {
    type,
    inFiles: false,
    describe: () => ({ does: 'ask', why: unknownType(type) }),
    handle(call) {
      if (call.signal?.aborted) return cancelled();
      try {
        return awaited(fn(call.hook.handler.config, freezeOwn(call.payload)), call, dropLateAnswer, 'threw');
      } catch (error) {
        return threw(error);
      }
    },
  };
}

/** The function takes no signal: a late answer is dropped. */
function dropLateAnswer(): void {}

export const functionHandler: Handler = {
  type: 'function',
  inFiles: false,
  describe: () => ({ does: 'call', why: 'It is code of the program that registered it.' }),
  handle(call) {
    const { hook } = call;
    if (hook.run === undefined) return fault('unavailable', `hook '${hook.name}' has no function to call`);
    if (call.signal?.aborted) return cancelled();
    const context = new FunctionContext(hook, call.cwd);
    try {
      // A payload that is the event itself is frozen, and most functions get that.
      const isEvent = Object.is(call.payload, call.event);
      const answer = hook.run(isEvent ? call.payload : freezeOwn(call.payload), context);
      // Without what only a promise needs, because most functions return none.
      if (!isThenable(answer)) return { kind: 'value', value: answer };
      return awaited(answer, call, (why) => context.abort(new Error(why.detail)), 'threw');
    } catch (error) {
      return threw(error);
    }
  },
};
