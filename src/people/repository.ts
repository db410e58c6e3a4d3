/** Reads the remote and the commit of a project from its `.git`, without starting git. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Project } from '../core/contracts/who.ts';

export function projectOf(root: string): Project {
  const git = gitFolderOf(root);
  if (git === undefined) return { root };
  const common = commonFolderOf(git);
  const commit = commitOf(git, common);
  const remote = remoteOf(common);
  return { root, ...(remote !== undefined && { remote }), ...(commit !== undefined && { commit }) };
}

/** The nearest `.git` at or above the root. In a worktree or a submodule it is a file that names the folder. */
function gitFolderOf(root: string): string | undefined {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const found = statSync(git, { throwIfNoEntry: false });
    if (found?.isDirectory()) return git;
    const named = found?.isFile() ? /^gitdir: (.+)$/m.exec(textOf(git) ?? '')?.[1] : undefined;
    if (named !== undefined) return path.resolve(folder, named.trim());
    if (path.dirname(folder) === folder) return undefined;
  }
}

function commonFolderOf(git: string): string {
  const named = textOf(path.join(git, 'commondir'))?.trim();
  return named === undefined || named === '' ? git : path.resolve(git, named);
}

function commitOf(git: string, common: string): string | undefined {
  const head = textOf(path.join(git, 'HEAD'))?.trim();
  const ref = /^ref: (.+)$/.exec(head ?? '')?.[1];
  if (ref === undefined) return asCommit(head);
  const loose = asCommit(textOf(path.join(git, ref))?.trim()) ?? asCommit(textOf(path.join(common, ref))?.trim());
  if (loose !== undefined) return loose;
  const packed = textOf(path.join(common, 'packed-refs'))?.split('\n') ?? [];
  return asCommit(packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]);
}

function asCommit(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;
}

/** `origin`, or else the first remote. */
function remoteOf(common: string): string | undefined {
  const remotes = new Map<string, string>();
  let section: string | undefined;
  for (const line of (textOf(path.join(common, 'config')) ?? '').split('\n')) {
    const opened = /^\s*\[(?:remote "(.+)"|.*)\]/.exec(line);
    if (opened) section = opened[1];
    const url = section === undefined ? undefined : /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1];
    if (section !== undefined && url !== undefined && !remotes.has(section)) remotes.set(section, url);
  }
  const found = remotes.get('origin') ?? remotes.values().next().value;
  return found === undefined ? undefined : withoutUser(found);
}

/** An address may hold a token. `git@host:path` names no person, but the user goes too: the rule is simple. */
function withoutUser(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || parsed.host === '') return url.replace(/^[^/@]+@/, '');
  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  return parsed.href;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
