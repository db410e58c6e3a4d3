/** Limits the length of a text, because a few variables that refer to each other would otherwise fill the memory. */

export const MOST_TEXT = 256 * 1024;

export function truncate(text: string): string {
  return text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) + CUT : text;
}

/** Joins the outputs of several steps. */
export function joinOutputs<T>(items: readonly T[], step: (item: T) => string): string {
  const [only] = items;
  if (only !== undefined && items.length === 1) return truncate(step(only));
  let all = '';
  for (const item of items) {
    const text = step(item);
    if (all.length <= MOST_TEXT) all += text;
  }
  return truncate(all);
}

/** Replaces every `from`. Undefined: the result would be too long. */
export function replaceEach(text: string, from: string, to: string): string | undefined {
  if (from === '') return text;
  const parts = text.split(from);
  return text.length + parts.length * to.length > 4 * MOST_TEXT ? undefined : parts.join(to);
}

/**
 * Unknown text in a resolved word is one private-use character that names its origin. The word keeps its known parts, and the origin
 * follows the text through variables, pipes and files. If the source contains such a character, the text only becomes less trusted.
 */
export const UNKNOWN = '\uE000';
/** Text from the network. */
export const REMOTE = '\uE001';
/** Text that was decoded or otherwise disguised. The decoded text may follow. */
export const DECODED = '\uE002';
/** The path of the running script, if it is unknown. */
export const SELF = '\uE003';
/** Text from a file that holds secrets. */
export const SECRET = '\uE004';
/** Text that is not secret on this machine but must not leave it: the environment, the list of accounts. */
export const PRIVATE = '\uE005';
/** Harmless parts of a file that holds secrets, such as the names of its keys. They may be shown but must not leave this machine. */
export const PART = '\uE00F';
/** The value of a variable with a name that suggests a secret. */
export const CREDENTIAL = '\uE006';
/** Text from a folder with a name that suggests keys. */
export const KEYS = '\uE007';
/** Text that a command such as `xargs` inserts from unknown input. It can be any words, including options. */
export const FED = '\uE008';
/** The names of files that git lists. They are in the working tree. */
export const LISTED = '\uE00A';
/** The installation script of a well-known tool, from the address that its makers publish. */
export const VENDOR = '\uE00B';
/** The same for one release of the tool, whose script does not change. */
export const RELEASE = '\uE00D';
/** The folder of a version manager, by the variable that the manager sets. */
export const MANAGER = '\uE00E';
/** The names of files that a command lists, whatever their folder. */
export const NAMES = '\uE00C';
/** The rest of a text that is too long to be kept. */
export const CUT = '\uE009';

const ORIGINS = [REMOTE, DECODED, SECRET, PART, PRIVATE, CREDENTIAL, KEYS, LISTED, NAMES, VENDOR, RELEASE];
const MARK = /[\uE000-\uE00F]/;
const MARKS = /[\uE000-\uE00F]/g;

export function isDynamic(text: string): boolean {
  return MARK.test(text);
}

/** Returns whether nothing of the text is known. */
export function isOpaque(text: string): boolean {
  return MARK.test(text) && text.replace(MARKS, '').trim() === '';
}

/** Returns the origins of a text without the text. The output of a filter keeps the origins of its input. */
export function originsOf(text: string): string {
  // Most texts with a mark are an input that nothing is known about.
  if (text === UNKNOWN || !MARK.test(text)) return '';
  let origins = '';
  for (const mark of ORIGINS) if (text.includes(mark)) origins += mark;
  return origins;
}

export function printable(text: string): string {
  return text.replace(/[\uE000-\uE00F]+/g, '‹?›');
}
