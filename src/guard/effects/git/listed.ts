/** Effect `git.delete-tracked`: a command deletes or empties every file that git lists. Facts: `command`, `words`. */
import { codeReaders } from '../../shell/code-readers.ts';
import { type EffectiveCommand, isForeign } from '../../shell/machine.ts';
import { LISTED } from '../../shell/marks.ts';
import { type Effect, effect } from '../effect.ts';

const LISTS = /^(?:ls-files|ls-tree)$/;
/** Options with which a list has other files, or only some of them. */
const PICKS =
  /^(?:-[a-zA-Z]*[odmiukx][a-zA-Z]*|--(?:others|deleted|modified|ignored|unmerged|killed|exclude.*|with-tree.*|error-unmatch))$/;
const REMOVES = /^(?:rm|unlink|shred|truncate|srm|trash)$/;
/** Commands that print nothing, so that a file gets no content. */
const EMPTIES = /^(?::|true)$/;
/** Programs in a pipeline that pass every line on. */
const PASSES = /^(?:|perl|ruby|python[\d.]*|node|g?xargs|parallel|sort|uniq|tac|cat|tee|tr|shuf|while|read)$/;

export function trackedDeletions(
  commands: readonly EffectiveCommand[],
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  let listed = false;
  return commands.flatMap((command) => {
    const { name, argv, next, stdin, writes, program } = command;
    if (name === 'git') listed ||= listsAll(argv) && PASSES.test(next[0] ?? '');
    if (!listed) return [];
    const seen = effect('git.delete-tracked', { command: name, words: argv.slice(1).join(' ') });
    if (stdin.includes(LISTED) && isForeign(program) && codeReaders().deletesLines(program.text, name, argv)) return [{ command, seen }];
    const named = REMOVES.test(name) ? argv : EMPTIES.test(name) ? writes : [];
    return named.some((word) => word.includes(LISTED)) ? [{ command, seen }] : [];
  });
}

function listsAll(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => LISTS.test(word));
  if (at === -1) return false;
  const words = argv.slice(at + 1);
  const operands = words.filter((word) => !word.startsWith('-') && word !== '.');
  return !words.some((word) => PICKS.test(word)) && operands.length === (argv[at] === 'ls-tree' ? 1 : 0);
}
