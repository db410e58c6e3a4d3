/**
 * The file system as the audit of a hook reads it. Every lookup and its result are noted while a recording runs. A passed audit can then be
 * remembered for as long as each of its lookups gives the same result: a script that changed, a file that appeared or a link that moved asks
 * for a new one.
 */
import * as fs from 'node:fs';

/** How the audit looked at a path. */
type LookupKind = 'stat' | 'lstat' | 'list' | 'read' | 'real';

/** One lookup of an audit, and its result as text. */
export interface Lookup {
  readonly kind: LookupKind;
  readonly path: string;
  readonly result: string;
}

type Hash = (bytes: Uint8Array) => string;

interface Recording {
  readonly hash: Hash;
  readonly lookups: Map<string, Lookup>;
}

/** An audit runs synchronously, so one recording at a time is enough. */
let recording: Recording | undefined;

/** Runs an audit and returns what it returned, with every lookup that it made. */
export function recordLookups<T>(hash: Hash, audit: () => T): { readonly result: T; readonly lookups: readonly Lookup[] } {
  const outer = recording;
  const own: Recording = { hash, lookups: new Map() };
  recording = own;
  try {
    return { result: audit(), lookups: [...own.lookups.values()] };
  } finally {
    recording = outer;
  }
}

/** The results of the lookups that were made since a view began. */
type Results = Map<string, { readonly found: unknown } | { readonly error: unknown }>;

interface View {
  readonly results: Results;
  /** The recording in which the view began. It has noted all lookups of the view. */
  readonly within: Recording | undefined;
}

let view: View | undefined;

/** Runs audits that see the file system in one state: each lookup is made once, so all of them judge the same bytes. */
export function inOneView<T>(audits: () => T): T {
  const outer = view;
  view = currentView() ?? { results: new Map(), within: recording };
  try {
    return audits();
  } finally {
    view = outer;
  }
}

/** Returns the view as a key for results that hold while it lasts. Undefined: there is none, or a later recording needs the lookups themselves. */
export function currentView(): View | undefined {
  return view?.within === recording ? view : undefined;
}

/** Whether a lookup has the same result now. */
export function isUnchanged({ kind, path, result }: Lookup, hash: Hash): boolean {
  try {
    switch (kind) {
      case 'stat':
        return describeStats(fs.statSync(path, { throwIfNoEntry: false })) === result;
      case 'lstat':
        return describeStats(fs.lstatSync(path, { throwIfNoEntry: false })) === result;
      case 'list':
        return describeList(fs.readdirSync(path)) === result;
      case 'read':
        return hash(fs.readFileSync(path)) === result;
      case 'real':
        return fs.realpathSync(path) === result;
      default:
        return false;
    }
  } catch (error) {
    return describeError(error) === result;
  }
}

export function statSync(path: string): fs.Stats;
export function statSync(path: string, options: { readonly throwIfNoEntry: false }): fs.Stats | undefined;
export function statSync(path: string, options?: { readonly throwIfNoEntry: false }): fs.Stats | undefined {
  // A view keeps the two apart, because one of them reports a missing file as an error.
  const key = options ? `stat ${path}` : `stat or fail ${path}`;
  return look('stat', path, () => (options ? fs.statSync(path, options) : fs.statSync(path)), describeStats, key);
}

export function lstatSync(path: string, options: { readonly throwIfNoEntry: false }): fs.Stats | undefined {
  return look('lstat', path, () => fs.lstatSync(path, options), describeStats);
}

export function existsSync(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function readdirSync(path: string): string[] {
  return look('list', path, () => fs.readdirSync(path), describeList);
}

export function realpathSync(path: string): string {
  return look('real', path, () => fs.realpathSync(path), String);
}

export function readFileSync(path: string, encoding: 'utf8'): string {
  // The bytes that are judged are the bytes that are noted: a file that changes in between is not taken for the one that passed.
  const bytes = look(
    'read',
    path,
    () => fs.readFileSync(path),
    (found, hash) => hash(found),
  );
  return bytes.toString(encoding);
}

function look<T>(kind: LookupKind, path: string, read: () => T, describe: (found: T, hash: Hash) => string, key = `${kind} ${path}`): T {
  const current = recording;
  const make = current === undefined ? read : () => lookAndNote(kind, path, read, describe, current);
  const shared = currentView();
  return shared === undefined ? make() : lookOnce(key, make, shared.results);
}

function lookAndNote<T>(
  kind: LookupKind,
  path: string,
  read: () => T,
  describe: (found: T, hash: Hash) => string,
  { hash, lookups }: Recording,
): T {
  const note = (result: string): unknown => lookups.set(`${kind} ${path}`, { kind, path, result });
  try {
    const found = read();
    note(describe(found, hash));
    return found;
  } catch (error) {
    note(describeError(error));
    throw error;
  }
}

function lookOnce<T>(key: string, read: () => T, known: Results): T {
  const before = known.get(key);
  if (before !== undefined && 'error' in before) throw before.error;
  if (before !== undefined) return before.found as T;
  try {
    const found = read();
    known.set(key, { found });
    return found;
  } catch (error) {
    known.set(key, { error });
    throw error;
  }
}

/** A folder's size changes with every entry. The entries that matter are looked up by themselves. */
function describeStats(stats: fs.Stats | undefined): string {
  return stats === undefined ? 'absent' : `${stats.mode} ${stats.uid} ${stats.isDirectory() ? 'folder' : stats.size}`;
}

function describeList(names: readonly string[]): string {
  return JSON.stringify([...names].sort());
}

function describeError(error: unknown): string {
  return `error ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`;
}
