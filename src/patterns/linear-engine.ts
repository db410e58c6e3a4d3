/**
 * The only door to the regex engine, which never backtracks. It is loaded when the first pattern needs it, and synchronously:
 * a run whose patterns are all simple does not pay for it.
 */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

let loaded: typeof RE2JS | undefined;

/** Throws what refusal.ts can read if the engine refuses the pattern. */
export function linearPattern(source: string, flags: string): RE2JS {
  loaded ??= load();
  let bits = 0;
  if (flags.includes('i')) bits |= loaded.CASE_INSENSITIVE;
  if (flags.includes('m')) bits |= loaded.MULTILINE;
  if (flags.includes('s')) bits |= loaded.DOTALL;
  return loaded.compile(source, bits);
}

function load(): typeof RE2JS {
  // `require` is untyped; the package ships the same types for both module systems.
  const module = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  return module.RE2JS;
}
