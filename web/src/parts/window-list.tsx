/** A list of any length, of which only the rows in view and a few around them are in the page. All rows have one height. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows above and below the view: a fast turn of the wheel is painted before the page can answer it. */
const AROUND = 14;
/** The same while the list jumps: only rows that are seen are worth the time of a frame. */
const AROUND_A_JUMP = 1;
/** After this long without a scroll the list is at rest. */
const REST_MS = 120;
/** Rows before the end at which more is asked for. */
const NEAR_END = 300;

interface Props {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  readonly row: (index: number) => ComponentChildren;
  /** Kept in view. */
  readonly chosen?: number;
  readonly onNearEnd?: () => void;
  /** Told whether the newest row is in view. */
  readonly onTop?: (isTop: boolean) => void;
  /** Rows that were added at the top since: the others stay where they are. */
  readonly added?: number;
}

export function WindowList({ count, rowHeight, label, row, chosen = -1, onNearEnd, onTop, added = 0 }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(() => ({ first: 0, rows: Math.ceil(innerHeight / rowHeight), isAtRest: false }));
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const measure = (isAtRest: boolean): void => {
    const element = box.current;
    if (!element) return;
    const top = element.scrollTop;
    const first = Math.floor(top / rowHeight);
    const rows = Math.ceil(element.clientHeight / rowHeight) + 1;
    setView((old) => (old.first === first && old.rows === rows && (old.isAtRest || !isAtRest) ? old : { first, rows, isAtRest }));
    onTop?.(top < rowHeight / 2);
    // Not before the first rows were painted.
    if ((isAtRest || first > 0) && first + rows + NEAR_END > count) onNearEnd?.();
  };
  const latest = useRef(measure);
  latest.current = measure;
  const moved = (): void => {
    latest.current(false);
    clearTimeout(resting.current);
    resting.current = setTimeout(() => latest.current(true), REST_MS);
  };
  useLayoutEffect(moved, [count, rowHeight]);
  useEffect(() => {
    const observer = new ResizeObserver(moved);
    if (box.current) observer.observe(box.current);
    return () => {
      observer.disconnect();
      clearTimeout(resting.current);
    };
  }, []);
  const known = useRef(added);
  useLayoutEffect(() => {
    const element = box.current;
    const fresh = added - known.current;
    known.current = added;
    if (element && fresh > 0 && element.scrollTop >= rowHeight / 2) element.scrollTop += fresh * rowHeight;
  }, [added, rowHeight]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || chosen < 0) return;
    const top = chosen * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) element.scrollTop = top + rowHeight - element.clientHeight;
  }, [chosen, rowHeight]);
  const slots = useRef<readonly Slot[]>([]);
  slots.current = nextSlots(slots.current, view, count);
  return (
    <div class="window" ref={box} onScroll={moved}>
      <ul class="window-all" aria-label={label} style={{ height: `${count * rowHeight}px` }}>
        {slots.current.map(({ key, index }) => (
          <li
            key={key}
            class="window-row"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {row(index)}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface View {
  readonly first: number;
  readonly rows: number;
  readonly isAtRest: boolean;
}

/** An element of the page, and the row that it shows. */
interface Slot {
  readonly key: number;
  readonly index: number;
}

/**
 * Returns the rows that are in the page, in its order. Elements of rows that leave the view show those that enter it, because changing a row is cheaper
 * than making one. While the list is scrolled none changes its place in the page, which would cost as much as making it; at rest they are in order.
 */
function nextSlots(old: readonly Slot[], { first, rows, isAtRest }: View, count: number): readonly Slot[] {
  const isJump = !isAtRest && !old.some(({ index }) => index >= first && index < first + rows);
  const around = isJump ? AROUND_A_JUMP : AROUND;
  const [from, to] = [Math.max(0, first - around), Math.min(count, first + rows + around)];
  const missing = new Set(Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n));
  const isKept = old.map(({ index }) => missing.delete(index));
  const entering = [...missing];
  const slots = old.flatMap((slot, n): Slot[] => {
    if (isKept[n]) return [slot];
    const index = entering.shift();
    return index === undefined ? [] : [{ key: slot.key, index }];
  });
  let key = Math.max(-1, ...old.map((slot) => slot.key));
  for (const index of entering) slots.push({ key: ++key, index });
  return isAtRest ? slots.sort((a, b) => a.index - b.index) : slots;
}
