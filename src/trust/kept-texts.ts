/** Files of Hookline's own state: written whole or not at all, for the user alone. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HooklineError } from '../core/values/errors.ts';
import { readText } from '../load/find/read-text.ts';
import { hash, type Snapshot } from './hook-digest.ts';

export function writeAtomically(file: string, text: string, options: { readonly keepOldAs?: string } = {}): void {
  const temporary = `${file}.${process.pid}.${Date.now()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    if (options.keepOldAs !== undefined) renameSync(file, options.keepOldAs);
    renameSync(temporary, file);
  } catch (cause) {
    if (existsSync(temporary)) rmSync(temporary);
    throw new HooklineError('unreadable-source', `${file} can not be written.`, { hint: 'Check the rights of the state folder.', cause });
  }
}

/**
 * What was trusted, kept by its content in `<state>/hookline/trusted`, so that a later change can be shown. A text whose hash is not its
 * name is no evidence and is not read; what nobody refers to any more is removed.
 */

/** Where the parts of a trusted hook are found again. */
export interface Kept {
  /** Of the text of its definition. */
  readonly definition: string;
  readonly files: readonly { readonly name: string; readonly hash: string }[];
}

export interface KeptTexts {
  keep(snapshot: Snapshot): Kept;
  /** Undefined if it was never kept, or is not what it was. */
  read(hash: string): string | undefined;
  /** Removes all that none of these refers to. */
  sweep(kept: readonly Kept[]): void;
}

export function openKeptTexts(stateFolder: string): KeptTexts {
  const folder = join(stateFolder, 'hookline', 'trusted');
  const read = (name: string): string | undefined => {
    if (!NAME.test(name)) return undefined;
    const found = readText(join(folder, name));
    return found && 'text' in found && hash(found.text) === name ? found.text : undefined;
  };
  const write = (text: string): string => {
    const name = hash(text);
    if (read(name) === undefined) writeAtomically(join(folder, name), text);
    return name;
  };
  return {
    keep({ definition, files }) {
      for (const { text } of files) if (text !== undefined) write(text);
      return { definition: write(definition), files: files.map(({ name, hash: found }) => ({ name, hash: found })) };
    },
    read,
    sweep(kept) {
      const wanted = new Set(kept.flatMap(({ definition, files }) => [definition, ...files.map((file) => file.hash)]));
      for (const name of list(folder)) if (!wanted.has(name)) rmSync(join(folder, name), { force: true });
    },
  };
}

const NAME = /^[0-9a-f]{64}$/;

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was ever kept, or it can't be looked at: then it can't be tidied either.
    return [];
  }
}
