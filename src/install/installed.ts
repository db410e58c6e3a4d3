/** Hookline's entries in the files of a host: which events they cover, and by which line. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OwnLine } from '../core/contracts/entry-line.ts';
import type { Host } from '../core/contracts/host.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { type ConfigFile, isBackup, readConfig, realOf } from './config-file.ts';
import { type Folders, type HostFile, hostFiles, INSTALL_SCOPES, type InstallScope, placeIn } from './host-files.ts';

export interface InstalledFile {
  readonly scope: InstallScope;
  readonly file: string;
  readonly lines: readonly OwnLine[];
  /** Events of an installation that are not there. */
  readonly missing: readonly string[];
  readonly problem?: Diagnostic;
  /** Undefined if there is no file, or it cannot be read. */
  readonly config?: ConfigFile;
}

/** Returns each file that a host has, in each scope, and each only once: in the home itself both scopes have the same files. */
export function installedFiles(host: Host, folders: Folders): readonly InstalledFile[] {
  const seen = new Set<string>();
  return INSTALL_SCOPES.flatMap((scope) => {
    // Entries are found whatever their line is.
    const all = hostFiles(host, scope, folders, { via: 'command', program: ['hookline'] });
    const fresh = all.filter(({ file }) => !seen.has(realOf(file)));
    for (const { file } of fresh) seen.add(realOf(file));
    const files = fresh.map((file) => readInstalled(host, scope, file));
    // If nothing is installed, nothing is missing.
    return files.some(({ lines }) => lines.length > 0) ? files : files.map((file) => ({ ...file, missing: [] }));
  });
}

function readInstalled(host: Host, scope: InstallScope, { file, bounds, shape, wanted }: HostFile): InstalledFile {
  const config = readConfig(file, bounds);
  if ('severity' in config) return { scope, file, lines: [], missing: [], problem: config };
  const lines = config.text === undefined ? [] : shape.own(config.text, host.id);
  const there = new Set(lines.map(({ event }) => event));
  const missing = there.has(undefined) ? [] : wanted.map(({ event }) => event).filter((event) => !there.has(event));
  return { scope, file, lines, missing, config };
}

/** Whether there are traces of the host, in the home or in the project. */
export function isFound(host: Host, folders: Folders): boolean {
  if (isUsedHere(host, folders)) return true;
  return INSTALL_SCOPES.some((scope) => {
    const place = host.entry.files[scope];
    if (place === undefined) return false;
    return hasFiles(placeIn(dirname(place) === '.' ? place : dirname(place), scope, folders).path, DEEPEST);
  });
}

/** Whether the host has left files in the home. Folders that an uninstallation leaves behind are no trace of it. */
export function isUsedHere({ entry: { traces } }: Host, folders: Folders): boolean {
  return traces.some((trace) => hasFiles(placeIn(trace, 'user', folders).path, DEEPEST));
}

const DEEPEST = 3;

function hasFiles(folder: string, depth: number): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).some((entry) =>
      entry.isDirectory() ? depth > 0 && hasFiles(join(folder, entry.name), depth - 1) : !isBackup(entry.name),
    );
  } catch {
    // A folder that cannot be read has been left by somebody.
    return isFolder(folder);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
