/** Which project hooks the user has trusted, by digest, in `<state>/hookline/trust.json`. A broken file trusts nobody and is said, never thrown. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { HooklineError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { readText } from './read-text.ts';

export interface TrustEntry {
  readonly digest: string;
  readonly name: string;
  readonly dialect: string;
  readonly file: string;
  /** The project it was trusted in. */
  readonly root: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface Trust {
  list(): readonly TrustEntry[];
  isEmpty(): boolean;
  /** With a root, only what was trusted in that project counts. */
  has(digest: string, root?: string): boolean;
  add(entry: TrustEntry): void;
  /** Answers with what was removed. */
  remove(match: (entry: TrustEntry) => boolean): readonly TrustEntry[];
  /** What is wrong with the file, if anything. */
  readonly problem: Diagnostic | undefined;
}

export function openTrust(stateFolder: string): Trust {
  const folder = join(stateFolder, 'hookline');
  const file = join(folder, 'trust.json');
  let state = readTrust(file);
  const save = (entries: readonly TrustEntry[]): void => {
    // Whoever can't read it now may be able to mend it: a broken file is moved aside, not lost.
    writeAtomically(folder, file, entries, state.problem !== undefined);
    state = { entries, problem: undefined };
  };
  return {
    list: () => state.entries,
    isEmpty: () => state.entries.length === 0,
    has: (digest, root) => state.entries.some((entry) => entry.digest === digest && (root === undefined || entry.root === root)),
    add(entry) {
      // Read again: another process may have added to it since.
      state = readTrust(file);
      const others = state.entries.filter(({ digest, root }) => digest !== entry.digest || root !== entry.root);
      save([...others, entry]);
    },
    remove(match) {
      state = readTrust(file);
      const removed = state.entries.filter(match);
      if (removed.length > 0) save(state.entries.filter((entry) => !removed.includes(entry)));
      return removed;
    },
    get problem() {
      return state.problem;
    },
  };
}

interface TrustState {
  readonly entries: readonly TrustEntry[];
  readonly problem: Diagnostic | undefined;
}

function readTrust(file: string): TrustState {
  const read = readText(file);
  if (read === undefined) return { entries: [], problem: undefined };
  if ('problem' in read) return { entries: [], problem: read.problem };
  try {
    const value: unknown = JSON.parse(read.text);
    const listed = isObject(value) ? value['trusted'] : undefined;
    if (Array.isArray(listed) && listed.every(isEntry)) return { entries: listed, problem: undefined };
  } catch {
    // Said below.
  }
  const message = 'The list of trusted hooks can not be read, so no project hook is trusted.';
  return {
    entries: [],
    problem: { severity: 'error', code: 'broken-trust', file, message, hint: 'Mend the file, or trust the hooks again.' },
  };
}

function isEntry(value: unknown): value is TrustEntry {
  return isObject(value) && ['digest', 'name', 'dialect', 'file', 'root', 'at'].every((key) => typeof value[key] === 'string');
}

function writeAtomically(folder: string, file: string, entries: readonly TrustEntry[], keepOld: boolean): void {
  const temporary = `${file}.${process.pid}.${Date.now()}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify({ trusted: entries }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    if (keepOld) renameSync(file, `${file}.broken`);
    renameSync(temporary, file);
  } catch (cause) {
    if (existsSync(temporary)) rmSync(temporary);
    throw new HooklineError('unreadable-source', `${file} can not be written.`, { hint: 'Check the rights of the state folder.', cause });
  }
}
