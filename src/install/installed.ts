/** Hookline's entries in the files of a host: which events they cover, and by which line. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OwnLine } from '../core/contracts/entry-line.ts';
import type { Host } from '../core/contracts/host.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { type ConfigFile, readConfig } from './config-file.ts';
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

/** Returns each file that a host has, in each scope. A file that does not exist has no lines. */
export function installedFiles(host: Host, folders: Folders): readonly InstalledFile[] {
  return INSTALL_SCOPES.flatMap((scope) => {
    // Entries are found whatever their line is.
    const files = hostFiles(host, scope, folders, { via: 'command', program: ['hookline'] }).map((file) =>
      readInstalled(host, scope, file),
    );
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

/** Whether there are traces of the host: its own folder in the home, or in the project. */
export function isFound(host: Host, folders: Folders): boolean {
  return INSTALL_SCOPES.some((scope) => {
    const place = host.entry.files[scope];
    if (place === undefined) return false;
    const folder = dirname(place) === '.' ? place : dirname(place);
    return statSync(placeIn(folder, scope, folders).path, { throwIfNoEntry: false }) !== undefined;
  });
}
