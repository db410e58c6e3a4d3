/**
 * Writing to stdout and stderr: all of it, in order, before the process ends. Straight to the descriptor, because the stream
 * objects cost more to load than most answers take to make; a full pipe is left to the stream, which waits for it.
 */
import { writeSync } from 'node:fs';

/** False: whoever read us is gone, and there is nobody left to tell. */
export async function write(to: 1 | 2, text: string): Promise<boolean> {
  if (text === '') return true;
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(to, bytes, written);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Otherwise the pipe is closed at its other end (EPIPE), or the descriptor was never open.
    return code === 'EAGAIN' ? writeLate(to, bytes.subarray(written)) : false;
  }
}

function writeLate(to: 1 | 2, bytes: Uint8Array): Promise<boolean> {
  const stream = to === 1 ? process.stdout : process.stderr;
  return new Promise((resolve) => {
    stream.once('error', () => resolve(false));
    stream.write(bytes, (error) => resolve(!error));
  });
}

/** One JSON document. Beyond what JSON asks, what could move a terminal's cursor or turn its text around is escaped as well. */
export function jsonDocument(value: unknown): string {
  return document(JSON.stringify(value, null, 2));
}

/** The same on a line of its own, for a stream of documents. */
export function jsonLine(value: unknown): string {
  return document(JSON.stringify(value));
}

function document(text = 'null'): string {
  return `${text.replace(/[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
