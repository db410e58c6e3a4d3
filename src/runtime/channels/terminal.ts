/** A channel for one person at a terminal, or for text on a pipe: each line is a message, and answers are printed. */
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Channel, Turn } from '../contract.ts';

export interface TerminalOptions {
  /** The name that hooks see (default: `terminal`). */
  readonly name?: string;
  /** Default: stdin. */
  readonly input?: Readable;
  /** Default: stdout. */
  readonly output?: Writable & { readonly isTTY?: boolean };
  /** Shown before each line if the output is a terminal (default: `> `). */
  readonly prompt?: string;
  /** The session of all messages (default: the agent's main session). */
  readonly session?: string;
  readonly user?: string;
}

export interface TerminalChannel extends Channel {
  /** Resolves when the input has ended, or the channel was stopped, and every message has had its turn. */
  readonly closed: Promise<void>;
}

export function terminalChannel(options: TerminalOptions = {}): TerminalChannel {
  const { name = 'terminal', input = process.stdin, output = process.stdout, prompt = '> ' } = options;
  const origin = {
    ...(options.session !== undefined && { session: options.session }),
    ...(options.user !== undefined && { user: options.user }),
  };
  let lines: Interface | undefined;
  let close: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const running = new Set<Promise<unknown>>();
  const print = (text: string): Promise<void> =>
    new Promise((resolve, reject) => output.write(`${printable(text)}\n`, (error) => (error ? reject(error) : resolve())));
  const ask = (): void => {
    if (output.isTTY && running.size === 0) output.write(prompt);
  };
  return {
    name,
    closed,
    start(onMessage) {
      lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
      lines.on('line', (text) => {
        if (text.trim() === '') return ask();
        const turn = onMessage({ text, ...origin })
          .then((done) => (done.sent ? undefined : print(withoutAnswer(done))))
          // A reader that is gone ends the channel by the end of its input.
          .catch(() => {})
          .finally(() => {
            running.delete(turn);
            ask();
          });
        running.add(turn);
      });
      lines.once('close', () => void Promise.all(running).then(close));
      ask();
    },
    send: ({ text }) => print(text),
    stop() {
      if (lines) lines.close();
      else close();
    },
  };
}

/** Tells a person why there is no answer. */
function withoutAnswer({ status, text, reason, held }: Turn): string {
  const why = reason ?? text;
  if (status === 'parked') return held.map(({ ticket, reason: asked }) => `Waiting for approval: ${asked} (ticket ${ticket})`).join('\n');
  if (status === 'done') return text === '' ? '(no answer)' : text;
  return `(${status}${why === '' ? '' : `: ${why}`})`;
}

/** Removes characters that could move the cursor, hide text or reverse it: a model's text may have come from a stranger's file. */
function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '');
}
