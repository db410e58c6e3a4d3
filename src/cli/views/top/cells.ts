/** Puts texts of others into lines of a given width. Every character that is no text is shown as text, whoever wrote it. */
import { visibleLine } from '../../../views/visible-text.ts';
import { cut, pad, widthOf } from '../../print/text.ts';

export interface Cell {
  readonly text: string;
  /** In columns. Without it the cell shares the rest of the line with others. */
  readonly width?: number;
  /** Left out in narrower lines. */
  readonly from?: number;
  /** Left out in lines of this width or wider. */
  readonly below?: number;
  paint?(text: string): string;
}

const GAP = 2;
const LONGEST = 1000;

/** Returns one line of exactly this width, or less at its end. */
export function lineOf(cells: readonly Cell[], width: number): string {
  const shown = cells.filter(({ from = 0, below = Number.POSITIVE_INFINITY }) => width >= from && width < below);
  const sharing = shown.filter((cell) => cell.width === undefined).length;
  const fixed = shown.reduce((sum, cell) => sum + (cell.width ?? 0), GAP * (shown.length - 1));
  const share = Math.max(1, Math.floor((width - fixed) / Math.max(1, sharing)));
  let room = width;
  const parts: string[] = [];
  for (const [at, cell] of shown.entries()) {
    const isLast = at === shown.length - 1;
    const wide = Math.min(room, cell.width ?? (isLast ? room : share));
    if (wide <= 0) break;
    const text = cut(visibleLine(cell.text, LONGEST), wide);
    parts.push((cell.paint ?? plain)(isLast ? text : pad(text, wide)));
    room -= wide + GAP;
  }
  return parts.join(' '.repeat(GAP));
}

function plain(text: string): string {
  return text;
}

const COLOUR = /\x1b\[\d+m/;
const PARTS = /\x1b\[\d+m|[\s\S]/gu;

/**
 * Divides a text into lines of at most this width, so that nothing of it is beyond the edge. The colours of Hookline stay, and no other
 * control does.
 */
export function wholeLines(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => divided(line, width));
}

function divided(line: string, width: number): string[] {
  const lines: string[] = [];
  let [current, used] = ['', 0];
  for (const part of line.match(PARTS) ?? []) {
    if (COLOUR.test(part)) {
      current += part;
      continue;
    }
    for (const char of visibleLine(part, LONGEST)) {
      const wide = widthOf(char);
      if (used + wide > width) {
        lines.push(current);
        [current, used] = ['', 0];
      }
      current += char;
      used += wide;
    }
  }
  return [...lines, current];
}
