/**
 * The engine for regular expressions, loaded when the first pattern needs it, so a run with simple patterns alone does not pay for it. The
 * build replaces the import below: the program finds the engine in a file next to it, and the library contains it, so that an agent that is
 * bundled has it too.
 */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { HooklineError } from '../../core/values/errors.ts';

let loaded: typeof RE2JS | undefined;

export function regexEngine(): typeof RE2JS {
  loaded ??= load();
  return loaded;
}

/** An engine that is missing says nothing about the pattern, so this is an error of its own. */
function load(): typeof RE2JS {
  try {
    const module: typeof import('re2js') = createRequire(import.meta.url)('re2js');
    return module.RE2JS;
  } catch (cause) {
    throw new HooklineError('bad-installation', 'The engine for regular expressions cannot be loaded.', {
      hint: 'Install Hookline again: `npm install --global hookline`.',
      cause,
    });
  }
}
