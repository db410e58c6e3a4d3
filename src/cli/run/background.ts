/** Collects the background hooks of a command while it fires, and hands them to a supervisor once the answer is written. */
import type { HooklineOptions } from '../../api/options.ts';
import type { Call, Handler } from '../../core/contracts/handler.ts';
import type { Environment } from '../../core/values/environment.ts';
import type { Background } from '../../engine/ports.ts';

/** A call in the form that crosses to the supervisor. Everything except the signal is data. */
export type DetachedCall = Omit<Call, 'signal'>;

/** The engine that fired the event, so that the supervisor can write to the same log. */
export interface FiredBy {
  readonly options: HooklineOptions;
  /** The variables that lead to the user's folders, if they are not those of the process. */
  readonly folders?: Environment;
}

/** The input of the supervisor. */
export interface SupervisedWork extends FiredBy {
  readonly calls: readonly DetachedCall[];
}

export interface Detached {
  readonly background: Background;
  handOver(by: FiredBy): Promise<void>;
}

export function collectDetached(): Detached {
  const calls: DetachedCall[] = [];
  return {
    background: {
      start({ signal: _, ...call }: Call, _handler: Handler) {
        calls.push(call);
      },
      drain: async () => [],
    },
    async handOver(by) {
      if (calls.length === 0) return;
      const { startSupervisor } = await import('./start-supervisor.ts');
      startSupervisor({ ...by, calls });
    },
  };
}
