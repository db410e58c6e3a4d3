/** A handler type of the user's own: a function that is given the hook's configuration and the event. */
import type { Handler } from '../../core/handler.ts';
import type { JsonObject } from '../../core/json.ts';
import { awaited, threw } from '../awaited.ts';
import { cancelled } from '../deadline.ts';

export function customHandler(type: string, fn: (config: JsonObject, context: JsonObject) => unknown): Handler {
  return {
    type,
    handle(call) {
      if (call.signal?.aborted) return cancelled();
      try {
        return awaited(fn(call.hook.handler.config, call.payload), call, nobodyListens);
      } catch (error) {
        return threw(error);
      }
    },
  };
}

/** The function takes no signal: a late answer is dropped. */
function nobodyListens(): void {}
