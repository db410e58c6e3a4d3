/** The terminal of a run: what is printed, what a person types, and how a turn is interrupted. */
import { createInterface, type Interface } from 'node:readline';
import { write } from '../output.ts';
import { fitted } from '../print/style.ts';

export interface Console {
  out(text: string): void;
  err(text: string): void;
  /** Returns the next line that a person types, or typed meanwhile; undefined if the person leaves. */
  prompt(text: string): Promise<string | undefined>;
  /** Returns the line that a person types from now on: what was typed before is no answer. */
  question(text: string): Promise<string | undefined>;
  /** Runs work that Ctrl-C aborts. A second Ctrl-C ends the process. */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Reads nothing more, and resolves when everything is printed. */
  close(): Promise<void>;
}

export function openConsole(): Console {
  // Both streams may be one terminal, so what is printed keeps its order.
  let last: Promise<unknown> = Promise.resolve();
  const print = (to: 1 | 2, text: string): void => {
    if (text !== '') last = last.then(() => write(to, text));
  };
  let interrupt: (() => void) | undefined;
  const typed = typedLines(() => interrupt?.());
  return {
    out: (text) => print(1, text),
    err: (text) => print(2, fitted(text)),
    async prompt(text) {
      await last;
      return typed.next(text);
    },
    async question(text) {
      await last;
      typed.forget();
      return typed.next(text);
    },
    async interruptible(work) {
      const turn = new AbortController();
      interrupt = () => {
        if (turn.signal.aborted) process.exit(INTERRUPTED);
        turn.abort(new Error('Interrupted.'));
      };
      process.on('SIGINT', interrupt);
      try {
        return await work(turn.signal);
      } finally {
        process.off('SIGINT', interrupt);
        interrupt = undefined;
      }
    },
    async close() {
      typed.close();
      await last;
    },
  };
}

/** The code with which a shell reports an interrupted command. */
const INTERRUPTED = 130;

interface TypedLines {
  next(text: string): Promise<string | undefined>;
  forget(): void;
  close(): void;
}

/** @param interrupt is called for Ctrl-C while no line is asked for; while one is, the person leaves */
function typedLines(interrupt: () => void): TypedLines {
  let reader: Interface | undefined;
  let isClosed = false;
  let waiting: ((line: string | undefined) => void) | undefined;
  let early: string[] = [];
  const hand = (line: string | undefined): void => {
    const receive = waiting;
    waiting = undefined;
    if (receive) receive(line);
    else if (line !== undefined) early.push(line);
  };
  const open = (): Interface => {
    const opened = createInterface({ input: process.stdin, output: process.stdout });
    opened.on('line', hand);
    opened.on('SIGINT', () => (waiting ? opened.close() : interrupt()));
    opened.once('close', () => {
      isClosed = true;
      hand(undefined);
    });
    return opened;
  };
  return {
    async next(text) {
      if (isClosed) return undefined;
      reader ??= open();
      reader.setPrompt(text);
      reader.prompt();
      const known = early.shift();
      return known ?? new Promise((resolve) => (waiting = resolve));
    },
    forget() {
      early = [];
    },
    close: () => reader?.close(),
  };
}
