/** Files of Hookline's own state: written whole or not at all, for the user alone. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { HooklineError } from '../core/errors.ts';

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
