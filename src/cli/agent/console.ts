/** The terminal of a run: what is printed, what a person types, and how a turn is interrupted. */
import { createInterface } from 'node:readline';
import { write } from '../output.ts';

export interface Console {
  out(text: string): void;
  err(text: string): void;
  /** Returns the line that a person types; undefined if the person leaves. */
  question(text: string): Promise<string | undefined>;
  /** Runs work that Ctrl-C aborts. A second Ctrl-C ends the process. */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Resolves when everything is printed. */
  flushed(): Promise<void>;
}

export function openConsole(): Console {
  // Both streams may be one terminal, so what is printed keeps its order.
  let last: Promise<unknown> = Promise.resolve();
  const print = (to: 1 | 2, text: string): void => {
    if (text !== '') last = last.then(() => write(to, text));
  };
  return {
    out: (text) => print(1, text),
    err: (text) => print(2, text),
    async question(text) {
      await last;
      return readAnswer(text);
    },
    async interruptible(work) {
      const turn = new AbortController();
      const interrupt = (): void => {
        if (turn.signal.aborted) process.exit(INTERRUPTED);
        turn.abort(new Error('Interrupted.'));
      };
      process.on('SIGINT', interrupt);
      try {
        return await work(turn.signal);
      } finally {
        process.off('SIGINT', interrupt);
      }
    },
    flushed: async () => void (await last),
  };
}

/** The code with which a shell reports an interrupted command. */
const INTERRUPTED = 130;

/** One reader for each question, so that no line that was typed meanwhile is taken for an answer. */
function readAnswer(text: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise<string | undefined>((resolve) => {
    lines.once('close', () => resolve(undefined));
    lines.once('SIGINT', () => lines.close());
    lines.question(text, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
