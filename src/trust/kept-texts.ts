/** Writes files of Hookline's state atomically, readable by the user only, and keeps the texts of trusted hooks. */
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
    throw new HooklineError('unreadable-source', `${file} cannot be written.`, {
      hint: `Make the folder writable: \`chmod u+w ${dirname(file)}\`.`,
      cause,
    });
  }
}

/** The hashes by which the texts of a trusted hook are found again. */
export interface KeptHashes {
  /** The hash of its definition. */
  readonly definition: string;
  readonly files: readonly { readonly name: string; readonly hash: string }[];
}

/**
 * The texts of trusted hooks in `<state>/hookline/trusted`, each in a file named by its hash, so that a later change can be shown. A text
 * whose hash is not its name was altered and is not read. A text without a reference is removed.
 */
export interface KeptTexts {
  keep(snapshot: Snapshot): KeptHashes;
  /** Returns undefined if the text was never kept or was altered. */
  read(hash: string): string | undefined;
  /** Removes the texts that none of these refers to. */
  sweep(kept: readonly KeptHashes[]): void;
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
    // There is no folder, or it cannot be read. Then there is nothing to remove.
    return [];
  }
}
