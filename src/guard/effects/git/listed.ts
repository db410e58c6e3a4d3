/** Effect `git.delete-tracked`: a command deletes or empties every file that git lists. Facts: `command`, `words`. */
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic } from '../../shell/marks.ts';
import { type Effect, effect } from '../effect.ts';

const LISTS = /^(?:ls-files|ls-tree)$/;
/** Options with which a list has other files, or only some of them. */
const PICKS =
  /^(?:-[a-zA-Z]*[odmiukx][a-zA-Z]*|--(?:others|deleted|modified|ignored|unmerged|killed|exclude.*|with-tree.*|error-unmatch))$/;
const REMOVES = /^(?:rm|unlink|shred|truncate|srm|trash)$/;
/** Programs in a pipeline that pass every line on. */
const PASSES = /^(?:|g?xargs|parallel|sort|uniq|tac|cat|tee|tr|shuf|while|read)$/;

export function trackedDeletions(
  commands: readonly EffectiveCommand[],
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  let listed = false;
  return commands.flatMap((command) => {
    const { name, argv, next, shown, via, stdin } = command;
    if (name === 'git') listed ||= listsAll(argv) && PASSES.test(next[0] ?? '') && (!shown || next.length > 0 || command.spawned);
    if (!listed || !REMOVES.test(name) || !argv.slice(1).some(isDynamic)) return [];
    const fed =
      via.some((by) => /^g?xargs$|^parallel$/.test(by)) ||
      stdin !== '' ||
      argv.slice(1).every((word) => /^-/.test(word) || isDynamic(word));
    return fed ? [{ command, seen: effect('git.delete-tracked', { command: name, words: argv.slice(1).join(' ') }) }] : [];
  });
}

function listsAll(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => LISTS.test(word));
  if (at === -1) return false;
  const words = argv.slice(at + 1);
  const operands = words.filter((word) => !word.startsWith('-') && word !== '.');
  return !words.some((word) => PICKS.test(word)) && operands.length === (argv[at] === 'ls-tree' ? 1 : 0);
}
