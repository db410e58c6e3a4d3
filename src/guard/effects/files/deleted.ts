/** The files that a command deletes or moves away. A tool that prints help or runs as a dry run deletes nothing. */

import { codeReaders } from '../../shell/code-readers.ts';
import { type EffectiveCommand, isForeign } from '../../shell/machine.ts';
import { isOpaque } from '../../shell/marks.ts';
import { parseFind } from '../../shell/programs/find.ts';
import { type Arguments, isRemotePath, readArguments } from '../arguments.ts';
import { codeFiles, patchedFiles } from './from-code.ts';
import { SYNTAX, toolName } from './syntax.ts';

export interface Deletion {
  readonly path: string;
  readonly recursive: boolean;
  /** Whether the tool deletes without asking. */
  readonly forced: boolean;
  /** Whether a test selects only some of the files below the path. */
  readonly narrowed: boolean;
  /** Whether the protection of the root folder is off. */
  readonly unprotected: boolean;
  /** Whether it deletes only copies that editors and tools leave behind, such as `*.bak`. */
  readonly leftovers?: boolean;
  /** `rm`, `find`, `rsync`, `shred`, `code`, `tool`. */
  readonly how: string;
}

const REMOVERS = /^(?:.*\/)?(?:g?rm|unlink|rmdir|g?shred|srm|g?truncate)$/;
/** Tests that select by name, age, size or owner. Tests for emptiness, kind or depth select too much. */
const PICKS = /^-(?:i?l?name|i?path|i?wholename|i?regex|[acm]min|[acm]time|[ac]?newer.{0,2}|size|samefile|inum|user|group|uid|gid)$/;
/** Actions with which `find` can delete. */
const DELETES = /^-(?:delete|exec|execdir|ok|okdir)$/;
/** Names of copies that editors and tools leave behind. */
const LEFTOVER = /^\*?(?:\.(?:bak|orig|rej|tmp|temp|swp|swo|old|log|pyc)|~|\.DS_Store|Thumbs\.db|__pycache__)$/;
const REST = { forced: true, narrowed: false, unprotected: false };

export function deletions(command: EffectiveCommand): readonly Deletion[] {
  const { argv, program } = command;
  const name = toolName(command.name);
  const read = (): Arguments => readArguments(argv, SYNTAX[name]);
  switch (name) {
    case 'rm':
      return rmDeletions(command.name, argv, read());
    case 'unlink':
      return read().operands.map((path) => ({ ...REST, path, recursive: false, how: 'rm' }));
    case 'del':
    case 'erase':
    case 'rd':
      return windowsDeletions(argv);
    case 'shred':
      return shredDeletions(read());
    case 'find':
      return findDeletions(argv);
    case 'rsync':
      return rsyncDeletions(argv, read());
    case 'mv':
      return mvDeletions(read());
    case 'tar':
      return tarDeletions(argv, read());
    case '7z':
    case '7za':
    case '7zz':
    case 'zip':
    case 'rar':
      return archivedDeletions(name, argv);
    case 'robocopy':
      return argv.some((word) => /^\/(?:mir|purge)$/i.test(word))
        ? folder(argv[2])
        : argv.some((word) => /^\/mov/i.test(word))
          ? folder(argv[1])
          : [];
    case 'trash':
    case 'trash-put':
    case 'rmtrash':
    case 'gtrash':
      return argv
        .slice(1)
        .filter((word) => !word.startsWith('-'))
        .flatMap(folder);
    case 'gio':
      return argv[1] === 'trash' || argv[1] === 'remove'
        ? argv
            .slice(2)
            .filter((word) => !word.startsWith('-'))
            .flatMap(folder)
        : [];
    case 'apply_patch':
      return patchedFiles(command, 'delete').map((path) => ({ ...REST, path, recursive: false, how: 'tool' }));
    case '':
    case ':':
    case 'true':
    case 'truncate':
      return emptied(command);
    case 'vim':
    case 'ex':
      return argv.some((word) => word.includes('delete(')) ? codeReaders().editorDeletions(argv).flatMap(folder) : [];
    default:
      return isForeign(program) ? codeDeletions(command, program.text) : [];
  }
}

/** Returns the folders of which every file is emptied. An empty file is a lost one. */
function emptied({ name, argv, writes }: EffectiveCommand): readonly Deletion[] {
  const paths = name === 'truncate' ? argv.slice(1) : writes;
  return paths.filter((path) => /(?:^|\/)\*+$/.test(path)).flatMap(folder);
}

function folder(path: string | undefined): readonly Deletion[] {
  return path === undefined ? [] : [{ ...REST, path, recursive: true, how: 'tool' }];
}

/** Returns the files that an archiver deletes after it has packed them. */
function archivedDeletions(name: string, argv: readonly string[]): readonly Deletion[] {
  const removes =
    argv.some((word) => (name === 'zip' ? /^-[a-zA-Z]*m[a-zA-Z]*$|^--move$/ : /^-(?:sdel|df|dr|dw)$/).test(word)) ||
    (name === 'rar' && argv[1] === 'm');
  const operands = argv.slice(1).filter((word) => !word.startsWith('-'));
  return removes ? operands.slice(name === 'zip' ? 1 : 2).flatMap(folder) : [];
}

/** Returns the files that `mv` removes from their place. */
export function movedAway({ name, argv }: EffectiveCommand): readonly string[] {
  if (toolName(name) !== 'mv') return [];
  const { operands, idle, has } = readArguments(argv, SYNTAX['mv']);
  if (idle) return [];
  return has('t', 'target-directory') ? operands : operands.slice(0, -1);
}

