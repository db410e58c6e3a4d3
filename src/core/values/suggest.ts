/** Returns the known name that is closest to a misspelt one, by edit distance without case and separators, for "Did you mean …?". */

export function suggest(name: string, known: readonly string[]): string | undefined {
  const wanted = fold(name);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, fold(candidate), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns the known names that begin like this one, else the closest one: people leave out the end of a long name. */
export function alike(name: string, known: readonly string[]): readonly string[] {
  const wanted = fold(name);
  const longer = wanted.length < SHORTEST_BEGINNING ? [] : known.filter((one) => fold(one).startsWith(wanted));
  const near = longer.length === 0 ? suggest(name, known) : undefined;
  return near === undefined ? longer : [near];
}

const SHORTEST_BEGINNING = 3;

function fold(name: string): string {
  return name
    .slice(0, 80)
    .toLowerCase()
    .replace(/[_.\-\s]/g, '');
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    previous = row;
  }
  return previous[b.length] as number;
}
