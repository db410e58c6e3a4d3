/**
 * The classes of a path: the root, a system folder, the home, the project and so on. The check is lexical and never reads the file system.
 * `KnownFolders` contains the folders of the command. Without it, the working folder is the project and the home has no name.
 */
import { posix } from 'node:path';
import { isDynamic } from '../../shell/marks.ts';
import type { KnownFolders } from '../effect.ts';
import { type Forms, globClasses, segmentMeans } from './path-globs.ts';

/** Raw devices, by the names that operating systems use. */
const DEVICE = new RegExp(
  `^/dev/(?:${[
    'r?disk\\d+(?:s\\d+)*',
    '[shv]d[a-z]{1,3}\\d*',
    'xvd[a-z]{1,2}\\d*',
    'nvme\\d+(?:c\\d+)?(?:n\\d+(?:p\\d+)?)?',
    'ng\\d+n\\d+',
    'mmcblk\\d+(?:p\\d+|boot\\d+|rpmb)?',
    'md(?:\\d+|_d\\d+)(?:p\\d+)?',
    'dm-\\d+',
    '(?:loop|nbd|zd|sr|sg|st|nst|pmem|mtd|mtdblock|ram|zram|bcache|drbd|rbd|ublkb|ada|da|cd|fd|vtbd)\\d+(?:p\\d+|s\\d+[a-h]?|[ro]{2})?',
    'dax\\d+\\.\\d+',
    'k?mem|port|cdrom|dvd',
    '(?:mapper|disk|block|md|zvol|cciss|ida|rd)/.+',
    // Volume groups have a folder each.
    '(?!(?:shm|pts|fd|input|snd|net|bus|char|cpu|dri|hugepages|mqueue|usb|vfio|tcp|udp|serial|v4l|dma_heap|infiniband)/)[\\w.+-]+/[\\w.+-]+',
  ].join('|')})$`,
  'i',
);
const OPEN = /\[!?([^\]]?)[^\]]*\]|[*?]|[\uE000-\uE00F]/g;

/** Returns whether an absolute path is a device. `sd?`, `sd*` and an unknown name count as the devices they can match. */
export function isDevice(path: string): boolean {
  if (!path.startsWith('/dev/') || path.length > 256) return false;
  if (/^\/dev\/(?:[*?]|[\uE000-\uE00F])+$/.test(path)) return true;
  return ['a', '0'].some((char) => DEVICE.test(path.replace(OPEN, (_, first?: string) => first || char)));
}

export interface ClassifiedPath {
  /** The path as it is written in the command. */
  readonly text: string;
  /**
   * All classes of the path: root, system, in-system, home, temp-root, temp, project-root, project, parent, outside, device, git-dir,
   * nested-git, temp-git, dynamic, dynamic-root (possibly the root, a system folder or the home), and the classes in `paths:` of the rules.
   */
  readonly classes: readonly string[];
}

/** Stands for a folder with an unknown name. No path in a command contains this character. */
const NAMELESS = '\uF8FF';
const UNNAMED_PROJECT = `/${Array(8).fill(NAMELESS).join('/')}`;
const UNNAMED_HOME = `/home/${NAMELESS}`;
/** No operating system accepts a longer path. */
const MOST_PATH = 4096;
const MARKS = /[\uE000-\uE00F]/g;

const TOP =
  'bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc run sbin snap srv sys usr var private system library applications users volumes cores windows'.split(
    ' ',
  );
const BELOW: Readonly<Record<string, RegExp>> = {
  usr: /^(bin|sbin|lib\w*|libexec|local|share|include|src)$/,
  var: /^(lib|log|cache|spool|run|mail|db|www|root)$/,
  etc: /^(ssh|ssl|pam\.d|systemd|init\.d|apt|security|default|network|sudoers\.d|cron\.\w+)$/,
  boot: /./,
  dev: /./,
  sys: /./,
  proc: /./,
  lib: /^(modules|systemd|x86_64-linux-gnu)$/,
  system: /./,
  private: /^(etc|var)$/,
  windows: /^(system32|syswow64)$/,
  mnt: /^[a-z]$/,
};
const IN_SYSTEM =
  /^\/(?:(?:bin|boot|etc|lib|lib32|lib64|sbin|sys|system|windows|proc\/sys|private\/etc)\/|usr\/(?!local\/)|[a-z]:\/(?:windows|program files[^/]*)(?:\/|$))/i;
