/**
 * Writes to stdout and stderr completely and in order before the process exits. It writes to the descriptor, because loading the stream
 * objects costs more than most answers. If a pipe is full, the stream waits for it.
 */
import { writeSync } from 'node:fs';

/** Returns false if the reader has closed the pipe. */
export async function write(to: 1 | 2, text: string): Promise<boolean> {
  if (text === '') return true;
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(to, bytes, written);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Otherwise the reader has closed the pipe (EPIPE), or the descriptor was never open.
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

/**
 * Returns one JSON document. In addition to JSON's own rules, it escapes characters that could move a terminal's cursor or reverse its
 * text.
 */
export function jsonDocument(value: unknown): string {
  return document(JSON.stringify(value, null, 2));
}

/** Returns the same on one line, for a stream of documents. */
export function jsonLine(value: unknown): string {
  return document(JSON.stringify(value));
}

function document(text = 'null'): string {
  return `${text.replace(/[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
