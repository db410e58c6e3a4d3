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
