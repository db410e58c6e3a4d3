/** How much of a working tree the paths of a git command stand for. */
import { isDynamic } from '../../shell/marks.ts';

export type Reach = 'all' | 'named' | 'unknown';

/** `all` if one of them is the whole tree, or only says what is left out. */
export function reachOf(paths: readonly string[]): Reach {
  if (paths.length === 0 || paths.some(isWhole) || paths.every(isExclusion)) return 'all';
  return paths.some(isDynamic) ? 'unknown' : 'named';
}

/** Whether a single operand of `git checkout` is meant as a path and not as a branch. */
export function looksLikePath(word: string): boolean {
  if (isWhole(word) || /^(\.{0,2}\/|:)|[*?[]|\/$/.test(word)) return true;
  // Names of versions have dots as well.
  return /[^/]\.[a-z][a-z0-9]{0,4}$/i.test(word) && !/\d\.(x$|\d)/.test(word);
}

function isWhole(path: string): boolean {
  return /^(\.{1,2}\/?|(\.\/)?\*{1,2}(\/\*{1,2})?|\/|:\/?(\*{1,2})?|:\((top|glob|top,glob)\)(\*{1,2}(\/\*{1,2})?|\.)?|(\.\.\/)+\.{0,2})$/.test(
    path,
  );
}

function isExclusion(path: string): boolean {
  return /^:(!|\^|\(exclude)/.test(path);
}
