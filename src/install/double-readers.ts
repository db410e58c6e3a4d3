/**
 * Agents that read the files of other agents as well: where we stand in two files that one agent reads, it asks twice about every event. One
 * that has an entry of its own is answered by that, and the other one is silent; else the hooks are put to it twice.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../core/contracts/host.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Folders, InstallScope } from './host-files.ts';
import { type InstalledFile, installedFiles, isFound } from './installed.ts';

interface Reader {
  readonly id: string;
  readonly title: string;
  /** Whose files it reads besides its own. */
  readonly reads: readonly { readonly host: string; readonly scopes: readonly InstallScope[] }[];
}

const BOTH: readonly InstallScope[] = ['user', 'project'];

const READERS: readonly Reader[] = [
  { id: 'cursor', title: 'Cursor', reads: [{ host: 'claude-code', scopes: BOTH }] },
  { id: 'copilot', title: 'Copilot', reads: [{ host: 'claude-code', scopes: ['project'] }] },
  {
    id: 'vscode',
    title: 'VS Code',
    reads: [
      { host: 'claude-code', scopes: BOTH },
      { host: 'copilot', scopes: BOTH },
    ],
  },
];

/** One warning for each set of files that an agent on this machine reads together. */
export function firesTwice(hosts: readonly Host[], folders: Folders): readonly Diagnostic[] {
  const installed = new Map(hosts.map((host) => [host.id, installedFiles(host, folders).filter(({ lines }) => lines.length > 0)]));
  const readers = [
    ...hosts.map(({ id, title }): Reader => READERS.find((reader) => reader.id === id) ?? { id, title, reads: [] }),
    ...READERS.filter(({ id }) => !hosts.some((host) => host.id === id)),
  ];
  const byFiles = new Map<string, { readonly files: readonly string[]; readonly titles: string[]; readonly isJudgedOnce: boolean }>();
  for (const { id, title, reads } of readers.filter((reader) => isHere(reader, hosts, folders))) {
    const foreign = reads.flatMap(({ host, scopes }) => (installed.get(host) ?? []).filter(({ scope }) => scopes.includes(scope)));
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
      ? `${who} ${files.join(' and ')}: we are asked ${times} about every event, and the entry in ${files[0]} answers.`
      : `${who} ${files.join(' and ')}: every event is put to the hooks ${times}.`;
    const hint = 'Keep one of them: `hookline uninstall` takes it out of the other.';
    const severity = isJudgedOnce ? 'info' : 'warning';
    return { severity, code: 'fires-twice', ...(files[0] !== undefined && { file: files[0] }), message, hint };
  });
}

function isHere({ id }: Reader, hosts: readonly Host[], folders: Folders): boolean {
  const host = hosts.find((one) => one.id === id);
  if (host) return isFound(host, folders);
  return [folders.home, folders.root].some((folder) => existsSync(join(folder, `.${id}`)));
}

/** One file for each installation: a host may want one for every event. */
function placesOf(files: readonly InstalledFile[]): string[] {
  const first = new Map<string, string>();
  for (const { file, scope, lines } of files) {
    const key = `${lines[0]?.host} ${scope}`;
    if (!first.has(key)) first.set(key, file);
  }
  return [...first.values()];
}
