/**
 * One helper for all engines of a process: they share its size. It goes with the last of them that used it, and not while a hook still runs
 * that one of them started.
 */
import { createHelper, type Helper } from './helped-process.ts';

/** Each call gives a share, which is closed with its engine. */
export function shareHelper(create: () => Helper = createHelper): () => Helper {
  let helper: Helper | undefined;
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
      helper?.close();
      helper = undefined;
    };
    return {
      run(spec, patience) {
        if (!holds) holders++;
        holds = true;
        helper ??= create();
        const answer = helper.run(spec, patience);
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
