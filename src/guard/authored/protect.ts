/**
 * The paths that settings protect: which uses of files by a command or a tool they concern, and the finding on each. A path in a command can have
 * wildcards and unknown parts, and then it concerns every protected path that it can mean.
 */
import { type FileUse, type Protection, protectionOf } from '../../core/contracts/guard-settings.ts';
import type { KnownFolders } from '../effects/effect.ts';
import { deletions, movedAway } from '../effects/files/deleted.ts';
import { modeChanges } from '../effects/files/modes.ts';
import { absolutePath } from '../effects/files/path.ts';
import { writings } from '../effects/files/written.ts';
import type { Violation } from '../findings.ts';
import { spend } from '../limits.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { isDynamic, printable } from '../shell/marks.ts';
import { isNamed, meet, type Segments, segmentsOf } from './segments.ts';
import { behindLinks, foldersPatched, foldersRead, foldersRestored, linksOf, type WholeRead } from './whole-folders.ts';

export type Protections = Readonly<Record<string, Protection>>;

/** One use of a path. `whole`: with everything below it. */
interface Use {
  readonly path: string;
  readonly use: FileUse;
  readonly whole?: boolean;
  /** The parts of a folder that are left out. */
  readonly without?: Omit<WholeRead, 'path'>;
  /** Whether it can pass over the files that are protected, so that a person decides. */
  readonly maybe?: true;
}

/**
 * Returns the findings on the files that a command uses.
 *
 * @param all The commands of the same text, because they can make links.
 */
export function protectedByCommand(
  command: EffectiveCommand,
  protect: Protections,
  folders: KnownFolders,
  all: readonly EffectiveCommand[],
): readonly Violation[] {
  const links = linksOf(all, folders);
  const found = usesOf(command).flatMap((use) => {
    const segments = segmentsIn(use.path, command.cwd, folders);
    if (segments === undefined) return [];
    const isKnown = links.length > 0 && !isDynamic(use.path + command.cwd);
    const behind = isKnown ? behindLinks(absolutePath(use.path, command.cwd, folders), links) : [];
    return [
      ...concerned(segments, use, protect, folders),
      ...behind.flatMap((path) => concerned(segmentsOf(path), { ...use, path }, protect, folders)),
    ];
  });
  return distinct(found);
}

/** Returns the findings on a file that a tool uses, by its absolute path. */
export function protectedByTool(path: string, use: FileUse, protect: Protections, folders: KnownFolders): readonly Violation[] {
  return distinct(concerned(segmentsOf(path.replaceAll('\\', '/')), { path, use, whole: use === 'delete' }, protect, folders));
}

function usesOf(command: EffectiveCommand): readonly Use[] {
  const deleted = deletions(command).filter(({ leftovers }) => !leftovers);
  return [
    ...deleted.map(({ path, recursive }): Use => ({ path, use: 'delete', whole: recursive })),
    ...movedAway(command).map((path): Use => ({ path, use: 'delete', whole: true })),
    ...[...writings(command), ...modeChanges(command)].map(({ path }): Use => ({ path, use: 'write' })),
    ...(command.name === 'touch' ? command.argv.slice(1).map((path): Use => ({ path, use: 'write' })) : []),
    ...(command.guessed ? [] : (command.flow?.reads ?? []).map(({ path }): Use => ({ path, use: 'read' }))),
    ...foldersRead(command).map(({ path, ...without }): Use => ({ path, use: 'read', whole: true, without })),
    ...foldersRestored(command).map((path): Use => ({ path, use: 'write', whole: true })),
    ...foldersPatched(command).map((path): Use => ({ path, use: 'write', whole: true, maybe: true })),
  ];
}

