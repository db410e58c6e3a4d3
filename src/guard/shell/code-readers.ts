/**
 * The readers of code in other languages. The build replaces this module in the program, which loads the readers from another file when it
 * meets the first code. In the library they are a part of the guard, so that an agent that is bundled has them too.
 */
import * as readers from './languages.ts';

export function codeReaders(): typeof readers {
  return readers;
}
