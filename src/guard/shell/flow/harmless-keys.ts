/**
 * Commands that show only harmless parts of a settings file such as `.env`: the names of its keys, a count, or the values of named keys
 * that hold no secret, such as a port.
 */
const HARMLESS =
  /^(?:\w+_)?(?:PORTS?|HOST(?:NAME)?|NODE_ENV|ENV(?:IRONMENT)?|LOG_?LEVEL|DEBUG|VERBOSE|TZ|LANG|LOCALE|REGION|STAGE|VERSION|TIMEOUT|WORKERS|THREADS|BASE_PATH|PUBLIC_URL|APP_NAME|APP_URL|BASE_URL|SITE_URL|FEATURE_\w+|ENABLE_\w+)$/i;
const FILTERS = /^(?:[efz]?grep|rg|ag)$/;
const PAGERS = /^(?:cat|head|tail|less|more|bat|tac)$/;

/** @param next The words of the next command in the pipeline, if they are known. */
export function showsNoSecret(name: string, argv: readonly string[], next: readonly string[] = []): boolean {
  if (PAGERS.test(name)) return next[0] !== undefined && !PAGERS.test(next[0]) && filters(next[0], next);
  return filters(name, argv);
}

function filters(name: string, argv: readonly string[]): boolean {
  const options = argv.slice(1).filter((word) => /^-./.test(word));
  const operands = argv.slice(1).filter((word) => !/^-./.test(word));
  const has = (letters: string, long: RegExp): boolean =>
    options.some((word) => (word.startsWith('--') ? long.test(word) : [...letters].some((letter) => word.slice(1).includes(letter))));
  if (name === 'wc' || /^(?:sha\d+|md5)sum$/.test(name)) return true;
  if (FILTERS.test(name)) {
    if (has('qcl', /^--(?:quiet|silent|count|files-with-matches)$/)) return true;
    return !has('vf', /^--(?:invert-match|file)/) && !has('ABC', /^--(?:after|before)?-?context/) && namesHarmless(operands[0] ?? '');
  }
  if (name === 'cut') return /(?:^| )-d ?=/.test(argv.join(' ')) && /(?:^| )-f ?1(?: |$)/.test(argv.join(' '));
  if (name === 'sed') return sedShows(operands[0] ?? '', has('n', /^--(?:quiet|silent)$/));
  return /^[gmn]?awk$/.test(name) && awkShows(argv.join(' '));
}

/** Returns whether every alternative of a search names a harmless key. */
function namesHarmless(pattern: string): boolean {
  const keys = pattern.replace(/^\^?\(?|\)?(?:=.*)?\$?$/g, '').split(/\\?\|/);
  return keys.every((key) => HARMLESS.test(key.replace(/^\^|^export\s+|\\b|\s*=.*$/g, '')));
}

function sedShows(script: string, quiet: boolean): boolean {
  if (/^s([/|#,])=\.\*\1\1g?$/.test(script)) return true;
  const key = /^(?:s([/|#,])\^?(\w+)=.*|\/\^?(\w+)=?\/\s*p)$/.exec(script);
  return quiet && key !== null && HARMLESS.test(key[2] ?? key[3] ?? '');
}

function awkShows(words: string): boolean {
  const key = /\/\^?(\w+)=?\/\s*\{|\$1\s*==\s*"(\w+)"/.exec(words);
  if (key !== null) return HARMLESS.test(key[1] ?? key[2] ?? '');
  return /-F ?['"]?=/.test(words) && /\{\s*print \$1\s*;?\s*\}/.test(words) && !/\$[02-9]/.test(words);
}