function concerned(segments: Segments, named: Use, protect: Protections, folders: KnownFolders): readonly Violation[] {
  const { path, use, whole, without, maybe } = named;
  const isPattern = segments.some((segment) => /[*?]/.test(segment)) && !segments.includes('**');
  return Object.entries(protect).flatMap(([glob, protection]): readonly Violation[] => {
    const word = protectionOf(protection, use);
    if (word === undefined) return [];
    spend(1);
    const area = areaOf(glob, folders);
    // `secrets/**` is the folder too, unless a pattern such as `*` names it among others.
    const isAmongOthers = isPattern && !whole && area.at(-1) === '**' && meet(segments, area.slice(0, -1));
    // A glob for any folder says nothing about this one, and every search would concern it.
    if (without !== undefined && (area[0] === '**' || isLeftOut(area, segments, without))) return [];
    const isItself = meet(segments, area) && !isAmongOthers;
    if (!isItself && !(whole === true && meet([...segments, '**'], area))) return [];
    // A glob for any folder does not say that this one has such a file, and tools fill some folders again without help.
    const isAnywhere = !isItself && area[0] === '**';
    if (isAnywhere && OUTPUT.test(segments.at(-1) ?? '')) return [];
    // A search, a wildcard and a patch pass over most of what they can mean, so a person decides.
    const isSure = !isAnywhere && !maybe && !without?.search && isNamed(segments, area);
    return [violation(glob, path, use, protection, isSure ? word : 'ask')];
  });
}

/** Returns whether a read of a folder leaves a protected place out: by an option that names a part of it, or because it is hidden. */
function isLeftOut(area: Segments, segments: Segments, { except, visible }: Omit<WholeRead, 'path'>): boolean {
  const below = area.slice(segments.length);
  if (visible && below.some((name) => name.startsWith('.'))) return true;
  const names = except.flatMap((word) => segmentsOf(word.replace(/^!/, ''))).filter((name) => !/^\*+$/.test(name));
  return area.some((name) => names.includes(name));
}

/** Returns the absolute form of a glob. One that starts with a name is relative to the project. */
function areaOf(glob: string, folders: KnownFolders): Segments {
  return segmentsOf(glob.startsWith('**/') ? glob : absolutePath(glob, '', { ...folders, cwd: folders.root ?? folders.cwd ?? '' }));
}

/** Returns the segments of a path in a command. Undefined: nothing of it is known. */
function segmentsIn(written: string, cwd: string, folders: KnownFolders): Segments | undefined {
  if (written === '' || written === '-' || written.length > MOST_PATH) return undefined;
  const isPlaced = /^[/~]/.test(written);
  if ((!isPlaced && isDynamic(cwd)) || isDynamic(written[0] ?? '')) return undefined;
  const full = absolutePath(written, isPlaced ? '' : cwd, folders).replace(/\[[^\]/]*\]/g, '?');
  const segments = segmentsOf(full);
  const open = segments.findIndex((segment) => isDynamic(segment));
  // The value of a variable can have several segments.
  return open === -1
    ? segments
    : [...segments.slice(0, open), ...(open === segments.length - 1 ? ['**'] : ['**', ...known(segments.slice(open + 1))])];
}

function known(segments: Segments): Segments {
  return segments.map((segment) => (isDynamic(segment) ? '**' : segment));
}

/** Folders that build and package tools fill. */
const OUTPUT =
  /^(?:node_modules|dist|build|out|output|target|coverage|tmp|temp|bin|obj|\.next|\.nuxt|\.turbo|\.cache|\.venv|venv|__pycache__|\.pytest_cache)$/;
const MOST_PATH = 4096;
const VERBS: Readonly<Record<FileUse, string>> = { read: 'Reads', write: 'Changes', delete: 'Deletes' };

function violation(glob: string, path: string, use: FileUse, { reason, instead, locked }: Protection, word: 'ask' | 'deny'): Violation {
  const why = reason === undefined ? '' : `: ${reason.trim()}`;
  return {
    rule: 'protected-path',
    severity: word === 'deny' ? 'high' : 'medium',
    message: printable(`${VERBS[use]} ${path.slice(0, 200)}, which the settings protect as ${glob}${why}`),
    hint: instead ?? 'Leave the file as it is, or let a person decide.',
    category: 'protect',
    ...(locked && { locked }),
  };
}

function distinct(found: readonly Violation[]): readonly Violation[] {
  return found.length < 2 ? found : [...new Map(found.map((one) => [one.message, one])).values()];
}
