/** Detached hooks of a command that ends: collected while it fires, handed to a supervisor once its answer is written. */
import type { Call, Handler } from '../../core/contracts/handler.ts';
import type { Background } from '../../engine/ports.ts';

/** A call as it crosses to the supervisor: all but the signal is data, and the payload says what the event does. */
export type DetachedCall = Omit<Call, 'signal' | 'event'>;

export interface Detached {
  readonly background: Background;
  handOver(): Promise<void>;
}

export function collectDetached(): Detached {
  const calls: DetachedCall[] = [];
  return {
    background: {
      start({ signal: _, event: __, ...call }: Call, _handler: Handler) {
        calls.push(call);
      },
      drain: async () => [],
    },
    async handOver() {
      if (calls.length === 0) return;
      const { startSupervisor } = await import('./start-supervisor.ts');
      startSupervisor(calls);
    },
  };
}
