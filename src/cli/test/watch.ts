/** `hookline test --watch`: runs the tests again after each change, until `q` or a signal. */
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { watchSources } from '../../load/find/watch.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { write } from '../output.ts';

/** @param runAll runs everything, prints the results and returns the exit code */
export async function watchTests(root: string, runAll: () => Promise<number>): Promise<CommandResult> {
  let isStale = true;
  let wake = (): void => {};
  let isOver = false;
  const end = (): void => {
    isOver = true;
    wake();
  };
  const watching = await watchSources([root], () => {
    isStale = true;
    wake();
  });
  const keys = listen(end);
  // Neither the watcher nor a stdin that has ended keeps the process alive.
  const alive = setInterval(() => {}, LONGEST_TIMER_MS);
  let exit: number = EXIT.ok;
  try {
    while (!isOver) {
      if (isStale) {
        isStale = false;
        exit = await runAll();
        keys.attend();
        if (!isOver) await write(1, 'Waiting for a change. `q` ends it.\n');
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isStale || isOver) resolve();
      });
    }
    return { exit };
  } finally {
    clearInterval(alive);
    keys.close();
    await watching.close();
  }
}

const [INTERRUPT, END] = ['\u0003', '\u0004'];

interface Keys {
  /** Reads keys one by one. A question leaves the terminal in its usual mode and stdin paused, so this is done again after each run. */
  attend(): void;
  close(): void;
}

/** Keys are read one by one at a terminal. Elsewhere the end of stdin says nothing, because a tool may give none. */
function listen(end: () => void): Keys {
  const { stdin } = process;
  const onKeys = (keys: Buffer): void => {
    if ([...String(keys)].some((key) => key === 'q' || key === INTERRUPT || key === END)) end();
  };
  const attend = (): void => {
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.resume();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  stdin.on('data', onKeys);
  attend();
  return {
    attend,
    close() {
      for (const signal of SIGNALS) process.off(signal, end);
      stdin.off('data', onKeys);
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