function rmDeletions(name: string, argv: readonly string[], { operands, idle, has }: Arguments): readonly Deletion[] {
  if (idle) return [];
  const always = name === 'rimraf' || name === 'del-cli';
  // An unknown word can contain the option that makes the deletion recursive.
  const recursive = always || has('r', 'R', 'recursive') || argv.slice(1, -1).some(isOpaque);
  const facts = { recursive, forced: always || has('f', 'force'), narrowed: false, unprotected: has('no-preserve-root'), how: 'rm' };
  // Deleting all files in a folder is as bad as deleting the folder.
  return operands.map((path) => ({ ...facts, path, ...(!recursive && /(?:^|\/)\*+$/.test(path) && { recursive: true, forced: false }) }));
}

function windowsDeletions(argv: readonly string[]): readonly Deletion[] {
  const switches = argv.slice(1).filter((word) => /^\/[a-z]$/i.test(word));
  const recursive = switches.some((word) => /s/i.test(word));
  if (switches.length === 0) return [];
  return argv
    .slice(1)
    .filter((word) => !switches.includes(word))
    .map((path) => ({ ...REST, path, recursive, how: 'rm' }));
}

function shredDeletions({ operands, idle }: Arguments): readonly Deletion[] {
  return idle ? [] : operands.map((path) => ({ ...REST, path, recursive: false, how: 'shred' }));
}

function findDeletions(argv: readonly string[]): readonly Deletion[] {
  const { roots, deletes, commands, narrowed, expression } = parseFind(argv);
  // `find` rejects a command without an end and runs nothing.
  if (expression.some((word) => /^--?(?:help|version)$/.test(word)) || commands.some(({ closed }) => !closed)) return [];
  const removes = commands.some((run) => run.argv.includes('{}') && run.argv.slice(0, 3).some((word) => REMOVERS.test(word)));
  const picked = narrowed && selectsFiles(expression, argv[argv.indexOf('-type') + 1] === 'd');
  const names = argv.filter((_, i) => /^-i?name$/.test(argv[i - 1] ?? ''));
  const leftovers = picked && names.length > 0 && names.every((name) => LEFTOVER.test(name));
  if (!deletes && !removes) return [];
  const rest = { ...REST, recursive: true, forced: false, how: 'find' };
  // A search for repositories deletes their histories, wherever they are. Another alternative may leave them out.
  if (removes && picked && names.join() === '.git' && !expression.some((word) => /^-or?$/.test(word)))
    return roots.map((path) => ({ ...rest, path: `${path}/${argv.includes('-mindepth') ? '*/' : ''}.git` }));
  return roots.map((path) => ({ ...rest, path, narrowed: picked, leftovers }));
}

/** Returns whether tests select the files: those in front of the deletion in its own alternative, or any if there are brackets. */
function selectsFiles(expression: readonly string[], onlyFolders: boolean): boolean {
  const selects = (words: readonly string[]): boolean =>
    // Folders that are empty have nothing to lose.
    words.some((word, i) => (PICKS.test(word) || (word === '-empty' && onlyFolders)) && !/^(?:!|-not)$/.test(words[i - 1] ?? ''));
  if (expression.includes('(')) return selects(expression);
  const starts = expression.flatMap((word, i) => (/^(?:-or?|,)$/.test(word) ? [i] : []));
  return [-1, ...starts].every((start, i) => {
    const alternative = expression.slice(start + 1, starts[i]);
    const action = alternative.findIndex((word) => DELETES.test(word));
    return action === -1 || selects(alternative.slice(0, action));
  });
}

/** Returns the deletions of `rsync`: files in the target that the source does not have, and source files that were copied. */
function rsyncDeletions(argv: readonly string[], { operands, idle, has }: Arguments): readonly Deletion[] {
  if (idle || has('n', 'dry-run', 'list-only')) return [];
  const target = argv.some((word) => /^--del(?:ete)?(?:$|-)/.test(word)) ? operands.slice(1).slice(-1) : [];
  const sources = has('remove-source-files') ? operands.slice(0, -1) : [];
  return [...sources, ...target].filter((path) => !isRemotePath(path)).map((path) => ({ ...REST, path, recursive: true, how: 'rsync' }));
}

/** Returns the files that are moved to `/dev/null`, because they are lost. */
function mvDeletions({ operands, idle }: Arguments): readonly Deletion[] {
  if (idle || operands.at(-1) !== '/dev/null') return [];
  return operands.slice(0, -1).map((path) => ({ ...REST, path, recursive: true, how: 'mv' }));
}

function tarDeletions(argv: readonly string[], { operands, has }: Arguments): readonly Deletion[] {
  if (!argv.includes('--remove-files')) return [];
  // In the old style, the first word holds the options and the second names the archive.
  const paths = has('c', 'create', 'r', 'u') ? operands : operands.slice(2);
  return paths.map((path) => ({ ...REST, path, recursive: true, how: 'tar' }));
}

function codeDeletions(command: EffectiveCommand, text: string): readonly Deletion[] {
  const deleted = codeReaders()
    .deletedPaths(text, command.name)
    .map((path) => ({ ...REST, path, recursive: true, how: 'code' }));
  const unlinked = codeFiles(command).unlinked.map((path) => ({ ...REST, path, recursive: false, how: 'code' }));
  return [...deleted, ...unlinked];
}
