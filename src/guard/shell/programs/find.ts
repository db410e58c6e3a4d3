/** Parses the words of `find`: options, starting points, then an expression in which each test takes its own number of words. */
import { lazily } from '../../lazily.ts';
import { UNKNOWN } from '../marks.ts';

/** Tests and actions that take one word. `-fprintf` takes two, and all others take none. */
const TAKES_ONE = lazily(
  () =>
    new Set(
      `-amin -anewer -atime -cmin -cnewer -context -ctime -files0-from -fls -fprint -fprint0 -fstype -gid -group -ilname -iname -inum -ipath
      -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype -samefile -size
      -type -uid -used -user -wholename -xattr -xtype -flags -newerXY`.split(/\s+/),
    ),
);
/** Tests that narrow the result to certain files. `-type` and the depth tests do not. */
const NARROW =
  /^-(i?name|i?path|i?wholename|i?lname|i?regex|[acm](min|time|newer)|newer|newer..|size|user|group|uid|gid|perm|empty|samefile|inum|links|nouser|nogroup|used)$/;

export interface Search {
  readonly roots: readonly string[];
  /** Whether the tests narrow the result to certain files. */
  readonly narrowed: boolean;
  readonly deletes: boolean;
  /** The commands of `-exec` and similar actions. `closed` is false if the final `;` or `+` is missing. */
  readonly commands: readonly { readonly argv: readonly string[]; readonly closed: boolean; readonly asks: boolean }[];
  /** Words in the position of a test or an action. A test that every file passes is `-true`. */
  readonly expression: readonly string[];
}

export function parseFind(argv: readonly string[]): Search {
  let at = 1;
  const roots: string[] = [];
  for (; /^-([HLPXEsdx]+|O\d?|D|f)$/.test(argv[at] ?? ''); at++) {
    if (argv[at] === '-f') roots.push(argv[++at] ?? '.');
    else if (argv[at] === '-D') at++;
  }
  for (; at < argv.length && !/^([-(!),])/.test(argv[at] ?? ''); at++) roots.push(argv[at] ?? '');
  return { roots: roots.length > 0 ? roots : ['.'], ...expressionOf(argv, at) };
}

/** Returns the paths that `find` prints: its starting points and everything below, or unknown paths below. */
export function foundBy(argv: readonly string[]): readonly string[] {
  const { roots, narrowed } = parseFind(argv);
  return narrowed
    ? roots.map((root) => `${root.replace(/\/$/, '')}/${UNKNOWN}/${UNKNOWN}`)
    : roots.flatMap((root) => [root, `${root.replace(/\/$/, '')}/*`]);
}

function expressionOf(argv: readonly string[], from: number): Omit<Search, 'roots'> {
  const commands: { argv: readonly string[]; closed: boolean; asks: boolean }[] = [];
  const expression: string[] = [];
  let [narrowed, deletes] = [false, false];
  for (let at = from; at < argv.length; at++) {
    const word = argv[at] ?? '';
    expression.push(word);
    if (/^-(exec|execdir|ok|okdir)$/.test(word)) {
      let end = at + 1;
      while (end < argv.length && argv[end] !== ';' && !(argv[end] === '+' && argv[end - 1] === '{}')) end++;
      commands.push({ argv: argv.slice(at + 1, end), closed: end < argv.length, asks: word.startsWith('-ok') });
      at = end;
      continue;
    }
    const takes = word === '-fprintf' ? 2 : TAKES_ONE().has(word) || /^-newer..$/.test(word) ? 1 : 0;
    const value = argv[at + 1] ?? '';
    if (takes === 1 && /^[*/.]*$/.test(value) && NARROW.test(word)) expression[expression.length - 1] = '-true';
    else if (NARROW.test(word)) narrowed = true;
    if (word === '-delete') deletes = true;
    at += takes;
  }
  return { narrowed, deletes, commands, expression };
}
