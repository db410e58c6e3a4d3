import type { Starter } from './run-process.ts';

/**
 * Shares one process that starts hooks among all engines of this process. It ends with the last engine that used it, but not while a hook of
 * one of them still runs. Each call gives a share, which is closed with its engine.
 */
export function shareStarter(create: () => Starter): () => Starter {
  let shared: Starter | undefined;
  let holders = 0;
  return () => {
    let holds = false;
    let closed = false;
    let running = 0;
    const leave = (): void => {
      if (!holds || !closed || running > 0) return;
      holds = false;
      holders--;
      if (holders > 0) return;
      shared?.close();
      shared = undefined;
    };
    return {
      run(spec, patience) {
        if (!holds) holders++;
        holds = true;
        shared ??= create();
        const answer = shared.run(spec, patience);
        running++;
        void Promise.resolve(answer).then(() => {
          running--;
          leave();
        });
        return answer;
      },
      close() {
        closed = true;
        leave();
      },
    };
  };
}
