/** Text as a column can hold it: no NUL, no half of a character. The body keeps the text as it was; columns are only for finding it. */
export function column(text: string): string {
  return text.replaceAll('\0', '\u2400').replace(/\p{Surrogate}/gu, '\ufffd');
}
