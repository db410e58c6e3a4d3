/** Finds programs whose first words limit nothing, because the words after them can be any other program. */

import { WrittenFiles } from '../shell/flow/written.ts';
import { carriedBy, isCarrier } from '../shell/programs/carriers.ts';
import { isInterpreter } from '../shell/programs/programs.ts';
import { BUILTINS } from '../shell/walk/builtins.ts';
import { commandName } from '../shell/walk/noted.ts';
import { wrapperNamed } from '../shell/wrappers/unwrap.ts';

/** Words after which some programs take another program. */
const VERBS = ['run', 'foreach', 'exec'];

/** Returns whether commands that begin with these words can run any program. */
export function runsAnyProgram(words: readonly string[]): boolean {
  const name = commandName(words[0] ?? '');
  if (isInterpreter(name) || isCarrier(name) || BUILTINS.has(name)) return true;
  // Its options before the subcommand can name programs.
  if (name === 'git' && words.length === 1) return true;
  const files = new WrittenFiles();
  const carries = [words, ...VERBS.map((verb) => [...words, verb])].some((start) => {
    const carried = carriedBy(name, [...start, 'program'], '', files);
    return carried !== undefined && carried.argvs.length + carried.code.length > 0;
  });
  return carries || isWrapper(name, words);
}

function isWrapper(name: string, words: readonly string[]): boolean {
  let wrapper = wrapperNamed(name);
  for (const word of words.slice(1)) {
    if (!wrapper?.verbs) break;
    if (!Object.hasOwn(wrapper.verbs, word)) return false;
    wrapper = wrapper.verbs[word];
  }
  return wrapper !== undefined;
}
