/**
 * Sets of program names. Every command is compared with many of them, and V8 compiles a regular expression in more time than a whole
 * judgement takes, so names are looked up and not matched.
 */

export type Names = ReadonlySet<string>;

/** Returns the set of the names in a text, which spaces separate. */
export function namesIn(text: string): Names {
  return new Set(text.split(' '));
}

const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Returns a name without the version at its end: `python3.12` is `python`. */
export function unversioned(name: string): string {
  let end = name.length;
  while (end > 0 && isVersion(name.charCodeAt(end - 1))) end--;
  return end === name.length ? name : name.slice(0, end);
}

function isVersion(code: number): boolean {
  return code === DOT || (code >= ZERO && code <= NINE);
}
