/**
 * The uses of files that no path in a command names. A folder is read or copied with everything in it, or git puts files back. A link of the same
 * text can lead elsewhere.
 */
import { posix } from 'node:path';
import { readArguments } from '../effects/arguments.ts';
import type { KnownFolders } from '../effects/effect.ts';
import { patchTexts } from '../effects/files/from-code.ts';
import { absolutePath } from '../effects/files/path.ts';
import { SYNTAX } from '../effects/files/syntax.ts';
import { type GitLine, gitLine } from '../effects/git/command-line.ts';
import { checkedOutPaths } from '../effects/git/discards.ts';
import { readOptions } from '../effects/git/options.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { isDynamic } from '../shell/marks.ts';

/** Commands that read a folder, with the options that make them do so. Undefined: they always do. */
const DEEP: Readonly<Record<string, RegExp | undefined>> = {
  ...{ grep: /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$|^--directories=recurse$/, rg: undefined, ag: undefined, ack: undefined },
  ...{ tar: undefined, gtar: undefined, bsdtar: undefined, '7z': undefined, '7za': undefined, rar: undefined, ditto: undefined },
  ...{ cp: /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/, gcp: /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/ },
  ...{ zip: /^-[a-zA-Z]*r|^--recurse-paths$/, rsync: /^-[a-zA-Z]*[ra]|^--(?:recursive|archive)$/, scp: /^-[a-zA-Z]*r/ },
  ...{ diff: /^-[a-zA-Z]*r|^--recursive$/, egrep: /^-[a-zA-Z]*[rR]/, fgrep: /^-[a-zA-Z]*[rR]/, zgrep: /^-[a-zA-Z]*[rR]/ },
};
/** Searches that read the current folder if no other is named. */
const SEARCHES = /^(?:rg|ag|ack|[ef]?grep)$/;
/** Searches that leave hidden files out, and the options with which they do not. */
const SKIPS_HIDDEN = /^(?:rg|ag|ack)$/;
const WITH_HIDDEN = /^(?:-[a-zA-Z]*u|--hidden|--unrestricted|-\.)$/;
const EXCLUDES = /^(?:--exclude(?:-dir)?|-x|--ignore(?:-dir)?|--ignore-file|-g|--glob|--iglob)(?:=|$)/;

export interface WholeRead {
  readonly path: string;
  /** Words that leave parts of the folder out. */
  readonly except: readonly string[];
  /** Whether hidden files are left out. */
  readonly visible: boolean;
  /** Whether it shows only what matches. */
  readonly search: boolean;
}

/** Returns the folders that a command reads with everything in them. */
export function foldersRead({ name, argv, flow, guessed, fds }: EffectiveCommand): readonly WholeRead[] {
  if (guessed || !Object.hasOwn(DEEP, name)) return [];
  const option = DEEP[name];
  if (option !== undefined && !argv.some((word, i) => i > 0 && option.test(word))) return [];
  const read = (flow?.reads ?? []).filter(({ how }) => how === 'operand').map(({ path }) => path);
  const isSearch = SEARCHES.test(name);
  // Without a folder, a search reads its input or the current folder.
  const paths = read.length === 0 && isSearch && !fds.has(0) ? ['.'] : read;
  const except = argv.flatMap((word, i) =>
    EXCLUDES.test(word) ? (word.includes('=') ? word.slice(word.indexOf('=') + 1) : (argv[i + 1] ?? '')) : [],
  );
  const visible = SKIPS_HIDDEN.test(name) && !argv.some((word) => WITH_HIDDEN.test(word));
  return paths.map((path) => ({ path, except, visible, search: isSearch }));
}

/**
 * Returns the folders in which a command changes files that it does not name: a stash that is made or put back, and a patch that is not known. Most
 * of them change no protected file.
 */
