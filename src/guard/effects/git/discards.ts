/** Subcommands that discard uncommitted changes. */
import { isDynamic } from '../../shell/marks.ts';
import { type Effect, effect } from '../effect.ts';
import type { GitLine } from './command-line.ts';
import type { Options } from './options.ts';

/** How much of the working tree the paths of a git command cover. */
export type Reach = 'all' | 'folder' | 'named' | 'unknown';

/** Returns `all` if one path covers the whole tree, or if all paths are exclusions, and `named` if every path is a file. */
export function reachOf(paths: readonly string[]): Reach {
  if (paths.length === 0 || paths.some(isWhole) || paths.every(isExclusion)) return 'all';
  if (paths.some(isDynamic)) return 'unknown';
  return paths.every(namesFile) ? 'named' : 'folder';
}

/** Returns whether a path has the name of a file. A folder or a pattern can cover the work of a day. */
function namesFile(path: string): boolean {
  return /(?:^|\/)(?:[^/*?[\]]*[^/.*?[\]]\.[\w-]{1,12}|\.[a-z][\w.-]*|Makefile|Dockerfile|LICEN[CS]E|README|Gemfile|Rakefile|Procfile|Justfile)$/i.test(
    path,
  );
}

/** Returns whether a single operand of `git checkout` is a path and not a branch. */
export function looksLikePath(word: string): boolean {
  if (isWhole(word) || /^(\.{0,2}\/|:)|[*?[]|\/$/.test(word)) return true;
  // Version names contain dots as well.
  return /[^/]\.[a-z][a-z0-9]{0,4}$/i.test(word) && !/\d\.(x$|\d)/.test(word);
}

function isWhole(path: string): boolean {
  return /^(~\/?|\.{1,2}\/?|(\.\/)?\*{1,2}(\/\*{1,2})?|\/|:\/?(\*{1,2})?|:\((top|glob|top,glob)\)(\*{1,2}(\/\*{1,2})?|\.)?|(\.\.\/)+\.{0,2})$/.test(
    path,
  );
}

function isExclusion(path: string): boolean {
  return /^:(!|\^|\(exclude)/.test(path);
}

/** Returns the changes that a subcommand discards although they are not committed: which, how, and how much of the tree. */
export function discards(line: GitLine, options: Options): readonly Effect[] {
  const read = Object.hasOwn(READERS, line.subcommand) ? READERS[line.subcommand] : undefined;
  return read?.(options, line) ?? [];
}

type Reader = (options: Options, line: GitLine) => readonly Effect[];

const NONE: readonly Effect[] = [];
const READERS: Readonly<Record<string, Reader>> = {
  reset,
  checkout,
  switch: switched,
  restore,
  clean,
  rm: removed,
  'checkout-index': (options) => (options.has('force') ? [discardEffect('worktree', 'checkout-index --force')] : NONE),
  'read-tree': (options) => (options.has('reset') && options.has('u') ? [discardEffect('worktree', 'read-tree --reset -u')] : NONE),
  'submodule update': (options) => (options.has('force') ? [discardEffect('worktree', 'submodule update --force', 'named')] : NONE),
  'submodule deinit': (options) => (options.has('force') ? [discardEffect('worktree', 'submodule deinit --force', 'named')] : NONE),
  'worktree remove': (options) => (options.has('force') ? [discardEffect('worktree', 'worktree remove --force', 'named')] : NONE),
  merge: aborted,
  rebase: aborted,
  'cherry-pick': aborted,
  revert: aborted,
  am: aborted,
};
const RESET_MODES = ['mixed', 'soft', 'hard', 'merge', 'keep'];

/** @param source `index`: only the working tree changes, and the index keeps its content. `tree`: both change. */
function discardEffect(what: string, how: string, reach: string = 'all', source: 'index' | 'tree' = 'tree'): Effect {
  return effect('git.discard', { what, how, reach, source });
}

/** The last mode wins. With paths after `--`, git rejects every mode that discards changes. */
function reset({ given, operands, dashes, partial, has }: Options): readonly Effect[] {
  const mode = given.findLast(({ name }) => RESET_MODES.includes(name))?.name;
  if (dashes !== undefined && operands.length > dashes) return NONE;
  if (partial && has('hard')) return [discardEffect('worktree', 'reset --hard')];
  return mode === 'hard' || mode === 'merge' ? [discardEffect('worktree', `reset --${mode}`)] : NONE;
}

function checkout(options: Options): readonly Effect[] {
  if (options.has('force')) return [discardEffect('worktree', 'checkout --force')];
  // Taking one side of a conflict is deliberate.
  if (options.sure('ours', 'theirs')) return NONE;
  const paths = checkedOutPaths(options);
  if (options.has('patch')) return [discardEffect('worktree', 'checkout --patch', 'folder')];
  if (paths === undefined) return NONE;
  const listed = options.value('pathspec-from-file') !== undefined;
  const source = options.operands.length > paths.length ? 'tree' : 'index';
  return [discardEffect('worktree', 'checkout', listed ? 'unknown' : reachOf(paths), source)];
}

/** Returns the paths that are checked out. Undefined: the command only switches to another branch or commit. */
export function checkedOutPaths({ operands, dashes, has, sure, value }: Options): readonly string[] | undefined {
  const file = value('pathspec-from-file');
  if (file !== undefined) return [file];
  if (dashes !== undefined) return operands.length > dashes ? operands.slice(dashes) : undefined;
  if (sure('b', 'B', 'orphan')) return undefined;
  // Some people write the tracking mode as a separate word.
  const words = has('track') && /^(inherit|direct)$/.test(operands[0] ?? '') ? operands.slice(1) : operands;
  const [first] = words;
  if (first === undefined) return undefined;
  if (looksLikePath(first)) return words;
  return words.length > 1 ? words.slice(1) : undefined;
}

/** Returns the discarded changes. Git rejects more than one branch. */
function switched({ operands, has, sure }: Options): readonly Effect[] {
  if (!has('force', 'discard-changes')) return NONE;
  return operands.length > 1 && !sure('create', 'force-create', 'orphan') ? NONE : [discardEffect('worktree', 'switch --discard-changes')];
}

/** Restores the working tree unless only the index is named. Naming one of the two turns off the default of the other. */
function restore({ operands, given, has, sure, value }: Options): readonly Effect[] {
  const chosen = given.some(({ name, maybe }) => !maybe && (name === 'staged' || name === 'worktree'));
  if (chosen && !has('worktree')) return NONE;
  if (sure('ours', 'theirs')) return NONE;
  if (has('patch')) return [discardEffect('worktree', 'restore --patch', 'folder')];
  const file = value('pathspec-from-file');
  if (operands.length === 0 && file === undefined) return NONE;
  const source = value('source') !== undefined || has('staged') ? 'tree' : 'index';
  return [discardEffect('worktree', 'restore', file === undefined ? reachOf(operands) : 'unknown', source)];
}

/** Returns the deleted files. Without `--force` git refuses, unless its configuration turns that check off. */
function clean({ operands, has, sure }: Options, { settings }: GitLine): readonly Effect[] {
  if (sure('dry-run')) return NONE;
  const willing = /^(false|no|off|0|)$/i.test(settings.findLast(({ key }) => key === 'clean.requireforce')?.value ?? 'true');
  return has('force') || willing
    ? [discardEffect('untracked', has('x', 'X') ? 'clean with ignored files' : 'clean', reachOf(operands))]
    : NONE;
}

function removed({ operands, has, sure, value }: Options): readonly Effect[] {
  if (!has('force') || sure('cached', 'dry-run')) return NONE;
  const file = value('pathspec-from-file');
  return [discardEffect('worktree', 'rm --force', reachOf(file === undefined ? operands : [file]))];
}

function aborted({ has }: Options, { subcommand }: GitLine): readonly Effect[] {
  return has('abort') ? [discardEffect('progress', `${subcommand} --abort`)] : NONE;
}
