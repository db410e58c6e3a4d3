/** Watches documents, so that the agent knows their present text without reading them again. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Schedule } from '../contract.ts';
import { readDuration } from './duration.ts';
import { realTimers, repeat, type Timers } from './timers.ts';

export interface WatchOptions {
  /** The folder that relative paths are below (default: the working directory). */
  readonly root?: string;
  /** How often the files are looked at (default: `2s`). */
  readonly every?: string | number;
  /** The most characters of a document; the rest is left out, and the text says so (default 20000). */
  readonly maxCharacters?: number;
  /** Default: the real clock. */
  readonly timers?: Timers;
}

interface Seen {
  /** The state that was delivered, or the one at the start. */
  text: string | undefined;
  /** The look of the file at the last look: a file that still changes is read at the next one. */
  mark: string;
  /** The look of the file when it was read last. */
  read: string;
}

/**
 * Returns a schedule that delivers a document when its text has changed since the start. A document that does not exist yet is delivered when it
 * appears. One that is deleted, or cannot be read, is not delivered.
 */
export function watchDocuments(files: readonly string[], options: WatchOptions = {}): Schedule {
  const { root = process.cwd(), every = '2s', maxCharacters = 20_000, timers = realTimers } = options;
  const ms = readDuration(every, 'every');
  let cancel: () => void = () => {};
  return {
    start(deliver) {
      const documents = files.map((file) => {
        const full = path.resolve(root, file);
        const mark = markOf(full);
        return { file, full, seen: { text: textOf(full), mark, read: mark } satisfies Seen as Seen };
      });
      const look = (): void => {
        for (const { file, full, seen } of documents) {
          const text = changedText(full, seen);
          if (text !== undefined) void deliver({ type: 'document', path: file, text: cut(text, maxCharacters) });
        }
      };
      cancel = repeat(timers, (after) => after + ms, Number.POSITIVE_INFINITY, look);
    },
    stop: () => cancel(),
  };
}

/** Returns the text if it has changed and the file looks as it did a moment ago, so no process is in the middle of writing it. */
function changedText(file: string, seen: Seen): string | undefined {
  const mark = markOf(file);
  const isStill = mark === seen.mark;
  seen.mark = mark;
  if (!isStill || mark === seen.read) return undefined;
  const text = textOf(file);
  seen.read = mark;
  if (text === undefined || text === seen.text) return undefined;
  seen.text = text;
  return text;
}

function markOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return 'none';
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n(${text.length - most} more characters are left out.)`;
}
