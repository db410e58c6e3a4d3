/** Handler types registered for every engine of this process; those given to one engine win. */
import type { CustomHandler } from './options.ts';

const registered = new Map<string, CustomHandler>();

/** Makes a handler type known to every engine created from now on. Returns the undo. */
export function registerHandler(type: string, handler: CustomHandler): () => void {
  registered.set(type, handler);
  return () => {
    if (registered.get(type) === handler) registered.delete(type);
  };
}

export function globalHandlers(): ReadonlyMap<string, CustomHandler> {
  return registered;
}