const HOME = /^(?:\/home\/[^/]+|\/users\/[^/]+|\/root|\/var\/root|\/[a-z]:\/users\/[^/]+)(?=\/|$)/i;
const TEMP = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)(\/.+)?$/i;
const GIT = /(?:^|\/)\.git$/i;

/** Cache for one set of folders, because several readers ask for the same paths. */
let known: { readonly knownFolders: KnownFolders; readonly paths: Map<string, ClassifiedPath> } | undefined;
const MOST_KNOWN = 4096;

export function classifyPath(text: string, cwd: string, knownFolders: KnownFolders): ClassifiedPath {
  if (known?.knownFolders !== knownFolders || known.paths.size > MOST_KNOWN) known = { knownFolders, paths: new Map() };
  const key = `${cwd}\0${text}`;
  const before = known.paths.get(key);
  if (before !== undefined) return before;
  const located = locate(text, cwd, knownFolders);
  known.paths.set(key, located);
  return located;
}

function locate(text: string, cwd: string, knownFolders: KnownFolders): ClassifiedPath {
  if (text === '' || text.length > MOST_PATH) return { text, classes: [] };
  const written = text.replace(/\r$/, '');
  const classes =
    isDynamic(written) || isDynamic(cwd)
      ? dynamicClasses(written, cwd, knownFolders)
      : classesOf(absolutePath(written, cwd, knownFolders), knownFolders);
  return { text, classes };
}

/** Returns the absolute path. Folders with unknown names have placeholders. */
export function absolutePath(text: string, cwd: string, { cwd: here, root, home = UNNAMED_HOME }: KnownFolders): string {
  const start = here ?? root ?? UNNAMED_PROJECT;
  const from = (path: string, base: string): string => {
    if (path === '') return base;
    if (/^[a-z]:(?:[\\/]|$)/i.test(path)) return `/${path.replaceAll('\\', '/')}`;
    if (path === '~' || path.startsWith('~/')) return home + path.slice(1);
    return path.startsWith('/') ? path : `${base}/${path}`;
  };
  return posix
    .normalize(from(text, from(cwd, start)))
    .replace(/^\/+/, '/')
    .replace(/(.)\/$/, '$1');
}

/** Returns the forms of an absolute path that a glob can use. */
export function formsOf(full: string, { cwd, root = cwd ?? UNNAMED_PROJECT, home }: KnownFolders): Forms {
  const inHome = home !== undefined && home.length > 1 && isBelow(full, home) ? home.length : (HOME.exec(full)?.[0].length ?? -1);
  const inProject = isBelow(full, root);
  return {
    absolute: full,
    home: inHome === -1 ? undefined : `~${full.slice(inHome)}`,
    project: inProject ? full.slice(root.length + 1) || '.' : undefined,
  };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function classesOf(full: string, knownFolders: KnownFolders): readonly string[] {
  // `x/*` is everything in `x`.
  const folder = withoutAll(full);
  const forms = formsOf(folder, knownFolders);
  const classes = new Set(globClasses(forms));
  if (folder !== full) for (const name of globClasses(formsOf(full, knownFolders))) classes.add(name);
  if (folder === '/' || /^\/[a-z]:$/i.test(folder)) classes.add('root');
  if (forms.home === '~') classes.add('home');
  if (isDevice(full)) classes.add('device');
  if (GIT.test(folder)) for (const name of gitClasses(folder, forms, knownFolders)) classes.add(name);
  const temp = TEMP.exec(folder);
  if (temp) classes.add(temp[1] === undefined ? 'temp-root' : 'temp');
  if (forms.project === '.') classes.add('project-root');
  else if (forms.project !== undefined) classes.add('project');
  else if (isBelow(knownFolders.root ?? knownFolders.cwd ?? UNNAMED_PROJECT, folder)) classes.add('parent');
  for (const name of ownClasses(folder, knownFolders)) classes.add(name);
  if (!temp && forms.project === undefined) {
    if (isSystem(folder)) classes.add('system');
    else if (IN_SYSTEM.test(folder)) classes.add('in-system');
    if (!['root', 'system', 'home', 'parent'].some((name) => classes.has(name))) classes.add('outside');
  }
  return [...classes];
}

/** Returns the classes of a folder `.git`: that of the project, of a repository in the project, of a copy among temporary files, or of another one. */
function gitClasses(folder: string, { project }: Forms, { root, cwd }: KnownFolders): readonly string[] {
  if (project?.includes('/')) return ['git-dir', 'nested-git'];
  const holdsProject = isBelow(root ?? cwd ?? UNNAMED_PROJECT, posix.dirname(folder));
  return TEMP.test(folder) && !holdsProject ? ['git-dir', 'temp-git'] : ['git-dir'];
}

/** Returns the classes of Hookline's own files. A program in the project is the work of the project and not an installation. */
function ownClasses(folder: string, { own, root, cwd }: KnownFolders): readonly string[] {
  if (own === undefined) return [];
  const project = root ?? cwd;
  const installed = own.programs.filter((place) => project === undefined || !isBelow(place, project));
  return [
    ...(own.stores.some((place) => isBelow(folder, place)) ? ['guard-store'] : []),
    ...(installed.some((place) => isBelow(folder, place) || posix.dirname(place) === folder) ? ['own-installed'] : []),
  ];
}

/** Removes the last segments that match everything: `*`, `.*`, `.[!.]*`, `**`. */
function withoutAll(full: string): string {
  let end = full.length;
  for (;;) {
    const at = full.lastIndexOf('/', end - 1);
    const segment = full.slice(at + 1, end);
    if (at === -1 || segment.length > 64 || !/^[.*?]*\*[.*?]*$/.test(segment.replace(/\[[^\]]*\]/g, '?'))) break;
    end = at;
    if (end === 0) return '/';
  }
  return full.slice(0, end);
}

