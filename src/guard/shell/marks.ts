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

const MARK = /[\uE000-\uE003]/;
const MARKS = /[\uE000-\uE003]/g;

export function isDynamic(text: string): boolean {
  return MARK.test(text);
}

/** Nothing of it is known. */
export function isOpaque(text: string): boolean {
  return MARK.test(text) && text.replace(MARKS, '').trim() === '';
}

/** What a filter's output keeps of its input: the origins, not the text. */
export function originsOf(text: string): string {
  return [REMOTE, DECODED].filter((mark) => text.includes(mark)).join('');
}

export function shown(text: string): string {
  return text.replace(/[\uE000-\uE003]+/g, '‹?›');
}
