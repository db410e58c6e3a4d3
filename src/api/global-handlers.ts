/** Handler types that are registered for every engine of this process. A type that is given to one engine wins. */
import type { Handler } from '../core/contracts/handler.ts';
import { checkHandler, customHandler } from '../handlers/function.ts';
import type { CustomHandler } from './options.ts';

const registered = new Map<string, CustomHandler>();

/** Registers a handler type for every engine that is created from now on. Returns a function that undoes it. */
export function registerHandler(type: string, handler: CustomHandler): () => void {
  checkHandler(type, handler);
  registered.set(type, handler);
  return () => {
    if (registered.get(type) === handler) registered.delete(type);
  };
}

/** Returns the handlers of one engine by type: the built-in ones, those of this process and its own. A later one wins. */
export function handlersByType(
  builtin: readonly Handler[],
  own: Readonly<Record<string, CustomHandler>> | undefined,
): ReadonlyMap<string, Handler> {
  const handlers = new Map(builtin.map((handler) => [handler.type, handler]));
  for (const [type, handler] of [...registered, ...Object.entries(own ?? {})]) handlers.set(type, customHandler(type, handler));
  return handlers;
}
