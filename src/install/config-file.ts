/**
 * A host's file on the disk: read whole, checked, and written whole or not at all. A file outside of the home or the project, or that
 * cannot be read to the end, is never written. Changes that another process made meanwhile are never lost.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { isBelow, realPath } from '../load/find/folders.ts';
import { readText } from '../load/find/read-text.ts';
import { parseJson } from '../load/formats/json.ts';
import { parseToml } from '../load/formats/toml.ts';

export interface ConfigFile {
  /** As the host names it, and where it really is. */
  readonly file: string;
  readonly real: string;
  /** Undefined if there is none. A mark of the byte order is not part of it. */
  readonly text: string | undefined;
  readonly bom: boolean;
  readonly mode: number | undefined;
}

/** `bounds`: the home or the project it may not leave. Never throws. */
export function readConfig(file: string, bounds: string): ConfigFile | Diagnostic {
  try {
    return readWithin(file, bounds);
  } catch (error) {
    const message = `The file cannot be read (${error instanceof Error ? error.message : String(error)}).`;
    return { severity: 'error', code: 'unreadable-file', file, message, hint: 'Make it and the folders above it readable.' };
  }
}

function readWithin(file: string, bounds: string): ConfigFile | Diagnostic {
  const real = reach(file);
  const limit = realPath(bounds) ?? bounds;
  if (real === undefined)
    return refused(file, 'The target of this link does not exist, so nothing is written through it.', 'Fix or remove the link.');
  if (!isBelow(real, limit)) {
    return refused(
      file,
      `It is really ${real}, outside of ${limit}, so it is not changed.`,
      'Change that file yourself, or put a plain file here.',
    );
  }
  const read = readText(real);
  if (read === undefined) return { file, real, text: undefined, bom: false, mode: undefined };
  if ('problem' in read) return { ...read.problem, file };
  const bom = read.text.startsWith('\ufeff');
  const text = bom ? read.text.slice(1) : read.text;
  return brokenPart(file, text) ?? { file, real, text, bom, mode: statSync(real).mode & 0o7777 };
}

export function backupOf(file: string): string {
  return `${file}${BACKUP}`;
}

export function isBackup(name: string): boolean {
  return name.endsWith(BACKUP);
}

const BACKUP = '.hookline-backup';

/** Returns the path without links; as it is if it leads nowhere. */
export function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Returns the text from before the installation, if it is known. */
export function readBackup({ real }: ConfigFile): string | undefined {
  const read = readText(backupOf(real));
  return read && 'text' in read ? read.text.replace(/^\ufeff/, '') : undefined;
}

export interface Write {
  readonly config: ConfigFile;
  /** Undefined: the file is deleted. */
  readonly text: string | undefined;
  /** Keep a copy of the current file next to it. */
  readonly backup: boolean;
  /** For a file that is new. */
  readonly mode: number;
}

/** Returns false, and writes nothing, if the file has changed since it was read. */
export function writeConfig({ config, text, backup, mode }: Write): boolean {
  const { real } = config;
  if (text === undefined) {
    if (!isUnchanged(config)) return false;
    rmSync(real, { force: true });
    return true;
  }
  mkdirSync(dirname(real), { recursive: true, ...(mode === PRIVATE && { mode: 0o700 }) });
  const temporary = join(dirname(real), `.${basename(real)}.${process.pid}.hookline`);
  try {
    writeFileSync(temporary, `${config.bom ? '\ufeff' : ''}${text}`, { mode, flag: 'wx' });
    if (config.mode !== undefined) chmodSync(temporary, config.mode);
    if (!isUnchanged(config)) return false;
    if (backup) writeFileSync(backupOf(real), readFileSync(real), { mode: PRIVATE });
    renameSync(temporary, real);
    return true;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** For the user alone. */
export const PRIVATE = 0o600;

function isUnchanged({ real, text, bom }: ConfigFile): boolean {
  const now = existsSync(real) ? readFileSync(real, 'utf8') : undefined;
  return now === (text === undefined ? undefined : `${bom ? '\ufeff' : ''}${text}`);
}

/** Returns the path without links, also of a file that does not exist yet; undefined if the target of a link does not exist. */
function reach(file: string): string | undefined {
  const real = realPath(file);
  if (real !== undefined) return real;
  if (linkAt(file)) return undefined;
  const above = dirname(file);
  if (above === file) return file;
  const parent = reach(above);
  return parent === undefined ? undefined : join(parent, basename(file));
}

function linkAt(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}

/** Returns the first error in the text. */
function brokenPart(file: string, text: string): Diagnostic | undefined {
  const parse = file.endsWith('.json') ? parseJson : file.endsWith('.toml') ? parseToml : undefined;
  return parse?.(file, text).diagnostics.find(({ severity }) => severity === 'error');
}

function refused(file: string, message: string, hint: string): Diagnostic {
  return { severity: 'error', code: 'outside-folder', file, message, hint };
}
