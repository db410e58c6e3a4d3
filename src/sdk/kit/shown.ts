/** Inputs and results of tools as hooks see them. Hooks see JSON; the tool and the model get the original value unless a hook changes it. */
import { asJson, isObject, type Json, type JsonObject } from '../../core/values/json.ts';

export interface ShownInput {
  readonly input: JsonObject;
  /** Returns the value that the tool gets for an input that a hook wrote. */
  restore(rewrite: Json): unknown;
}

/** Hooks see an object, so an input of another type is shown as its field `input`. Throws if JSON cannot express it. */
export function shownInput(input: unknown): ShownInput {
  if (input === undefined) return { input: {}, restore: (rewrite) => rewrite };
  const shown = asJson(input);
  if (shown === undefined) throw new TypeError('its input cannot be written as JSON.');
  if (isObject(shown)) return { input: shown, restore: (rewrite) => rewrite };
  return {
    input: { input: shown },
    restore: (rewrite) => (isObject(rewrite) && Object.hasOwn(rewrite, 'input') ? rewrite['input'] : rewrite),
  };
}

/** A tool that returns nothing has the result `null`. Throws if JSON cannot express it. */
export function shownResult(result: unknown): Json {
  if (result === undefined) return null;
  const shown = asJson(result);
  if (shown === undefined) throw new TypeError('its result cannot be written as JSON.');
  return shown;
}
