/** The channels of a hook's process: real pipes for its stdout and stderr, and a file for its stdin. */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { close, closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LongText } from './long-text.ts';
import type { ProcessSpec } from './run-process.ts';

/**
 * Tries `make` in one folder for short-lived files after the other: memory if the system offers it, then the folder for temporary files. Throws
 * what the last one threw.
 */
export function inTemporaryFolder<T>(make: (folder: string) => T): T {
  try {
    return make(MEMORY);
  } catch {
    // No such folder here, or no room left in memory.
    return make(tmpdir());
  }
}

const MEMORY = '/dev/shm';

/**
 * Takes a FIFO for a hook's stdout or stderr: its descriptor, which reads without blocking and keeps a writer from being ended by SIGPIPE. Undefined
 * if FIFOs are not available: no `mkfifo`, no /proc to open them by, no descriptors left.
 *
 * Node's own pipes are socket pairs, and on Linux a socket cannot be opened again by name: in a hook `echo x > /dev/stderr` would fail, with an
 * exit code that some dialects read as a denial. Node cannot make pipes, so FIFOs are made by `mkfifo`, several at a time, opened, and their names
 * removed at once: nothing is left on disk, however this process ends.
 *
 * A FIFO is used again only after its readers saw the end of it: then no process has it open for writing, and none can open it.
 */
export function takeFifo(): number | undefined {
  if (idle.length === 0 && !unavailable) refill();
  return idle.pop();
}

/** Only after the end was read: the next one to take it must be alone with it. */
export function giveBack(fifo: number): void {
  if (idle.length < MOST_IDLE) idle.push(fifo);
  else closeSync(fifo);
}

/** Opens another end of a FIFO. A writer finds the reader that the pool holds, so opening it does not wait. */
export function openEnd(fifo: number, end: 'reader' | 'writer'): number {
  return openSync(`/proc/self/fd/${fifo}`, end === 'reader' ? READING : constants.O_WRONLY);
}

const MOST_IDLE = 64;
const READING = constants.O_RDONLY | constants.O_NONBLOCK;
const idle: number[] = [];
/** Found out once: every hook would pay for an attempt that is bound to fail. A passing shortage, of descriptors say, is not remembered. */
let unavailable = !existsSync('/proc/self/fd');
/** Doubles, so that one hook costs little and two hundred at once do not start a hundred `mkfifo`. */
let batch = 4;

function refill(): void {
  try {
    const folder = inTemporaryFolder((parent) => mkdtempSync(join(parent, 'hookline-')));
    try {
      const paths = Array.from({ length: batch }, (_, index) => join(folder, String(index)));
      const made = spawnSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' });
      unavailable = made.error !== undefined && 'code' in made.error && made.error.code === 'ENOENT';
      if (made.status !== 0) return;
      for (const path of paths) idle.push(openSync(path, READING));
      batch = Math.min(batch * 2, MOST_IDLE);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // Nowhere to make them, or no descriptors left: this hook does without, and the next one tries again.
  }
}

/**
 * Opens the payload as a file that a process can have as its stdin. A file and no pipe: it can be opened again as /dev/stdin, and a hook that does
 * not read it breaks nothing. It has no name by the time the hook runs, so nothing is left to clean up. Returns a descriptor, open for reading at
 * the start; the caller closes it. Throws if there is no room in any place.
 */
export function openStdinFile(text: string | LongText): number {
  return inTemporaryFolder((folder) => writeFileIn(folder, text));
}

/**
 * Closes the file of a payload. The system frees its memory then, which takes long for a large one, so that is left to another thread: the answer
 * need not wait for it.
 */
export function closeStdinFile(descriptor: number, text: ProcessSpec['stdin']): void {
  if (typeof text === 'object' || (text !== undefined && text.length > PIECE)) close(descriptor, () => {});
  else closeSync(descriptor);
}

const PREFIX = `hookline-${process.pid}-${randomBytes(8).toString('hex')}-`;
let count = 0;

function writeFileIn(folder: string, text: string | LongText): number {
  count += 1;
  const path = join(folder, `${PREFIX}${count}`);
  const writer = openSync(path, 'wx', 0o600);
  try {
    const reader = openSync(path, 'r');
    try {
      if (typeof text === 'string') writeAll(writer, text);
      else for (const piece of text.pieces()) writeAll(writer, piece);
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

/** Piece by piece into memory that is used again: memory of its own for a large text would cost more than writing it. */
function writeAll(writer: number, text: string): void {
  for (let at = 0; at < text.length; ) {
    const piece = pieceOf(text, at);
    const size = bytes.write(piece);
    for (let written = 0; written < size; ) written += writeSync(writer, bytes, written, size - written);
    at += piece.length;
  }
}

/** Both halves of a character are in the same piece. */
function pieceOf(text: string, at: number): string {
  const isTorn = at + PIECE < text.length && (text.charCodeAt(at + PIECE) & 0xfc00) === 0xdc00;
  return text.slice(at, at + PIECE - (isTorn ? 1 : 0));
}

const PIECE = 64 * 1024;
/** A character of a text takes at most three bytes. */
const bytes = Buffer.allocUnsafeSlow(3 * PIECE);
