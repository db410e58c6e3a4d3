/** The messages between an engine and the process that starts its hooks: JSON with its length before it, over a pipe each way. */
import type { Fault, Reply } from '../../core/decision/reply.ts';
import type { ProcessSpec } from './run-process.ts';

export type ToHelper =
  | { readonly id: number; readonly run: ProcessSpec; readonly timeoutMs: number }
  | { readonly id: number; readonly cancel: true };

export type FromHelper = { readonly id: number; readonly pid: number } | { readonly id: number; readonly answer: Reply | Fault };

export function encodeFrame(message: ToHelper | FromHelper): Buffer {
  const text = JSON.stringify(message);
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame.writeUInt32BE(length);
  frame.write(text, HEAD);
  return frame;
}

/** Takes bytes as they come and hands out whole messages. Both ends are Hookline's, so messages are not checked again. */
export function frameReader<T extends ToHelper | FromHelper>(take: (message: T) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    parts.push(chunk);
    size += chunk.length;
    for (;;) {
      if (size < HEAD) return;
      // Joined only once a message is whole: a long one comes in many pieces.
      const [first] = parts as [Buffer];
      const start = first.length >= HEAD ? first : Buffer.concat(parts);
      const end = HEAD + start.readUInt32BE();
      if (size < end) {
        if (start !== first) parts = [start];
        return;
      }
      const all = parts.length === 1 ? first : Buffer.concat(parts);
      parts = all.length > end ? [all.subarray(end)] : [];
      size = all.length - end;
      take(JSON.parse(all.toString('utf8', HEAD, end)) as T);
    }
  };
}

const HEAD = 4;
