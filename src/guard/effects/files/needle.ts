/** Returns the longest text that every match of a path glob contains, in lower case. The rules are compiled with it. */
export function needleOf(glob: string): string {
  const parts = glob.toLowerCase().replace(/^~/, '').split('*');
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '').replace(/^\/+|\/+$/g, '');
}
