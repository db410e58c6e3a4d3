/**
 * The payload as a file that a process can have as its stdin. A file and no pipe: it can be opened again as /dev/stdin, and a hook that
 * does not read it breaks nothing. It has no name by the time the hook runs, so nothing is left to clean up.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inTemporaryFolder } from './temporary-folder.ts';

/** A descriptor, open for reading at the start; the caller closes it. Throws if there is no room in any place. */
export function openStdinFile(text: string): number {
  return inTemporaryFolder((folder) => writeFileIn(folder, text));
}

const PREFIX = `hookline-${process.pid}-${randomBytes(8).toString('hex')}-`;
let count = 0;

function writeFileIn(folder: string, text: string): number {
  count += 1;
  const path = join(folder, `${PREFIX}${count}`);
  const writer = openSync(path, 'wx', 0o600);
  try {
    const reader = openSync(path, 'r');
    try {
      writeAll(writer, text);
      return reader;
    } catch (error) {
      closeSync(reader);
      throw error;
    }
  } finally {
    closeSync(writer);
    unlinkSync(path);
  }
}

/** A text as such is written faster than its bytes; only what a short write leaves over is turned into bytes. */
function writeAll(writer: number, text: string): void {
  let written = writeSync(writer, text);
  if (written === Buffer.byteLength(text)) return;
  const bytes = Buffer.from(text);
  while (written < bytes.length) written += writeSync(writer, bytes, written);
}
