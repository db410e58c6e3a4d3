/**
 * Plans the changes of an installation or its removal from the current files, and carries them out only if the files are still the same. A
 * change that cannot be made cleanly is a diagnostic, and then nothing at all is written.
 */
import { rmSync } from 'node:fs';
import type { Reach } from '../core/contracts/entry-line.ts';
import type { Host } from '../core/contracts/host.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { lineTable } from '../load/formats/intake.ts';
import { backupOf, type ConfigFile, PRIVATE, readBackup, readConfig, writeConfig } from './config-file.ts';
import { type Folders, type HostFile, hostFiles, type InstallScope } from './host-files.ts';
import { droppedBy } from './host-reading.ts';
import { type Edited, isUnfit } from './shapes/shape.ts';

export interface InstallTask {
  readonly host: Host;
  readonly scope: InstallScope;
  readonly folders: Folders;
  readonly reach: Reach;
}

export interface FileChange {
  readonly config: ConfigFile;
  readonly after: string | undefined;
  readonly entries: Edited['entries'];
  /** The copy of the current file. */
  readonly backup?: string;
  /** A backup that is no longer needed: the file is as it was. */
  readonly spent?: string;
  readonly mode: number;
}

export type Change = { readonly files: readonly FileChange[] } | { readonly problems: readonly Diagnostic[] };

export function planInstall(task: InstallTask): Change {
  return changeOf(task, (file, config) => {
    const dropped = droppedBy(task.host, config);
    if (dropped) return dropped;
    const before = config.text ?? '';
    const edited = file.shape.install(before, task.host.id, file.wanted, file.head);
    if (isUnfit(edited)) return unfit(config, before, edited);
    const isFirst = config.text !== undefined && file.shape.own(before, task.host.id).length === 0;
    return { ...edited, backup: isFirst && edited.text !== config.text };
  });
}

export function planUninstall(task: InstallTask): Change {
  return changeOf(task, ({ shape, head }, config) => {
    if (config.text === undefined) return { text: undefined, entries: [], backup: false };
    const before = readBackup(config);
    const edited = shape.uninstall(config.text, task.host.id, before, head);
    const isBack = before !== undefined && edited.text === before && edited.entries.length > 0;
    return { ...edited, backup: false, ...(isBack && { spent: backupOf(config.real) }) };
  });
}

export function isChanged({ config, after }: FileChange): boolean {
  return config.text !== after;
}

/** Returns false if another process changed a file meanwhile; the files that were written before stay written. */
export function carryOut(files: readonly FileChange[]): boolean {
  for (const change of files) {
    const { config, after, backup, spent, mode } = change;
    if (isChanged(change) && !writeConfig({ config, text: after, backup: backup !== undefined, mode })) return false;
    if (spent !== undefined) rmSync(spent, { force: true });
  }
  return true;
}

type Next = Edited & { readonly backup: boolean; readonly spent?: string };

function changeOf({ host, scope, folders, reach }: InstallTask, next: (file: HostFile, config: ConfigFile) => Next | Diagnostic): Change {
  const files: FileChange[] = [];
  const problems: Diagnostic[] = [];
  for (const file of hostFiles(host, scope, folders, reach)) {
    const read = readConfig(file.file, file.bounds);
    const config = reach.via === 'http' && 'mode' in read ? forOwnerOnly(read) : read;
    const edited = 'severity' in config ? config : next(file, config);
    if ('severity' in config || 'severity' in edited) problems.push(edited as Diagnostic);
    else {
      const { text, entries, backup, spent } = edited;
      const mode = text?.startsWith('#!') ? 0o777 : scope === 'user' ? PRIVATE : 0o666;
      files.push({
        config,
        after: text,
        entries,
        mode,
        ...(backup && { backup: backupOf(config.real) }),
        ...(spent !== undefined && { spent }),
      });
    }
  }
  return problems.length > 0 ? { problems } : { files };
}

/** An address comes with a secret. */
function forOwnerOnly(config: ConfigFile): ConfigFile {
  return config.mode === undefined ? config : { ...config, mode: config.mode & 0o700 };
}

function unfit({ file }: ConfigFile, text: string, { unfit: why, at }: { readonly unfit: string; readonly at: number }): Diagnostic {
  const hint = 'Nothing was changed. Fix this place, then install again.';
  return { severity: 'error', code: 'wrong-type', file, ...lineTable(text)(at), message: `${why}.`, hint };
}
