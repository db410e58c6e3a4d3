/**
 * Facts about a session that unrelated processes share. Each is an empty file that is created in one step. The folder is kept small, so old
 * facts may be forgotten.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface SessionNotes {
  has(session: string, what: string): boolean;
  add(session: string, what: string): Noted;
}

/** `problem` is the reason why other processes cannot see the note. */
export type Noted = { readonly isNew: boolean; readonly problem?: string };

export interface NotesPlace {
  readonly stateFolder: string;
  /** Each topic has a folder of its own, so that its notes do not crowd out others. */
  readonly topic: string;
  readonly root: string;
  /** The session of callers that name none. It is a different one in every process, so its notes are not shared. */
  readonly nameless: string;
}

const MOST = 1000;

export function openSessionNotes({ stateFolder, topic, root, nameless }: NotesPlace): SessionNotes {
  const folder = join(stateFolder, 'hookline', topic);
  const known = new Set<string>();
  // Loading the hash function takes longer than everything else here, so a note about a session alone has a plain name.
  const keyOf = (session: string, what: string): string =>
    root === '' && what === '' && /^[\w-]{1,64}$/.test(session) ? `session-${session}` : hash(JSON.stringify([root, session, what]));
  return {
    has(session, what) {
      const key = keyOf(session, what);
      if (known.has(key)) return true;
      return session !== nameless && existsSync(join(folder, key));
    },
    add(session, what) {
      const key = keyOf(session, what);
      if (known.has(key)) return { isNew: false };
      if (known.size >= MOST) known.clear();
      known.add(key);
      return session === nameless ? { isNew: true } : mark(folder, key);
    },
  };
}

/** Loads the module when something is hashed, because most starts of the command never hash. */
function hash(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}

function mark(folder: string, name: string): Noted {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(join(folder, name), 'wx', 0o600));
    tidy(folder);
    return { isNew: true };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(join(folder, name))) return { isNew: false };
    return { isNew: true, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Removes the oldest half at once, so that this happens rarely. */
function tidy(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST) return;
  const aged = names.map((name) => ({
    path: join(folder, name),
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  aged.sort((a, b) => a.at - b.at);
  for (const { path } of aged.slice(0, Math.floor(MOST / 2))) rmSync(path, { force: true });
}

/** Whether something is reported for the first time in a session. If that cannot be stored, a report may appear twice but is never lost. */
export type OncePerSession = (session: string, what: string) => boolean;

/** `nameless` is the session of callers that name none. */
export function openOncePerSession(stateFolder: string, root: string, nameless: string): OncePerSession {
  const said = openSessionNotes({ stateFolder, topic: 'said', root, nameless });
  return (session, what) => said.add(session, what).isNew;
}
