/** Shows events to everyone who watches. A listener that throws changes nothing: the others are told of it. */
import type { Registration } from '../api/hookline.ts';
import type { AgentEvent } from './contract.ts';

type Listener = (event: AgentEvent) => void;

export interface Observers {
  emit(event: AgentEvent): void;
  add(listener: Listener): Registration;
}

export function createObservers(first: Listener | undefined): Observers {
  const listeners = new Set<Listener>(first ? [first] : []);
  const emit = (event: AgentEvent): void => {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        // One that fails on the report of its own failure is not told again.
        if (event.type !== 'problem') emit({ type: 'problem', message: `A listener failed: ${String(error)}` });
      }
    }
  };
  return {
    emit,
    add(listener) {
      listeners.add(listener);
      const undo = (): void => void listeners.delete(listener);
      return Object.assign(undo, { [Symbol.dispose]: undo });
    },
  };
}

/** Collects events for a reader that may come later, until it is ended. */
export function createEventStream(): { push(event: AgentEvent): void; end(): void; readonly events: AsyncIterable<AgentEvent> } {
  const waiting: AgentEvent[] = [];
  let isOver = false;
  let wake = (): void => {};
  async function* read(): AsyncGenerator<AgentEvent> {
    for (;;) {
      const next = waiting.shift();
      if (next) yield next;
      else if (isOver) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    push(event) {
      waiting.push(event);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    events: read(),
  };
}