/** Returns whether the folder is a system folder. `/et?` and `/e*` match `/etc`. */
function isSystem(folder: string): boolean {
  const [, top = '', below, deeper] = folder.toLowerCase().split('/');
  if (deeper !== undefined || top === '') return false;
  if (below === undefined) return /^[a-z]$/.test(top) || TOP.some(segmentMeans(top));
  const names = Object.hasOwn(BELOW, top) ? BELOW[top] : undefined;
  return names?.test(below) === true || (/^[a-z]:?$/.test(top) && /^(windows|users|program files.*)$/.test(below));
}

/** Returns the classes of a path with unknown parts. An unknown part can be empty, so `"$X/"` can be the root and `"$HOME/$X"` the home. */
function dynamicClasses(written: string, cwd: string, knownFolders: KnownFolders): readonly string[] {
  const emptied = written.replace(MARKS, '');
  const placeKnown = /^[/~]/.test(written) || (!isDynamic(cwd) && !isDynamic(written[0] ?? ''));
  const known = placeKnown
    ? classesOf(absolutePath(written, cwd.replace(MARKS, ''), knownFolders), knownFolders)
    : ['dynamic', ...anywhere(written, knownFolders)];
  const everything = !isDynamic(written) && /^(?:\.\/)*[.*]+$/.test(written);
  if (everything) return [...known, 'dynamic-root'];
  if (emptied === '' || (!/^[/~]/.test(emptied) && !placeKnown)) return known;
  // An empty folder in the middle still leaves the named folder after it.
  const last =
    written
      .replace(/\/+(?:\*+)?$/, '')
      .split('/')
      .at(-1) ?? '';
  if (placeKnown && last.replace(MARKS, '') !== '') return known;
  const left = classesOf(absolutePath(emptied, cwd.replace(MARKS, ''), knownFolders), knownFolders);
  // A folder with one letter is a drive of Windows only where its path is known.
  if (/^\/[a-z]$/i.test(emptied)) return known;
  return left.some((name) => name === 'root' || name === 'system' || name === 'home') ? [...known, 'dynamic-root'] : known;
}

/** Returns the classes that a file has by its name in any folder, as far as they concern code that starts by itself. */
function anywhere(written: string, knownFolders: KnownFolders): readonly string[] {
  const tail = /(?:\/[^/\uE000-\uE00F]+)+$/.exec(written)?.[0];
  return tail === undefined ? [] : classesOf(`${UNNAMED_PROJECT}/any${tail}`, knownFolders).filter((name) => name === 'startup');
}
