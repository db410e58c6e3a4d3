/**
 * The memory of hooks in a session, as files. Each version is a file of its own whose name is its number. A file gets its name in one step, and
 * only one process can give it, so of two writers one is told that it is late. A process that is killed leaves an older version or a whole new one.
 */
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionState, StateVersion } from '../core/record/session-state.ts';
import { isObject, type JsonObject } from '../core/values/json.ts';

/** The largest state of one hook in one session, as JSON. */
const MOST_STATE_BYTES = 64 * 1024;
/** Folders of sessions beyond this number are removed, the oldest first. */
const MOST_STATES = 1000;
const NOTHING: StateVersion = { version: 0, values: {} };

export function openSessionState(stateFolder: string, root: string): SessionState {
  const all = join(stateFolder, 'hookline', 'session-state');
  const folderOf = (session: string, owner: string): string => join(all, hash(JSON.stringify([root, session, owner])));
  return {
    read: (session, owner) => newestIn(folderOf(session, owner)),
    write(session, owner, version, values) {
      const text = JSON.stringify(values);
      if (Buffer.byteLength(text) > MOST_STATE_BYTES)
        throw new Error(
          `The state of a hook in a session may have ${MOST_STATE_BYTES} bytes as JSON, and this one has ${Buffer.byteLength(text)}.`,
        );
      const folder = folderOf(session, owner);
      if (version === 0) makeRoom(all, folder);
      return writeVersion(folder, version + 1, text);
    },
  };
}

/** Loads the module when something is hashed, because most starts of the command never hash. */
function hash(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}

function versionsIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The newest file is never removed, except with the whole folder, so a file that is gone means that there is a newer one. */
function newestIn(folder: string): StateVersion {
  for (;;) {
    const version = Math.max(0, ...versionsIn(folder));
    if (version === 0) return NOTHING;
    try {
      const values: unknown = JSON.parse(readFileSync(join(folder, String(version)), 'utf8'));
      return { version, values: isObject(values) ? (values as JsonObject) : {} };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

function writeVersion(folder: string, version: number, text: string): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `draft-${process.pid}-${process.getBuiltinModule('node:crypto').randomUUID()}`);
  const file = join(folder, String(version));
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    linkSync(draft, file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const others = versionsIn(folder).filter((one) => one !== version);
  // A writer that was held up may give a number that was removed already.
  if (others.some((one) => one > version)) {
    rmSync(file, { force: true });
    return false;
  }
  for (const one of others) rmSync(join(folder, String(one)), { force: true });
  const now = new Date();
  utimesSync(folder, now, now);
  return true;
}

function makeRoom(all: string, folder: string): void {
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const names = readdirSync(all);
  if (names.length < MOST_STATES) return;
  const aged = names
    .map((name) => join(all, name))
    .filter((path) => path !== folder)
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.at - b.at);
  for (const { path } of aged.slice(0, MOST_STATES / 2)) rmSync(path, { recursive: true, force: true });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
