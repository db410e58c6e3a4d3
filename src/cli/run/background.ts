/** Collects the background hooks of a command while it fires, and hands them to a supervisor once the answer is written. */
import type { Call, Handler } from '../../core/contracts/handler.ts';
import type { Background } from '../../engine/ports.ts';

/** A call in the form that crosses to the supervisor. Everything except the signal is data. */
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
