/** Reads from the command line where `check`, `audit` and `trust` look for hooks. */

import { checkOptions } from '../../api/options.ts';
import type { FindOptions } from '../../load/check-files.ts';
import { type Arguments, optionValue, optionValues } from '../arguments.ts';
import { readRoot } from '../engine-options.ts';

export function findOptions(args: Arguments, paths: readonly string[]): FindOptions {
  const home = optionValue(args, 'home');
  const only = optionValues(args, 'only');
  const policy = optionValue(args, 'policy');
  checkOptions({ only });
  return {
    root: readRoot(args),
    ...(home !== undefined && { home }),
    ...(only.length > 0 && { only }),
    ...(policy !== undefined && { policy }),
    skills: optionValues(args, 'skills'),
    plugins: optionValues(args, 'plugins'),
    hooks: optionValues(args, 'hooks'),
    paths,
  };
}
