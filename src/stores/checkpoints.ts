/**
 * The checkpoints of a store: signed statements about its head, one line each, in a file of the state folder. They are written some time after
 * the entries, and never before those are stored.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Checkpoint } from '../core/record/checkpoint.ts';

export interface CheckpointFile {
  readonly file: string;
  add(checkpoint: Checkpoint): void;
  read(): ReadCheckpoints;
}

export interface ReadCheckpoints {
  readonly checkpoints: readonly Checkpoint[];
  /** Numbers of lines that are no checkpoint. */
  readonly unreadable: readonly number[];
}

/** A file that is longer is shortened: the first checkpoint stays, and about half of the others, the newest. */
const MOST_BYTES = 2 * 1024 * 1024;

/** @param name names the store in the name of the file */
export function openCheckpointFile(stateFolder: string, name: string): CheckpointFile {
  const file = path.join(stateFolder, 'hookline', 'checkpoints', `${name}.jsonl`);
  return {
    file,
    add(checkpoint) {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      appendFileSync(file, `${JSON.stringify(checkpoint)}\n`, { mode: 0o600 });
      if (statSync(file).size > MOST_BYTES) shorten(file);
    },
    read: () => readCheckpoints(file),
  };
}

function readCheckpoints(file: string): ReadCheckpoints {
  const checkpoints: Checkpoint[] = [];
  const unreadable: number[] = [];
  for (const [index, line] of linesOf(file).entries()) {
    const checkpoint = checkpointIn(line);
    if (checkpoint) checkpoints.push(checkpoint);
    else unreadable.push(index + 1);
  }
  return { checkpoints, unreadable };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function checkpointIn(line: string): Checkpoint | undefined {
  try {
    const read = JSON.parse(line) as Partial<Checkpoint>;
    const isWhole =
      [read.seq, read.at].every((number) => typeof number === 'number') &&
      [read.origin, read.store, read.hash, read.key, read.signature].every((text) => typeof text === 'string');
    return isWhole ? (read as Checkpoint) : undefined;
  } catch {
    return undefined;
  }
}

/** One process shortens the file. A checkpoint that another one adds meanwhile may be lost; its next one says the same and more. */
function shorten(file: string): void {
  const next = `${file}.next`;
  try {
    const lines = linesOf(file);
    writeFileSync(next, `${[...lines.slice(0, 1), ...lines.slice(Math.ceil(lines.length / 2))].join('\n')}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(next, file);
  } catch (error) {
    // Another process shortens the file. If that process was killed, its lock is removed, and the next process tries again.
    const age = Date.now() - (statSync(next, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || age > 60_000) rmSync(next, { force: true });
  }
}
