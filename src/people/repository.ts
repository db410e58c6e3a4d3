/**
 * Reads the remote and the commit of a project from its `.git`, without starting git. An agent in the project can write these files, so
 * nothing in them can make the reader wait, and what does not have the form of a commit or an address is left out.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Project } from '../core/record/who.ts';
import { redactText } from '../core/values/redact.ts';

export function projectOf(root: string): Project {
  const git = gitFolderOf(root);
  if (git === undefined) return { root };
  const common = commonFolderOf(git);
  const commit = commitOf(git, common);
  const remote = remoteOf(common);
  return { root, ...(remote !== undefined && { remote }), ...(commit !== undefined && { commit }) };
}

/** The nearest `.git` at or above the root that has a head. In a worktree or a submodule it is a file that names the folder. */
function gitFolderOf(root: string): string | undefined {
  for (let folder = path.resolve(root); ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const named = /^gitdir: (.+)$/m.exec(textOf(git) ?? '')?.[1]?.trim();
    const found = named === undefined ? git : path.resolve(folder, named);
    if (isFile(path.join(found, 'HEAD'))) return found;
    if (path.dirname(folder) === folder) return undefined;
  }
}

function commonFolderOf(git: string): string {
  const named = textOf(path.join(git, 'commondir'))?.trim();
  return named === undefined || named === '' ? git : path.resolve(git, named);
}

/** A branch may stand for another one, but not for ever. */
const MOST_STEPS = 5;

function commitOf(git: string, common: string): string | undefined {
  let text = textOf(path.join(git, 'HEAD'))?.trim();
  for (let step = 0; step < MOST_STEPS; step++) {
    const ref = /^ref:\s*(refs\/.+)$/.exec(text ?? '')?.[1];
    if (ref === undefined) return asCommit(text);
    if (ref.split('/').includes('..')) return undefined;
    text = (textOf(path.join(git, ref)) ?? textOf(path.join(common, ref)))?.trim() ?? packedAt(common, ref);
  }
  return undefined;
}

function packedAt(common: string, ref: string): string | undefined {
  const lines = textOf(path.join(common, 'packed-refs'))?.split('\n') ?? [];
  return lines.find((line) => line.trimEnd().endsWith(` ${ref}`))?.split(' ')[0];
}

function asCommit(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;
}

/** `origin`, or else the first remote. Files that the configuration includes are not read. */
function remoteOf(common: string): string | undefined {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of (textOf(path.join(common, 'config')) ?? '').replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\s"\]]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) remote = section[1]?.toLowerCase() === 'remote' ? section[2]?.replace(/\\(.)/g, '$1') : undefined;
    const url = /^\s*url\s*=(.*)$/i.exec(section ? line.slice(section[0].length) : line)?.[1];
    if (remote !== undefined && url !== undefined && !remotes.has(remote)) remotes.set(remote, plainValue(url));
  }
  const found = remotes.get('origin') ?? remotes.values().next().value;
  return found === undefined || found === '' ? undefined : withoutUser(found);
}

/** A value ends at a comment, and may be written in quotes in part. */
function plainValue(written: string): string {
  const parts = written.matchAll(/"((?:[^"\\]|\\.)*)"|([#;])|([^"#;]+)/g);
  let value = '';
  for (const [, quoted, comment, plain] of parts) {
    if (comment !== undefined) break;
    value += quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  }
  return value.trim();
}

const LONGEST_ADDRESS = 500;

/** An address may hold a token. `git@host:path` names no person, but the user is removed too: the rule is simple. */
function withoutUser(url: string): string {
  const address = redactText(bareAddress(url)).replace(/\p{Cc}+/gu, ' ');
  return address.slice(0, LONGEST_ADDRESS);
}

function bareAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && parsed.host !== '') {
    parsed.username = '';
    parsed.password = '';
    parsed.search = '';
    parsed.hash = '';
    return parsed.href;
  }
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(url) ?? [];
  // A password with a slash is no valid address, so its end is the last sign of a user.
  if (scheme !== '') return `${scheme}${rest.slice(rest.lastIndexOf('@') + 1)}`;
  const slash = rest.indexOf('/');
  return rest.slice(rest.lastIndexOf('@', slash < 0 ? undefined : slash) + 1);
}

/** Files of a repository are small; the list of a very large one's branches has a few megabytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Undefined if there is no such file, if it is no file, or if it cannot be read. Does not wait for a pipe without a writer. */
function textOf(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(descriptor);
    return found.isFile() && found.size <= MOST_BYTES ? readFileSync(descriptor, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
