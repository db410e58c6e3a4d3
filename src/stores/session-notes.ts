/**
 * Facts about a session that unrelated processes share. Each is an empty file that is created in one step. The folder is kept small, so old
 * facts may be forgotten.
 */
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepNewest } from './keep-newest.ts';

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
  const keyOf = (session: string, what: string): string => fileName(root, session, what);
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

/**
 * Whether a topic may have a note about one of these sessions, without a project or a text. In doubt it may: the name of a note can be a digest,
 * and some file systems do not tell upper case from lower case.
 */
export function mayBeNoted(stateFolder: string, topic: string, sessions: ReadonlySet<string>): boolean {
  try {
    const names = readdirSync(join(stateFolder, 'hookline', topic)).map((name) => name.toLowerCase());
    if (names.length === 0) return false;
    const noted = new Set([...sessions].map((session) => `${PLAIN}${session.toLowerCase()}`));
    return names.some((name) => !name.startsWith(PLAIN) || noted.has(name));
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

const PLAIN = 'session-';

/** Loading the hash function takes longer than everything else here, so a note about a session alone has a plain name. */
function fileName(root: string, session: string, what: string): string {
  return root === '' && what === '' && /^[\w-]{1,64}$/.test(session) ? `${PLAIN}${session}` : hash(JSON.stringify([root, session, what]));
}

/** Loads the module when something is hashed, because most starts of the command never hash. */
function hash(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}

function mark(folder: string, name: string): Noted {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(join(folder, name), 'wx', 0o600));
    keepNewest(folder, MOST);
    return { isNew: true };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(join(folder, name))) return { isNew: false };
    return { isNew: true, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether something is reported for the first time in a session. If that cannot be stored, a report may appear twice but is never lost. */
export type OncePerSession = (session: string, what: string) => boolean;

/** `nameless` is the session of callers that name none. */
export function openOncePerSession(stateFolder: string, root: string, nameless: string): OncePerSession {
  const said = openSessionNotes({ stateFolder, topic: 'said', root, nameless });
  return (session, what) => said.add(session, what).isNew;
}

/** A count for each session that unrelated processes share, and the texts with which it was raised. */
export interface SessionCounts {
  get(session: string): number;
  /** Raises the count. Returns why other processes cannot see it, or undefined if they can. */
  raise(session: string, to: number, text: string): string | undefined;
  /** Whether the count was raised with this text. */
  has(session: string, text: string): boolean;
  clear(session: string): void;
}

/**
 * Opens the counts of a topic. A count is the number of lines in a file: a line is appended in one step, so no process reads half a number.
 * The count of a nameless session, and one that cannot be written, is kept in this process.
 */
export function openSessionCounts({ stateFolder, topic, root, nameless }: NotesPlace): SessionCounts {
  const folder = join(stateFolder, 'hookline', topic);
  const here = new Map<string, readonly string[]>();
  const fileOf = (session: string): string => join(folder, fileName(root, session, ''));
  const linesOf = (session: string): readonly string[] => here.get(session) ?? (session === nameless ? [] : linesIn(fileOf(session)));
  const keepHere = (session: string, lines: readonly string[]): void => {
    if (here.size >= MOST && !here.has(session)) here.delete(here.keys().next().value as string);
    here.set(session, lines);
  };
  return {
    get: (session) => linesOf(session).length,
    raise(session, to, text) {
      const known = linesOf(session);
      const more = Array<string>(Math.max(0, to - known.length)).fill(hash(text.trim()));
      try {
        if (session === nameless) keepHere(session, [...known, ...more]);
        else append(folder, fileOf(session), more);
        return undefined;
      } catch (error) {
        keepHere(session, [...known, ...more]);
        return error instanceof Error ? error.message : String(error);
      }
    },
    has(session, text) {
      const lines = linesOf(session);
      return lines.length > 0 && lines.includes(hash(text.trim()));
    },
    clear(session) {
      here.delete(session);
      if (session !== nameless && existsSync(fileOf(session))) rmSync(fileOf(session), { force: true });
    },
  };
}

function linesIn(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function append(folder: string, file: string, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  appendFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  keepNewest(folder, MOST);
}

/** The events of each session that unrelated processes share, one line each. A nameless session is kept in this process. */
export interface SessionLines {
  /** Returns why other processes cannot see the line, or undefined if they can. */
  add(session: string, line: string): string | undefined;
  of(session: string): readonly string[];
}

/** A line that cannot be written is lost, and the caller is told. */
export function openSessionLines({ stateFolder, topic, root, nameless }: NotesPlace): SessionLines {
  const folder = join(stateFolder, 'hookline', topic);
  const here: string[] = [];
  const fileOf = (session: string): string => join(folder, fileName(root, session, ''));
  return {
    add(session, line) {
      if (session === nameless) {
        if (here.length < MOST) here.push(line);
        return undefined;
      }
      try {
        append(folder, fileOf(session), [line]);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    of: (session) => (session === nameless ? here : linesIn(fileOf(session))),
  };
}
