/** The difference of two texts, line by line: Myers' shortest edit, within bounds. Beyond them everything is replaced by everything. */

export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

export interface Hunk {
  /** First line of the hunk in the old and the new text, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

const CONTEXT = 3;
const MOST_EDITS = 1000;

/** Empty if the texts are equal. */
export function diffLines(before: string, after: string): readonly Hunk[] {
  return before === after ? [] : hunksOf(editsOf(linesOf(before), linesOf(after)));
}

/** As `diff -u` prints it, without its head. */
export function unified(hunks: readonly Hunk[]): string[] {
  return hunks.flatMap(({ oldStart, newStart, lines }) => {
    const count = (sign: '-' | '+'): number => lines.filter((line) => line.sign === ' ' || line.sign === sign).length;
    return [`@@ -${oldStart},${count('-')} +${newStart},${count('+')} @@`, ...lines.map(({ sign, text }) => `${sign}${text}`)];
  });
}

/** A last line without an end is another line than the same with one. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() as string;
  return last === '' ? lines : [...lines, `${last} (no newline at the end)`];
}

function editsOf(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }));
  const middle = shortest(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

/** For each number of edits, how far along each diagonal one gets; then the way back. */
function shortest(before: readonly string[], after: readonly string[]): DiffLine[] {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(before.length + after.length, MOST_EDITS); edits++) {
    trace.push(reach);
    const next = new Map(reach);
    for (let k = -edits; k <= edits; k += 2) {
      let x = isInsertion(reach, k, edits) ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      next.set(k, x);
      if (x >= before.length && x - k >= after.length) return wayBack(before, after, trace);
    }
    reach = next;
  }
  return [...before.map((text): DiffLine => ({ sign: '-', text })), ...after.map((text): DiffLine => ({ sign: '+', text }))];
}

function isInsertion(reach: ReadonlyMap<number, number>, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
}

function wayBack(before: readonly string[], after: readonly string[], trace: readonly ReadonlyMap<number, number>[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] as ReadonlyMap<number, number>;
    const k = x - y;
    const from = isInsertion(reach, k, edits) ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (reach.get(from) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      lines.push({ sign: ' ', text: before[--x] as string });
      y--;
    }
    if (edits === 0) break;
    lines.push(x === fromX ? { sign: '+', text: after[--y] as string } : { sign: '-', text: before[--x] as string });
  }
  return lines.reverse();
}

/** Changes that are near each other share a hunk, with a few lines around it. */
function hunksOf(lines: readonly DiffLine[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [oldLine, newLine] = [1, 1];
  const starts = lines.map(({ sign }) => {
    const at = { oldStart: oldLine, newStart: newLine };
    if (sign !== '+') oldLine++;
    if (sign !== '-') newLine++;
    return at;
  });
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  for (let i = 0; i < changed.length; ) {
    let last = i;
    while (last + 1 < changed.length && (changed[last + 1] as number) - (changed[last] as number) <= 2 * CONTEXT) last++;
    const from = Math.max(0, (changed[i] as number) - CONTEXT);
    const to = Math.min(lines.length, (changed[last] as number) + CONTEXT + 1);
    hunks.push({ ...(starts[from] as (typeof starts)[number]), lines: lines.slice(from, to) });
    i = last + 1;
  }
  return hunks;
}
