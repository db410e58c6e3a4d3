/**
 * Notes about the files that a session wrote, which unrelated processes share: one file for each session, one line for each note. A line is appended
 * in one step, so no process reads half a note. Both the file and the folder are bounded, and a file that is full says so.
 */
import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { keepNewest } from './keep-newest.ts';

export interface FindingNotes {
  /** Returns why the note is not kept, or undefined if it is. */
  add(line: string): string | undefined;
  /** Returns the notes of the session. Throws if they cannot be read. */
  read(): { readonly lines: readonly string[]; readonly isFull: boolean };
}

const MOST_BYTES = 256 * 1024;
const MOST_SESSIONS = 1000;
const MOST_LINES = 2000;
const FULL = 'the memory of this session is full';

/** The notes of callers that name no session, which are not shared. */
export function processNotes(): FindingNotes {
  const lines: string[] = [];
  return {
    add(line) {
      if (lines.length >= MOST_LINES) return FULL;
      lines.push(line);
      return undefined;
    },
    read: () => ({ lines, isFull: lines.length >= MOST_LINES }),
  };
}

/** The notes of a session. Nothing is read or written before they are used. */
export function openFindingNotes(stateFolder: string, root: string, session: string): FindingNotes {
  const folder = join(stateFolder, 'hookline', 'guard-memory');
  let name: string | undefined;
  const file = (): string => {
    name ??= process.getBuiltinModule('node:crypto').hash('sha256', JSON.stringify([root, session]));
    return join(folder, name);
  };
  return {
    add(line) {
      try {
        const size = statSync(file(), { throwIfNoEntry: false })?.size ?? 0;
        if (size >= MOST_BYTES) return FULL;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendFileSync(file(), `${line}\n`, { mode: 0o600 });
        keepNewest(folder, MOST_SESSIONS);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    read() {
      try {
        const text = readFileSync(file(), 'utf8');
        return { lines: text.split('\n').slice(0, -1), isFull: text.length >= MOST_BYTES };
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { lines: [], isFull: false };
        throw error;
      }
    },
  };
}
