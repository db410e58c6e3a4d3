/** Text that can't grow without end: a few variables that name each other would otherwise fill the memory. */

export const MOST_TEXT = 64 * 1024;

export function cut(text: string): string {
  return text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) : text;
}

/** The outputs of several steps, one after the other. */
export function collect<T>(items: readonly T[], step: (item: T) => string): string {
  let all = '';
  for (const item of items) {
    const text = step(item);
    if (all.length < MOST_TEXT) all += text;
  }
  return cut(all);
}

/** Every `from` replaced, as far as the result stays small; undefined if it would not. */
export function replaceEach(text: string, from: string, to: string): string | undefined {
  if (from === '') return text;
  const parts = text.split(from);
  return text.length + parts.length * to.length > 4 * MOST_TEXT ? undefined : parts.join(to);
}

/**
 * Text that is not known stands in a resolved word as one private-use character that says where it comes from. So a word keeps its
 * known parts, and the origin travels with the text through variables, pipes and files. Written in the source, such a character
 * only makes the text less trusted.
 */
export const UNKNOWN = '\uE000';
/** Came from the network. */
export const REMOTE = '\uE001';
/** Was decoded or otherwise disguised; what it decodes to may follow. */
export const DECODED = '\uE002';
/** The path of the running script, where it is not known. */
export const SELF = '\uE003';
/** Was read from a file that holds secrets. */
export const SECRET = '\uE004';
/** Nothing to hide from who runs the script, yet nobody else's business: the environment, the list of accounts. */
export const PRIVATE = '\uE005';
/** A variable whose name says that it holds a secret. */
export const CREDENTIAL = '\uE006';
/** Was read from a folder that by its name may hold keys. */
export const KEYS = '\uE007';
/** Handed over by a command that feeds another, such as `xargs`, out of input that is not known: it may be any words, options too. */
export const FED = '\uE008';

const ORIGINS = [REMOTE, DECODED, SECRET, PRIVATE, CREDENTIAL, KEYS];
const MARK = /[\uE000-\uE00F]/;
const MARKS = /[\uE000-\uE00F]/g;

export function isDynamic(text: string): boolean {
  return MARK.test(text);
}

/** Nothing of it is known. */
export function isOpaque(text: string): boolean {
  return MARK.test(text) && text.replace(MARKS, '').trim() === '';
}

/** What a filter's output keeps of its input: the origins, not the text. */
export function originsOf(text: string): string {
  return MARK.test(text) ? ORIGINS.filter((mark) => text.includes(mark)).join('') : '';
}

export function shown(text: string): string {
  return text.replace(/[\uE000-\uE00F]+/g, '‹?›');
}
