/** What a command deletes or moves away. A tool that is only asked for help, or only tries, deletes nothing. */

import { deletedPaths } from '../../shell/foreign/index.ts';
import { type Effective, isForeign } from '../../shell/machine.ts';
import { isOpaque } from '../../shell/marks.ts';
import { parseFind } from '../../shell/programs/find.ts';
import { type Arguments, isRemotePath, readArguments } from '../arguments.ts';
import { codeFiles, patched } from './from-code.ts';
import { SYNTAX, toolName } from './syntax.ts';

export interface Deletion {
  readonly path: string;
  readonly recursive: boolean;
  /** Never asks. */
  readonly forced: boolean;
  /** Only what a test picks out below the path. */
  readonly narrowed: boolean;
  /** The root is not protected. */
  readonly unprotected: boolean;
  /** `rm`, `find`, `rsync`, `shred`, `code`, `tool`. */
  readonly how: string;
}

const REMOVERS = /^(?:.*\/)?(?:g?rm|unlink|rmdir|g?shred|srm)$/;
/** Not which are empty, of which kind, or how deep. */
const PICKS = /^-(?:i?l?name|i?path|i?wholename|i?regex|[acm]min|[acm]time|[ac]?newer.{0,2}|size|samefile|inum|user|group|uid|gid)$/;
const REST = { forced: true, narrowed: false, unprotected: false };

export function deletions(command: Effective): readonly Deletion[] {
  const { argv, program } = command;
  const name = toolName(command.name);
  const read = (): Arguments => readArguments(argv, SYNTAX[name]);
  switch (name) {
    case 'rm':
      return removed(command.name, argv, read());
    case 'unlink':
      return read().operands.map((path) => ({ ...REST, path, recursive: false, how: 'rm' }));
    case 'del':
    case 'erase':
    case 'rd':
      return windows(argv);
    case 'shred':
      return shredded(read());
    case 'find':
      return found(argv);
    case 'rsync':
      return synchronised(argv, read());
    case 'mv':
      return discarded(read());
    case 'tar':
      return packed(argv, read());
    case 'apply_patch':
      return patched(command, 'delete').map((path) => ({ ...REST, path, recursive: false, how: 'tool' }));
    default:
      return isForeign(program) ? byCode(command, program.text) : [];
  }
}

/** What `mv` takes away from its place. */
export function movedAway({ name, argv }: Effective): readonly string[] {
  if (toolName(name) !== 'mv') return [];
  const { operands, idle, has } = readArguments(argv, SYNTAX['mv']);
  if (idle) return [];
  return has('t', 'target-directory') ? operands : operands.slice(0, -1);
}

function removed(name: string, argv: readonly string[], { operands, idle, has }: Arguments): readonly Deletion[] {
  if (idle) return [];
  const always = name === 'rimraf';
  // A word that is not known may hold the option that makes it recursive.
  const recursive = always || has('r', 'R', 'recursive') || argv.slice(1, -1).some(isOpaque);
  const facts = { recursive, forced: always || has('f', 'force'), narrowed: false, unprotected: has('no-preserve-root'), how: 'rm' };
  // All files in a folder are as good as the folder.
  return operands.map((path) => ({ ...facts, path, ...(!recursive && /(?:^|\/)\*+$/.test(path) && { recursive: true, forced: false }) }));
}

function windows(argv: readonly string[]): readonly Deletion[] {
  const switches = argv.slice(1).filter((word) => /^\/[a-z]$/i.test(word));
  const recursive = switches.some((word) => /s/i.test(word));
  if (switches.length === 0) return [];
  return argv
    .slice(1)
    .filter((word) => !switches.includes(word))
    .map((path) => ({ ...REST, path, recursive, how: 'rm' }));
}

function shredded({ operands, idle }: Arguments): readonly Deletion[] {
  return idle ? [] : operands.map((path) => ({ ...REST, path, recursive: false, how: 'shred' }));
}

function found(argv: readonly string[]): readonly Deletion[] {
  const { roots, deletes, commands, narrowed, expression } = parseFind(argv);
  // A command that is not closed is a mistake, and nothing runs.
  if (expression.some((word) => /^--?(?:help|version)$/.test(word)) || commands.some(({ closed }) => !closed)) return [];
  const removes = commands.some((run) => run.argv.includes('{}') && run.argv.slice(0, 3).some((word) => REMOVERS.test(word)));
  const picked = narrowed && picks(expression);
  return deletes || removes
    ? roots.map((path) => ({ path, recursive: true, forced: false, narrowed: picked, unprotected: false, how: 'find' }))
    : [];
}

/** Whether a test says which things are meant, and no other way leads around it. */
function picks(expression: readonly string[]): boolean {
  if (expression.some((word) => /^(?:-or?|,)$/.test(word)) && !expression.includes('(')) return false;
  return expression.some((word, i) => PICKS.test(word) && !/^(?:!|-not)$/.test(expression[i - 1] ?? ''));
}

/** The target loses what the source does not have; the source may lose what the target now has. */
function synchronised(argv: readonly string[], { operands, idle, has }: Arguments): readonly Deletion[] {
  if (idle || has('n', 'dry-run', 'list-only')) return [];
  const target = argv.some((word) => /^--del(?:ete)?(?:$|-)/.test(word)) ? operands.slice(1).slice(-1) : [];
  const sources = has('remove-source-files') ? operands.slice(0, -1) : [];
  return [...sources, ...target].filter((path) => !isRemotePath(path)).map((path) => ({ ...REST, path, recursive: true, how: 'rsync' }));
}

/** What is moved there is gone. */
function discarded({ operands, idle }: Arguments): readonly Deletion[] {
  if (idle || operands.at(-1) !== '/dev/null') return [];
  return operands.slice(0, -1).map((path) => ({ ...REST, path, recursive: true, how: 'mv' }));
}

function packed(argv: readonly string[], { operands, has }: Arguments): readonly Deletion[] {
  if (!argv.includes('--remove-files')) return [];
  // Old style: the first word holds the options, and the archive follows it.
  const paths = has('c', 'create', 'r', 'u') ? operands : operands.slice(2);
  return paths.map((path) => ({ ...REST, path, recursive: true, how: 'tar' }));
}

function byCode(command: Effective, text: string): readonly Deletion[] {
  const deleted = deletedPaths(text, command.name).map((path) => ({ ...REST, path, recursive: true, how: 'code' }));
  const unlinked = codeFiles(command).unlinked.map((path) => ({ ...REST, path, recursive: false, how: 'code' }));
  return [...deleted, ...unlinked];
}