export function foldersPatched(command: EffectiveCommand): readonly string[] {
  const { name, argv, env } = command;
  const patches = patchTexts(command);
  if (patches !== undefined) {
    // `patch` with a file changes that file alone.
    const isNamed = name === 'patch' && readArguments(argv, SYNTAX['patch']).operands.length > 0;
    return patches.length > 0 || isNamed || name === 'apply_patch' ? [] : [directoryIn(argv)];
  }
  const line = name === 'git' ? gitLine(name, argv, env) : undefined;
  const [, verb] = /^stash(?: (\w+))?$/.exec(line?.subcommand ?? '') ?? [];
  if (line === undefined || !/^stash\b/.test(line.subcommand) || /^(?:list|show|drop|clear|create|store|export)$/.test(verb ?? ''))
    return [];
  return stashedPaths(line).length > 0 ? [] : ['.'];
}

/** Returns the paths that `git stash push` names. */
function stashedPaths({ subcommand, args }: GitLine): readonly string[] {
  if (subcommand !== 'stash push') return [];
  const dashes = args.indexOf('--');
  if (dashes !== -1) return args.slice(dashes + 1);
  return args.filter((word, i) => !word.startsWith('-') && !/^(?:-[a-zA-Z]*m|--message|--pathspec-from-file)$/.test(args[i - 1] ?? ''));
}

/** Returns the folder in which a patch is applied. */
function directoryIn(argv: readonly string[]): string {
  const at = argv.findIndex((word) => /^(?:-d|--directory)$/.test(word));
  const attached = argv.find((word) => /^--directory=./.test(word))?.slice('--directory='.length);
  return attached ?? (at === -1 ? '.' : (argv[at + 1] ?? '.'));
}

/** Returns the files and folders that git puts back or empties, with everything in them. */
export function foldersRestored({ name, argv, env }: EffectiveCommand): readonly string[] {
  const line = name === 'git' ? gitLine(name, argv, env) : undefined;
  if (line?.subcommand === 'stash push') return stashedPaths(line);
  if (line === undefined || !/^(?:checkout|restore|reset|clean)$/.test(line.subcommand)) return [];
  const options = readOptions(line.subcommand, line.args);
  const { operands, has } = options;
  const pathsIn = (paths: readonly string[]): readonly string[] => paths.map((path) => path.replace(/^:(?:\/|\([^)]*\))/, '') || '.');
  if (line.subcommand === 'checkout') return pathsIn(checkedOutPaths(options) ?? (has('force') ? ['.'] : []));
  if (line.subcommand === 'restore') return has('staged') && !has('worktree') ? [] : pathsIn(operands);
  if (line.subcommand === 'clean') return has('dry-run') || !has('force') ? [] : pathsIn(operands.length === 0 ? ['.'] : operands);
  return has('hard') ? ['.'] : [];
}

/** The links that the commands make, each with a place that it can lead to, as absolute paths. */
type Links = readonly (readonly [at: string, target: string])[];

const KNOWN = new WeakMap<readonly EffectiveCommand[], Links>();

export function linksOf(commands: readonly EffectiveCommand[], folders: KnownFolders): Links {
  let links = KNOWN.get(commands);
  if (links === undefined) {
    links = commands.flatMap((command) => linksIn(command, folders));
    KNOWN.set(commands, links);
  }
  return links;
}

function linksIn({ name, argv, cwd }: EffectiveCommand, folders: KnownFolders): Links {
  if (!/^(?:g?ln|link)$/.test(name) || argv.some(isDynamic) || isDynamic(cwd)) return [];
  const { operands, has } = readArguments(argv, { valued: 'St', long: ['symbolic', 'suffix=', 'target-directory='] });
  const [from, given] = operands;
  if (from === undefined) return [];
  const to = given ?? posix.basename(from);
  const at = absolutePath(to, cwd, folders);
  // A symbolic link starts in its own folder, unless its text begins with the current one.
  const own = has('s', 'symbolic') && !/^[/~]/.test(from) ? [posix.join(posix.dirname(at), from)] : [];
  return [...own, absolutePath(from, cwd, folders)].flatMap(
    (target): Links => [
      [at, target],
      [posix.join(at, posix.basename(from)), target],
    ],
  );
}

/** Returns the paths that can be behind the links of the same text. */
export function behindLinks(path: string, links: Links): readonly string[] {
  return links.flatMap(([at, target]) => (path === at || path.startsWith(`${at}/`) ? [target + path.slice(at.length)] : []));
}
