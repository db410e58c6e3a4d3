/** Reads a UTF-8 text file of at most 1 MiB. Never throws and never blocks, not even on a FIFO or a device. */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Diagnostic, Position } from '../../core/values/diagnostic.ts';
import { MAX_FILE_BYTES } from '../formats/intake.ts';
import { noteLookup } from '../remembered/lookups.ts';

/** Undefined if there is no such file. */
export type ReadText = { readonly text: string } | { readonly problem: Diagnostic } | undefined;

export function readText(file: string): ReadText {
  const bytes = readBytes(file, MAX_FILE_BYTES);
  if (bytes === undefined) return undefined;
  if (!(bytes instanceof Uint8Array)) return { problem: { ...bytes, severity: 'error', file } };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  const message = 'The file is not UTF-8 text.';
  return { problem: { severity: 'error', code: 'not-text', file, ...firstBadByte(bytes), message, hint: 'Save it as UTF-8.' } };
}

const REPLACE = 'Replace it with a file.';

type Problem = Pick<Diagnostic, 'code' | 'message' | 'hint'>;

/** One buffer for all files, because a thousand small buffers would cost more than reading the files. */
let scratch = Buffer.allocUnsafe(64 * 1024);

/** Returns the bytes of a file up to a limit; undefined if there is no such file. The bytes are valid until the next call. */
export function readBytes(file: string, limit: number): Buffer | Problem | undefined {
  let handle: number | undefined;
  noteLookup('read', file);
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const size = readInto(handle, limit);
    // A pipe without a writer looks like an empty file.
    if (size === 0 && !fstatSync(handle).isFile())
      return { code: 'unreadable-file', message: 'This is not a regular file.', hint: REPLACE };
    if (size <= limit) return scratch.subarray(0, size);
    const message = `The file is larger than ${limit / 1024 / 1024} MiB, so it is not read.`;
    return { code: 'file-too-large', message, hint: 'Keep only the configuration in it.' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EISDIR') return { code: 'unreadable-file', message: 'This is a folder, not a file.', hint: REPLACE };
    return { code: 'unreadable-file', message: `The file cannot be read (${code}).`, hint: 'Make it readable: `chmod u+r <path>`.' };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Fills the buffer, which grows as needed. Stops one byte beyond the limit, so that an endless device cannot block it. */
function readInto(handle: number, limit: number): number {
  let filled = 0;
  while (filled <= limit) {
    if (filled === scratch.length) {
      const larger = Buffer.allocUnsafe(scratch.length * 4);
      scratch.copy(larger);
      scratch = larger;
    }
    const count = readSync(handle, scratch, filled, Math.min(scratch.length, limit + 1) - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function firstBadByte(bytes: Buffer): Position {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    const row = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (!isUtf8(row)) return { line, column: row.toString('utf8').indexOf('\ufffd') + 1 };
    if (end < 0) return { line, column: 1 };
    start = end + 1;
  }
}
