/** `fd`, which searches like `find` and runs a command on the files. */
import { type CarriedCommands, fillIn, markFed } from './parallel.ts';

const VALUED =
  /^-[dtecESoj]$|^--(?:max-depth|type|extension|color|exclude|size|owner|threads|changed-within|changed-before|base-directory)$/;
const RUNS = /^(?:-x|-X|--exec|--exec-batch)$/;

/** Returns the folders that `fd` searches, and whether a pattern selects files in them. */
export function searchedBy(argv: readonly string[]): { readonly roots: readonly string[]; readonly narrowed: boolean } {
  const end = argv.findIndex((word) => RUNS.test(word));
  const words = argv.slice(1, end === -1 ? undefined : end);
  const operands = words.filter((word, i) => !/^-./.test(word) && !VALUED.test(words[i - 1] ?? ''));
  const selects = words.some((word) => /^(?:-e|--extension|-g|--glob|-S|--size|--changed-\w+)$/.test(word));
  const [pattern = '.', ...roots] = operands;
  return { roots: roots.length === 0 ? ['.'] : roots, narrowed: selects || !/^[.^*$]*$/.test(pattern) };
}

export function fdCommands(argv: readonly string[]): CarriedCommands | undefined {
  const at = argv.findIndex((word) => RUNS.test(word));
  if (at === -1) return undefined;
  const command = argv.slice(at + 1, argv.indexOf(';', at) === -1 ? undefined : argv.indexOf(';', at));
  const { roots, narrowed } = searchedBy(argv);
  const found = roots.flatMap((root) => {
    const folder = root.replace(/\/$/, '');
    return narrowed ? [`${folder}/\uE000/\uE000`] : [root, `${folder}/*`];
  });
  const filled = command.some((word) => word.includes('{}')) ? command : [...command, '{}'];
  return { argvs: fillIn(filled, '{}', found.map(markFed)), code: [] };
}
