/** Handler types that are registered for every engine of this process. A type that is given to one engine wins. */
import { checkHandler } from '../handlers/function.ts';
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

export function globalHandlers(): ReadonlyMap<string, CustomHandler> {
  return registered;
}
