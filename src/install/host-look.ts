/** Reads a host's own files, with line numbers, so that the host can object to Hookline's entry. Changes nothing. */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Host } from '../core/contracts/host.ts';
import type { HostLimits, HostLook } from '../core/contracts/host-limits.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Document } from '../core/values/document.ts';
import { readText } from '../load/find/read-text.ts';
import { parseJson } from '../load/formats/json.ts';
import { parseToml } from '../load/formats/toml.ts';
import { realOf } from './config-file.ts';
import { type Folders, placeIn } from './host-files.ts';
import type { InstalledFile } from './installed.ts';

export type ReadHostFile = (file: InstalledFile) => HostLook;

export function hostLook(folders: Folders, env: NodeJS.ProcessEnv): ReadHostFile {
  const read = (path: string): Document | undefined => {
    const file = placeOf(path, folders);
    const text = textOf(file);
    return text === undefined ? undefined : (file.endsWith('.toml') ? parseToml : parseJson)(file, text);
  };
  return ({ scope, file, lines }) => ({
    scope,
    file,
    realFile: realOf(file),
    isLink: isLink(file),
    root: folders.root,
    env,
    lines: lines.map(({ text }) => text),
    read,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  });
}

function placeOf(path: string, folders: Folders): string {
  if (isAbsolute(path)) return path;
  return path.startsWith('~/') ? placeIn(path.slice(2), 'user', folders).path : placeIn(path, 'project', folders).path;
}

/** A file that is missing or not readable counts as empty. */
function textOf(file: string): string | undefined {
  const read = readText(file);
  return read && 'text' in read ? read.text : undefined;
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Returns the agent's own settings, or missing trust, that keep it from running the entry in its file. */
export function objectionsTo(host: Host, { objections }: HostLimits, file: InstalledFile, look: ReadHostFile): Diagnostic[] {
  if (file.lines.length === 0) return [];
  return (objections?.(look(file)) ?? []).map(({ because, fix, file: where = file.file, ...rest }) => ({
    ...rest,
    file: where,
    message: because.includes(host.title) ? because : `${host.title}: ${because}`,
    hint: fix,
  }));
}
