/** Addresses of repositories that are commands: `ext::` runs what follows it, and a host that begins with a dash is an option of ssh. */
const EXTERNAL = /^ext::/i;
const DASHED_HOST = /^(ssh|git\+ssh|ssh\+git):\/\/([^@/]*@)?-/i;

/** The commands that addresses among these words would run. */
export function programUrls(words: readonly string[]): readonly string[] {
  return words.filter((word) => EXTERNAL.test(word)).map((word) => word.slice('ext::'.length));
}

export function isProgramUrl(word: string): boolean {
  return EXTERNAL.test(word) || DASHED_HOST.test(word);
}
