/**
 * Small facts about a session that processes share which know nothing of each other: an empty file for each, made in one step. The folder
 * is kept small, so what is old may be forgotten.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface SessionNotes {
  has(session: string, what: string): boolean;
  add(session: string, what: string): Noted;
}

/** `problem`: why other processes will not know of it. */
export type Noted = { readonly isNew: boolean; readonly problem?: string };

export interface NotesPlace {
  readonly stateFolder: string;
  /** What the notes are about: those of one topic do not crowd out the others. */
  readonly topic: string;
  readonly root: string;
  /** The session of those who name none. It is another one in every process. */
  readonly nameless: string;
}

const MOST = 1000;

export function openSessionNotes({ stateFolder, topic, root, nameless }: NotesPlace): SessionNotes {
  const folder = join(stateFolder, 'hookline', topic);
  const known = new Set<string>();
  // To load what hashes takes longer than all else here, so a note about nothing but a session has a name that can be read.
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

/** The module is loaded when something is hashed, which most starts of the command never do. */
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

/** Half of them go at once, the oldest, so that it is seldom done. */
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

/** What was said in a session, so that it is said once, whoever says it. If that can't be kept, something is rather said twice than never. */

/** Whether this is the first time that it is said in this session. */
export type OncePerSession = (session: string, what: string) => boolean;

/** `nameless`: the session of those who name none. */
export function openOncePerSession(stateFolder: string, root: string, nameless: string): OncePerSession {
  const said = openSessionNotes({ stateFolder, topic: 'said', root, nameless });
  return (session, what) => said.add(session, what).isNew;
}
