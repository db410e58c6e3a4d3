/** Runs detached hooks in this process. They are not awaited, keep their timeout and are drained on close. Hooks that never settle are named. */
import type { Call, Handler } from '../../core/contracts/handler.ts';
import { fault } from '../../core/decision/reply.ts';
import type { Background, Clock, DetachedEnd } from '../ports.ts';

export function createBackground(clock: Clock, onEnd?: (end: DetachedEnd, call: Call) => void): Background {
  const running = new Map<Promise<void>, string>();
  return {
    start(call: Call, handler: Handler) {
      const started = clock.tick();
      const work = Promise.resolve()
        .then(() => handler.handle(call))
        .catch((error: unknown) => fault('threw', String(error)))
        .then((answer) => {
          running.delete(work);
          onEnd?.({ hook: call.hook, answer, ms: clock.tick() - started }, call);
        });
      running.set(work, call.hook.name);
    },
    async drain(deadlineMs) {
      const deadline = clock.tick() + deadlineMs;
      while (running.size > 0) {
        const left = deadline - clock.tick();
        if (left <= 0) return [...running.values()];
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, left);
        });
        await Promise.race([Promise.allSettled([...running.keys()]), late]);
        clearTimeout(timer);
      }
      return [];
    },
  };
}
