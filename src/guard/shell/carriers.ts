/** Commands that build other commands out of their input: `xargs`, `parallel`, `find -exec`. Each gives the commands it would run. */
import { replaceEach } from './bounded.ts';
import { isOpaque, UNKNOWN } from './marks.ts';
import { unwrap } from './wrappers.ts';

const MOST_ITEMS = 256;
const XARGS = { valued: 'adEILnPsS', long: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars'] };
const PARALLEL = { valued: 'jNnIaSdCE', long: ['jobs', 'arg-file', 'colsep', 'delay', 'timeout', 'joblog', 'sshlogin', 'results'] };
/** Tests that narrow what `find` finds to something named; `-type` and depths do not. */
const NARROW =
  /^-(i?name|i?path|i?wholename|i?regex|[acm]?(min|time|newer)|newer..|size|user|group|uid|gid|perm|empty|samefile|inum|links|nouser|nogroup)$/;

export interface Carried {
  readonly argvs: readonly (readonly string[])[];
  readonly code: readonly string[];
}

export function carriedBy(name: string, argv: readonly string[], stdin: string): Carried | undefined {
  if (name === 'xargs' || name === 'gxargs') return xargs(argv, stdin);
  if (name === 'parallel' || name === 'sem') return parallel(argv, stdin);
  if (name === 'find' || name === 'gfind') return { argvs: executed(argv), code: [] };
  return undefined;
}

/** The paths a `find` starts from, and whether its tests narrow the result. */
export function searched(argv: readonly string[]): { readonly roots: readonly string[]; readonly narrowed: boolean } {
  let at = 1;
  while (/^-([HLP]|O\d|D)/.test(argv[at] ?? '')) at += argv[at] === '-D' ? 2 : 1;
  const end = argv.findIndex((word, i) => i >= at && /^[-(!]/.test(word));
  const roots = argv.slice(at, end === -1 ? undefined : end);
  const narrowed = argv.some((word, i) => NARROW.test(word) && !/^[*/.]*$/.test(argv[i + 1] ?? ''));
  return { roots: roots.length > 0 ? roots : ['.'], narrowed };
}

/** What a `find` prints: its starting points and all below, or something below. */
export function foundBy(argv: readonly string[]): readonly string[] {
  const { roots, narrowed } = searched(argv);
  return narrowed
    ? roots.map((root) => `${root.replace(/\/$/, '')}/${UNKNOWN}/${UNKNOWN}`)
    : roots.flatMap((root) => [root, `${root.replace(/\/$/, '')}/*`]);
}

function executed(argv: readonly string[]): readonly (readonly string[])[] {
  const found = foundBy(argv);
  const argvs: (readonly string[])[] = [];
  argv.forEach((word, i) => {
    if (!/^-(exec|execdir|ok|okdir)$/.test(word)) return;
    const end = argv.findIndex((other, j) => j > i && (other === ';' || (other === '+' && argv[j - 1] === '{}')));
    argvs.push(filled(argv.slice(i + 1, end === -1 ? undefined : end), '{}', found));
  });
  return argvs;
}

function xargs(argv: readonly string[], stdin: string): Carried {
  const mark = replaceMark(argv);
  const inner = unwrap(XARGS, argv).argv;
  const command = inner.length > 0 ? inner : ['echo'];
  const items = argv.some((word) => /^(-a|--arg-file)/.test(word)) ? [UNKNOWN] : itemsOf(stdin);
  return { argvs: [mark === undefined ? [...command, ...items] : filled(command, mark, items)], code: [] };
}

function replaceMark(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => /^-(I|i|-replace)/.test(word));
  const word = argv[at];
  if (word === undefined) return undefined;
  if (word === '-I') return argv[at + 1] || undefined;
  return word.replace(/^-(I|i|-replace=?)/, '') || '{}';
}

/** It gives the joined text to a shell; written as one command the words may mean something else, so both readings count. */
function parallel(argv: readonly string[], stdin: string): Carried {
  const at = argv.findIndex((word) => /^:::\+?$/.test(word));
  const command = unwrap(PARALLEL, at === -1 ? argv : argv.slice(0, at)).argv;
  const lines = stdin.split('\n').filter((line) => line !== '');
  const items = (at === -1 ? lines : argv.slice(at + 1)).slice(0, MOST_ITEMS);
  if (command.length === 0) return { argvs: [], code: items };
  const placed = command.some((word) => word.includes('{}')) ? filled(command, '{}', items) : [...command, ...items];
  return { argvs: [placed], code: [placed.join(' ')] };
}

function itemsOf(stdin: string): readonly string[] {
  if (isOpaque(stdin)) return [stdin.trim()];
  return stdin
    .split(/[\s\0]+/)
    .filter((item) => item !== '')
    .slice(0, MOST_ITEMS)
    .map((item) => item.replace(/^(["'])(.*)\1$/, '$2'));
}

function filled(command: readonly string[], mark: string, items: readonly string[]): readonly string[] {
  return command.flatMap((word) => {
    if (word === mark) return items;
    return word.includes(mark) ? items.map((item) => replaceEach(word, mark, item) ?? UNKNOWN) : [word];
  });
}
