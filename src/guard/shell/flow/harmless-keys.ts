/**
 * Commands that show only harmless parts of a settings file such as `.env`: the names of its keys, a count, or the values of named keys
 * that hold no secret, such as a port.
 */
const HARMLESS =
  /^(?:\w+_)?(?:PORTS?|HOST(?:NAME)?|NODE_ENV|ENV(?:IRONMENT)?|LOG_?LEVEL|DEBUG|VERBOSE|TZ|LANG|LOCALE|REGION|STAGE|VERSION|TIMEOUT|WORKERS|THREADS|BASE_PATH|PUBLIC_URL|APP_NAME|APP_URL|BASE_URL|SITE_URL|FEATURE_\w+|ENABLE_\w+)$/i;
const FILTERS = /^(?:[efz]?grep|rg|ag)$/;
/** A search whose match ends before the value: a name from the start of the line, up to the sign between them. */
const MATCHES_NAME = /^\^(?:(?:\[(?:A-Z|a-z|0-9|_|\\w)+\]|\[\^[# ]*=[# ]*\]|\\w)(?:\\?[*+]|\{[\d,]+\})?)+(?:=|\(\?==\))?$/;
/** Substitutions that take the value away: `s|=.*||`, `s|=.*$|=***|`, `s|^\([^=]*\)=.*|\1|`. */
const DROPS_VALUE = /^s([/|#,])(?:=\.\*\$?\1[^&\\/|#,]*|\^?\\?\(\[\^=\]\\?[*+]\\?\)=\.\*\$?\1\\1[^&\\/|#,]*)\1g?$/;
/** A program of awk that prints the names, of all lines or of those with a pattern. */
const PRINTS_NAME = /^\s*(?:!?\/[^/]*\/\s*)?\{\s*print \$1(?:\s*"[^"$]*")?\s*;?\s*\}\s*$/;
const PAGERS = /^(?:cat|head|tail|less|more|bat|tac)$/;

/** @param next The words of the next command in the pipeline, if they are known. */
export function showsNoSecret(name: string, argv: readonly string[], next: readonly string[] = []): boolean {
  const isPassedOn = PAGERS.test(name) || FILTERS.test(name);
  const nextShows = isPassedOn && next[0] !== undefined && !PAGERS.test(next[0]) && filters(next[0], next);
  return nextShows || (!PAGERS.test(name) && filters(name, argv));
}

function filters(name: string, argv: readonly string[]): boolean {
  const options = argv.slice(1).filter((word) => /^-./.test(word));
  const operands = argv.slice(1).filter((word) => !/^-./.test(word));
  const has = (letters: string, long: RegExp): boolean =>
    options.some((word) => (word.startsWith('--') ? long.test(word) : [...letters].some((letter) => word.slice(1).includes(letter))));
  if (name === 'wc' || /^(?:sha\d+|md5)sum$/.test(name)) return true;
  if (FILTERS.test(name)) {
    if (has('qcl', /^--(?:quiet|silent|count|files-with-matches)$/)) return true;
    if (has('vfz', /^--(?:invert-match|file|null-data|passthru)/) || has('ABC', /^--(?:after|before)?-?context/)) return false;
    const pattern = scriptOf(argv, operands, '--regexp');
    return namesHarmless(pattern) || (has('o', /^--only-matching$/) && MATCHES_NAME.test(pattern));
  }
  if (name === 'cut') return /(?:^| )-d ?=/.test(argv.join(' ')) && /(?:^| )-f ?1(?: |$)/.test(argv.join(' '));
  if (name === 'sed') return sedShows(scriptOf(argv, operands, '--expression'), has('n', /^--(?:quiet|silent)$/));
  return /^[gmn]?awk$/.test(name) && awkShows(argv.join(' '), operands);
}

/** Returns the pattern or the script of a filter, or nothing if an option gives another one as well. */
function scriptOf(argv: readonly string[], operands: readonly string[], long: string): string {
  const given = argv.flatMap((word, i) => (i > 0 && (/^-\w*[ef]/.test(word) || word.startsWith(long)) ? [i] : []));
  const [first = '', ...others] = given.map((at) => (/^-\w*e$/.test(argv[at] ?? '') ? (argv[at + 1] ?? '') : ''));
  const script = operands[0] ?? '';
  return given.length === 0 || (others.length === 0 && first === script) ? script : '';
}

/** Returns whether every alternative of a search names a harmless key. */
function namesHarmless(pattern: string): boolean {
  const keys = pattern.replace(/^\^?\(?|\)?(?:=.*)?\$?$/g, '').split(/\\?\|/);
  return keys.every((key) => HARMLESS.test(key.replace(/^\^|^export\s+|\\b|\s*=.*$/g, '')));
}

function sedShows(script: string, quiet: boolean): boolean {
  if (DROPS_VALUE.test(script)) return true;
  const key = /^(?:s([/|#,])\^?(\w+)=.*|\/\^?(\w+)=?\/\s*p)$/.exec(script);
  return quiet && key !== null && HARMLESS.test(key[2] ?? key[3] ?? '');
}

function awkShows(words: string, operands: readonly string[]): boolean {
  const key = /\/\^?(\w+)=?\/\s*\{|\$1\s*==\s*"(\w+)"/.exec(words);
  if (key !== null) return HARMLESS.test(key[1] ?? key[2] ?? '');
  const programs = operands.filter((word) => word.includes('{'));
  return /-F ?['"]?=/.test(words) && programs.length === 1 && PRINTS_NAME.test(programs[0] ?? '');
}
