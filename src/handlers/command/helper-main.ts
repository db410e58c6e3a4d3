/**
 * A program of its own: starts hooks for a process that is too large to fork quickly. It ends with the process that started it, and ends the
 * hooks that still run.
 */
import { encodeFrame, type FromHelper, frameReader, type ToHelper } from './helper-frames.ts';
import { runProcess } from './run-process.ts';

const running = new Map<number, AbortController>();

const say = (message: FromHelper): void => void process.stdout.write(encodeFrame(message));

const take = (message: ToHelper): void => {
  const { id } = message;
  if ('cancel' in message) {
    running.get(id)?.abort();
    return;
  }
  const caller = new AbortController();
  running.set(id, caller);
  const patience = { timeoutMs: message.timeoutMs, signal: caller.signal };
  void runProcess(message.run, patience, (pid) => say({ id, pid })).then((answer) => {
    running.delete(id);
    say({ id, answer });
  });
};

// The end of stdin is the end of the parent process; on exit the groups that are being watched are ended.
process.stdin.on('data', frameReader<ToHelper>(take));
process.stdin.on('end', () => process.exit());
process.stdin.on('error', () => process.exit());
process.stdout.on('error', () => process.exit());
