/**
 * Trust in a hook covers the files that it is known to run and, where that is not known, every file of a folder. The rest is reported as
 * not covered. Files that hooks only write are left out of folders, by names that are shown.
 */
import { dirname, join, relative, sep } from 'node:path';
import type { Hook } from '../../../core/contracts/hook.ts';
import { isBelow } from '../files.ts';
import { lstatSync } from '../observed-fs.ts';
import { kindOf, namesIn, pathMatcher, realOf } from './lookup.ts';
import { dependenciesOf } from './modules.ts';
import type { Unknown } from './reached.ts';

/** A part of a hook that is known only at run time. */
export interface Uncovered extends Unknown {
  readonly file: string;
  /** The folder that is covered whole instead. Absent: trust does not cover this part. */
  readonly folder?: string;
}

export interface Coverage {
  /** The files that the hook is known to run. */
  readonly files: readonly string[];
  /** The folders of which every file is covered. */
  readonly folders: readonly string[];
  /** The names that are left out of these folders. */
  readonly leftOut: readonly string[];
  readonly unknown: readonly Uncovered[];
}

/** The result of following a hook. */
export interface Followed {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  readonly unknown: readonly (Unknown & { readonly file: string })[];
}

/** Files that programs write next to code: caches of interpreters and tools, and the data of git. */
const WRITTEN: readonly string[] = [
  '__pycache__',
  '*.pyc',
  '.git',
  '.DS_Store',
  'node_modules/.cache',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
];
const MOST_FILES = 2000;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_PACKAGES = 100;

export interface Covered extends Coverage {
  /** Every file that the digest of the hook covers. */
  readonly all: readonly string[];
}

export function coverageOf(hook: Hook, root: string | undefined, found: Followed, ignores: readonly string[] = []): Covered {
  if (root === undefined) return { files: found.files, folders: [], leftOut: [], unknown: [], all: found.files };
  const names = [...WRITTEN, ...ignores];
  const listing = new Listing(root, pathMatcher(names));
  const unknown: Uncovered[] = [];
  const place = { file: hook.source.file, ...(hook.source.line !== undefined && { line: hook.source.line }) };
  for (const folder of found.folders) {
    const why = isOwn(folder, root) ? listing.add(folder) : 'the folder is not one of the hook alone';
    if (why !== undefined) unknown.push({ what: `the files in ${named(folder, root)}`, why, ...place });
  }
  for (const one of found.unknown) {
    const { within, ...rest } = one;
    const folder = within !== undefined && isOwn(within, root) ? within : folderFor(one.file, hook, root);
    const why = folder === undefined ? undefined : listing.add(folder);
    unknown.push({
      ...rest,
      ...(why !== undefined && { why: `${one.why}, and ${why}` }),
      ...(folder !== undefined && why === undefined && { folder }),
    });
  }
  const left = addPackages(found.packages, root, listing);
  if (left.length > 0) {
    const more = left.length > 3 ? ` and ${left.length - 3} more` : '';
    const what = `the packages ${left
      .slice(0, 3)
      .map((folder) => named(folder, root))
      .join(', ')}${more}`;
    unknown.push({ what, why: `together they have more than ${MOST_FILES} files or ${MOST_BYTES / 1024 / 1024} MiB`, ...place });
  }
  const folders = [...listing.folders].sort();
  const all = [...new Set([...found.files, ...listing.files])];
  return { files: found.files, folders, leftOut: folders.length === 0 ? [] : names, unknown, all };
}

/** Returns the folder that stands for a file with an unknown part: the hook's own, or that of the script. */
function folderFor(file: string, { folder, source }: Hook, root: string): string | undefined {
  if (folder !== undefined && isOwn(folder, root) && isBelow(file, folder)) return folder;
  const around = dirname(file);
  return file !== source.file && isOwn(around, root) ? around : undefined;
}

/** Returns whether a folder can be covered whole: it is below the project, and it is not the folder of settings of an agent or of git. */
function isOwn(folder: string, root: string): boolean {
  if (folder === root || !isBelow(folder, root)) return false;
  const parts = relative(root, folder).split(sep);
  return parts.length > 1 || !parts[0]?.startsWith('.');
}

/** Adds packages with the packages that they need, and returns those for which there is no room. */
function addPackages(start: readonly string[], root: string, listing: Listing): readonly string[] {
  const queue = [...new Set(start.map(realOf))];
  const seen = new Set<string>();
  const left: string[] = [];
  for (const folder of queue) {
    if (seen.has(folder) || !isBelow(folder, root)) continue;
    seen.add(folder);
    if (seen.size > MOST_PACKAGES || listing.add(folder) !== undefined) left.push(folder);
    else queue.push(...dependenciesOf(folder, root).map(realOf));
  }
  return left;
}

function named(path: string, root: string): string {
  return isBelow(path, root) ? relative(root, path) || '.' : path;
}

/** The files of the covered folders, each once, up to a limit for all of them. */
class Listing {
  readonly folders = new Set<string>();
  readonly files = new Set<string>();
  readonly #root: string;
  readonly #isLeftOut: (path: string) => boolean;
  #bytes = 0;

  constructor(root: string, isLeftOut: (path: string) => boolean) {
    this.#root = root;
    this.#isLeftOut = isLeftOut;
  }

  /** Adds the files of a folder. Returns why it cannot be covered; undefined: it is. */
  add(folder: string): string | undefined {
    if (this.folders.has(folder)) return undefined;
    const files = new Set<string>();
    const seen = new Set<string>();
    let bytes = this.#bytes;
    const queue = [folder];
    for (const at of queue) {
      const real = realOf(at);
      if (seen.has(real) || !isBelow(real, realOf(this.#root))) continue;
      seen.add(real);
      for (const name of [...namesIn(at)].sort()) {
        const path = join(at, name);
        if (this.#isLeftOut(relative(this.#root, path).split(sep).join('/'))) continue;
        const kind = kindOf(path);
        if (kind === 'folder') queue.push(path);
        if (kind !== 'file' || this.files.has(path)) continue;
        files.add(path);
        bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
        if (this.files.size + files.size > MOST_FILES) return `${named(folder, this.#root)} has more than ${MOST_FILES} files`;
        if (bytes > MOST_BYTES) return `${named(folder, this.#root)} has more than ${MOST_BYTES / 1024 / 1024} MiB`;
      }
    }
    this.folders.add(folder);
    this.#bytes = bytes;
    for (const file of files) this.files.add(file);
    return undefined;
  }
}
