/** The difference of two texts, line by line, within bounds. Beyond them everything is replaced by everything. */
import { structuredPatch } from 'diff';

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
  if (before === after) return [];
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', joined(old), joined(fresh), undefined, undefined, options);
  if (patch === undefined) return [{ oldStart: 1, newStart: 1, lines: [...signed('-', old), ...signed('+', fresh)] }];
  return patch.hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart,
    newStart,
    lines: lines.map((line): DiffLine => ({ sign: line[0] as DiffLine['sign'], text: line.slice(1) })),
  }));
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

/** Each line with an end, so that the library adds no remark of its own about the last one. */
function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function signed(sign: DiffLine['sign'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ sign, text }));
}
