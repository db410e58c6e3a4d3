/** The record of what `hookline init` did in a project, by which `init --undo` takes it back. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface InitRecord {
  readonly root: string;
  /** The hook and its test first. */
  readonly files: readonly WrittenFile[];
  /** Folders that were made, outermost first. */
  readonly folders: readonly string[];
  /** The names next to the hook before it was written. */
  readonly neighbours: readonly string[];
  /** The hook file that was trusted or denied. */
  readonly trusted: string | null;
  /** The agents into which Hookline was installed. */
  readonly installed: readonly string[];
  /** The mark of on-demand serving, if `init` has switched it on. */
  readonly serving: string | null;
}

interface WrittenFile {
  readonly file: string;
  readonly digest: string;
}

export const NOTHING_DONE = { files: [], folders: [], neighbours: [], trusted: null, installed: [], serving: null } as const;

/** One file for each project, because a person may start in several. */
export function recordFile(stateFolder: string, root: string): string {
  return path.join(stateFolder, 'hookline', 'init', `${digestOf(root).slice(0, 16)}.json`);
}

/** Undefined if there is no record that can be read. */
export function readRecord(file: string): InitRecord | undefined {
  try {
    return { ...NOTHING_DONE, ...(JSON.parse(readFileSync(file, 'utf8')) as InitRecord) };
  } catch {
    return undefined;
  }
}

/** Written after each step, so that a run that is cut short can be taken back too. */
export function writeRecord(file: string, record: InitRecord): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

export function written(file: string): WrittenFile {
  return { file, digest: digestOf(readFileSync(file)) };
}

/** Returns the folders that must be made for these files. */
export function missingFolders(files: readonly string[]): readonly string[] {
  const missing = new Set<string>();
  for (const file of files) for (let at = path.dirname(file); !existsSync(at); at = path.dirname(at)) missing.add(at);
  return [...missing].sort();
}

export interface TakenBack {
  readonly removed: readonly string[];
  /** Files that a person has changed since. They stay. */
  readonly changed: readonly string[];
  /** Files that belong to a hook that stays: the test of a changed hook, or the other way round, and the files for the editor. */
  readonly needed: readonly string[];
}

/** A hook and its test are taken back together or not at all. The files for the editor stay as long as a later hook is next to this one. */
export function removeFiles({ files, folders, neighbours }: Pick<InitRecord, 'files' | 'folders' | 'neighbours'>): TakenBack {
  const there = files.filter(({ file }) => existsSync(file));
  const changed = there.filter(({ file, digest }) => digestOf(readFileSync(file)) !== digest).map(({ file }) => file);
  const pair = files.slice(0, 2).map(({ file }) => file);
  const isPairKept = pair.some((file) => changed.includes(file));
  const known = [...pair.map((file) => path.basename(file)), ...neighbours];
  const hasHooks = isPairKept || pair.some((file) => hasOthers(path.dirname(file), known));
  const isNeeded = (file: string): boolean => (pair.includes(file) ? isPairKept : hasHooks);
  const same = there.map(({ file }) => file).filter((file) => !changed.includes(file));
  const removed = same.filter((file) => !isNeeded(file));
  for (const file of removed) rmSync(file);
  for (const folder of [...folders].reverse()) if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  return { removed, changed, needed: same.filter(isNeeded) };
}

function hasOthers(folder: string, known: readonly string[]): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => !known.includes(name));
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
