/** Compares two paths that may both have wildcards: whether some path matches both. `**` stands for any number of segments. */

/** The segments of an absolute path or glob, in lower case. */
export type Segments = readonly string[];

/** No file system accepts a longer name. */
const MOST_NAME = 256;
const WILD = /[*?]/;

export function segmentsOf(path: string): Segments {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}

/** Returns whether some path matches both. */
export function meet(first: Segments, second: Segments): boolean {
  // Most paths differ in a segment before the first wildcard, so no table is needed.
  for (let at = 0; at < Math.min(first.length, second.length); at++) {
    const [a = '', b = ''] = [first[at], second[at]];
    if (WILD.test(a) || WILD.test(b)) break;
    if (a !== b) return false;
  }
  return overlap(first, second, '**', namesMeet);
}

/** A name that no file has. */
const NO_NAME = '\0';

/**
 * Returns whether a path that meets a protected place does so by its names, or takes everything in a folder above. Otherwise its wildcards can mean
 * the place among others: `**\/*.ts` can mean a file in any folder.
 */
export function isNamed(path: Segments, area: Segments): boolean {
  const first = path.findIndex((segment) => WILD.test(segment));
  if (first === -1 || (area[0] !== '**' && !path.includes('**'))) return true;
  const takesAll = path.slice(first).every((segment) => /^\*+$/.test(segment));
  if (takesAll && area[0] !== '**') return true;
  const last = path.at(-1) ?? '';
  if (!WILD.test(last) && last === area.at(-1)) return true;
  const filled = path.map((segment) => (/^\*+$/.test(segment) ? NO_NAME : segment));
  return (
    meet(filled, area) ||
    meet(
      filled.filter((_, i) => path[i] !== '**'),
      area,
    )
  );
}

/** Returns whether some name matches both. A shell's `*` matches no name that begins with a dot. */
function namesMeet(a: string, b: string): boolean {
  if (!WILD.test(a) && !WILD.test(b)) return a === b;
  if ((/^[*?]/.test(a) && b.startsWith('.')) || (/^[*?]/.test(b) && a.startsWith('.'))) return false;
  return overlap([...a.slice(0, MOST_NAME)], [...b.slice(0, MOST_NAME)], '*', (x, y) => x === y || x === '?' || y === '?');
}

/**
 * Returns whether some list matches both patterns. `any` stands for any number of items. The table is filled from the end, so the work is bounded by
 * the product of the lengths.
 */
function overlap(first: readonly string[], second: readonly string[], any: string, same: (a: string, b: string) => boolean): boolean {
  let below: boolean[] = [];
  for (let i = first.length; i >= 0; i--) {
    const row: boolean[] = [];
    const a = first[i];
    for (let j = second.length; j >= 0; j--) {
      const b = second[j];
      if (a === any) row[j] = below[j] === true || (b !== undefined && row[j + 1] === true);
      else if (b === any) row[j] = row[j + 1] === true || (a !== undefined && below[j] === true);
      else if (a === undefined || b === undefined) row[j] = a === b;
      else row[j] = below[j + 1] === true && same(a, b);
    }
    below = row;
  }
  return below[0] === true;
}
