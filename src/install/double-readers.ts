/**
 * Agents that also read the files of other agents. If two files that one agent reads have our entry, the agent runs it twice for every event.
 * An agent with an entry in its own file is answered by that one and the other stays silent; any other agent gets the hooks run twice.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Host, OtherProduct } from '../core/contracts/host.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Folders } from './host-files.ts';
import { type InstalledFile, installedFiles, isFound } from './installed.ts';

/** Returns one warning for each set of files that an agent on this machine reads together. */
export function duplicateEntries(hosts: readonly Host[], others: readonly OtherProduct[], folders: Folders): readonly Diagnostic[] {
  const installed = new Map(hosts.map((host) => [host.id, installedFiles(host, folders).filter(({ lines }) => lines.length > 0)]));
  const readers = [...hosts.filter((host) => isFound(host, folders)), ...others.filter((other) => isUsed(other, folders))];
  const byFiles = new Map<string, { readonly files: readonly string[]; readonly titles: string[]; readonly isJudgedOnce: boolean }>();
  for (const { id, title, alsoReads } of readers) {
    const foreign = alsoReads.flatMap(({ host, scopes }) => (installed.get(host) ?? []).filter(({ scope }) => scopes.includes(scope)));
    const own = installed.get(id) ?? [];
    const files = placesOf([...own, ...foreign]);
    const isJudgedOnce = placesOf(own).length === 1;
    const key = JSON.stringify([isJudgedOnce, files]);
    const known = byFiles.get(key) ?? { files, titles: [], isJudgedOnce };
    known.titles.push(title);
    if (files.length > 1) byFiles.set(key, known);
  }
  return [...byFiles.values()].map(({ files, titles, isJudgedOnce }) => {
    const who = titles.length === 1 ? `${titles[0]} reads` : `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)} read`;
    const times = files.length === 2 ? 'twice' : `${files.length} times`;
    const message = isJudgedOnce
      ? `${who} ${files.join(' and ')}, so Hookline is called ${times} for every event. The entry in ${files[0]} answers.`
      : `${who} ${files.join(' and ')}, so the hooks run ${times} for every event.`;
    const hint = 'Keep one entry and remove the other with `hookline uninstall`.';
    const severity = isJudgedOnce ? 'info' : 'warning';
    return { severity, code: 'duplicate-entry', ...(files[0] !== undefined && { file: files[0] }), message, hint };
  });
}

function isUsed({ folder }: OtherProduct, { home, root }: Folders): boolean {
  return folder !== null && [home, root].some((base) => existsSync(join(base, folder)));
}

/** Returns one file for each installation, because some hosts need a file for every event. */
function placesOf(files: readonly InstalledFile[]): string[] {
  const first = new Map<string, string>();
  for (const { file, scope, lines } of files) {
    const key = `${lines[0]?.host} ${scope}`;
    if (!first.has(key)) first.set(key, file);
  }
  return [...first.values()];
}
