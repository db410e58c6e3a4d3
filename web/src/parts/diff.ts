/** The difference of two texts, part by part: words of a command on one line, otherwise lines. */
export interface DiffPart {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Beyond this a table of all pairs is too large, and everything is replaced by everything. */
const MOST_PARTS = 1_500;

export function isOneLine(text: string): boolean {
  return !text.trimEnd().includes('\n');
}

export function diff(before: string, after: string): readonly DiffPart[] {
  const by = isOneLine(before) && isOneLine(after) ? /(?<=\s)(?=\S)/ : /(?<=\n)/;
  return diffOf(before.split(by), after.split(by));
}

/** The difference of two texts in lines, without the ends of the lines. */
export function diffOfLines(before: string, after: string): readonly DiffPart[] {
  return diffOf(linesOf(before), linesOf(after));
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function diffOf(old: readonly string[], fresh: readonly string[]): readonly DiffPart[] {
  if (old.length > MOST_PARTS || fresh.length > MOST_PARTS)
    return [...old.map((text): DiffPart => ({ sign: '-', text })), ...fresh.map((text): DiffPart => ({ sign: '+', text }))];
  const common = lengths(old, fresh);
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      parts.push({ sign: ' ', text: old[i] as string });
      i++;
      j++;
    } else if (j >= fresh.length || (i < old.length && lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))) {
      parts.push({ sign: '-', text: old[i] as string });
      i++;
    } else {
      parts.push({ sign: '+', text: fresh[j] as string });
      j++;
    }
  }
  return parts;
}

/** The length of the longest common sequence from each pair on. */
function lengths(old: readonly string[], fresh: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      (rows[i] as Uint16Array)[j] =
        old[i] === fresh[j] ? lengthAt(rows, i + 1, j + 1) + 1 : Math.max(lengthAt(rows, i + 1, j), lengthAt(rows, i, j + 1));
  return rows;
}

function lengthAt(rows: readonly Uint16Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
